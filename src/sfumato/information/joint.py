"""A joint table: several named variables and the probability of each combination."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError, UnknownNameError
from sfumato.information.cells import Cells, DenseCells
from sfumato.information.columns import mapping_columns, named_columns, sparse_cells
from sfumato.information.distribution import Distribution
from sfumato.information.intake import Floats, held_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Joint", "JointLike", "Variables", "as_joint"]

#: One variable by name, or several.
Variables = Hashable | Sequence[Hashable]

#: A Joint, an array with one axis a variable, or a mapping from tuples of values to numbers.
JointLike = Any


class Joint:
    """The joint distribution of named variables.

    Parameters
    ----------
    table
        An array with one axis a variable (probabilities that sum to one, or integer counts),
        or a mapping from tuples of values to such numbers.
    variables
        The names, one an axis; 0, 1, 2, ... where none are given.
    labels
        The values each variable takes, one sequence an axis; positions where none are given.

    Examples
    --------
    >>> from sfumato.information import Joint, entropy
    >>> survey = Joint([[30, 10], [20, 40]], variables=["smoker", "ill"],
    ...                labels=[["yes", "no"], ["yes", "no"]])
    >>> survey.marginal("ill").distribution
    Distribution({'yes': 1/2, 'no': 1/2})
    >>> survey.condition(smoker="yes").distribution
    Distribution({'yes': 3/4, 'no': 1/4})
    """

    __slots__ = ("cells", "labels", "variables")

    cells: Cells
    labels: tuple[Sequence[Hashable], ...]
    variables: tuple[Hashable, ...]

    def __init__(
        self,
        table: Any,
        *,
        variables: Sequence[Hashable] | None = None,
        labels: Sequence[Sequence[Hashable]] | None = None,
    ) -> None:
        if isinstance(table, Mapping):
            columns, weights = mapping_columns(table)
            self.cells, found = sparse_cells(columns, weights)
            self.labels = found
        else:
            shape = np.shape(table)
            values, total = held_values(table, "the joint table")
            self.cells = DenseCells(values.reshape(shape), total)
            self.labels = tuple(range(size) for size in shape)
        self.variables = _names(variables, len(self.labels))
        if labels is not None:
            self.labels = _checked_labels(labels, self.labels, self.variables)

    @classmethod
    def from_columns(cls, columns: Any, *, weights: Any = None) -> Joint:
        """Return the joint distribution of columns of equal length, one entry a combination.

        Parameters
        ----------
        columns
            A mapping from names to columns, or a pandas, polars or Arrow frame.
        weights
            Integer counts or probabilities of the combinations; without it each entry is
            one observation.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> Joint.from_columns({"sex": ["F", "M", "F"], "smoker": ["no", "no", "no"]})
        Joint(sex: 2 values, smoker: 1 value; 2 combinations)
        """
        named = named_columns(columns)
        joint = cls.__new__(cls)
        joint.cells, joint.labels = sparse_cells(list(named.values()), weights)
        joint.variables = _names(list(named), len(named))
        return joint

    def marginal(self, *variables: Hashable) -> Joint:
        """Return the joint distribution of some of the variables, in the order given.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> Joint([[1, 2], [3, 4]], variables=["x", "y"]).marginal("y")
        Joint(y: 2 values; 2 combinations)
        """
        axes = self.axes(variables)
        return self._with(self.cells.marginal(axes), axes)

    def condition(
        self, values: Mapping[Any, Hashable] | None = None, /, **named: Hashable
    ) -> Joint:
        """Return the distribution of the other variables, given the values of some.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> joint = Joint([[1, 1], [1, 3]], variables=["x", "y"])
        >>> joint.condition(x=1).distribution
        Distribution({0: 1/4, 1: 3/4})
        """
        known = {**(values or {}), **named}
        fixed = dict(zip(self.axes(tuple(known)), known.values(), strict=True))
        at = {
            axis: _position(self.labels[axis], value, self.variables[axis])
            for axis, value in fixed.items()
        }
        rest = [axis for axis in range(len(self.variables)) if axis not in at]
        if not rest:
            message = "every variable is fixed; leave at least one free"
            raise InputError(message)
        return self._with(self.cells.slice(at), rest)

    def axes(self, variables: Variables) -> list[int]:
        """Return the positions of variables, given as one name or several.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> Joint([[1, 2], [3, 4]], variables=["x", "y"]).axes("y")
        [1]
        """
        names = [variables] if variables in self.variables else _listed(variables)
        for name in names:
            if name not in self.variables:
                raise UnknownNameError(kind="variable", name=name, known=self.variables)
        if len(set(names)) < len(names):
            message = "a variable is named twice; name each once"
            raise InputError(message)
        return [self.variables.index(name) for name in names]

    def weights(self, axes: Sequence[int] | None = None) -> Floats:
        """Return the probabilities of the combinations of some axes (all by default), flat.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> Joint([[1, 2], [3, 4]]).weights([0])
        array([0.3, 0.7])
        """
        cells = self.cells if axes is None else self.cells.marginal(axes)
        return cells.probabilities()

    def groups(self, axes: Sequence[int]) -> NDArray[np.int64]:
        """Return, for each combination, a number for the values it has on some axes.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> Joint([[1, 2], [3, 4]]).groups([0])
        array([0, 0, 1, 1])
        """
        return self.cells.groups(axes)

    @property
    def distribution(self) -> Distribution:
        """The distribution over all combinations; over values where there is one variable.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> Joint([[1, 0], [0, 1]], variables=["x", "y"]).distribution
        Distribution({(0, 0): 1/2, (0, 1): 0, (1, 0): 0, (1, 1): 1/2})
        """
        codes = [self.cells.groups([axis]) for axis in range(len(self.variables))]
        named = [
            [labels[code] for code in column]
            for labels, column in zip(self.labels, codes, strict=True)
        ]
        keys = named[0] if len(named) == 1 else zip(*named, strict=True)
        return Distribution(dict(zip(keys, self.cells.masses(), strict=True)))

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        parts = [
            f"{name}: {len(labels)} value{'s' if len(labels) != 1 else ''}"
            for name, labels in zip(self.variables, self.labels, strict=True)
        ]
        count = len(self)
        return f"Joint({', '.join(parts)}; {count} combination{'s' if count != 1 else ''})"

    def _with(self, cells: Cells, axes: Sequence[int]) -> Joint:
        part = Joint.__new__(Joint)
        part.cells = cells
        part.variables = tuple(self.variables[axis] for axis in axes)
        part.labels = tuple(self.labels[axis] for axis in axes)
        return part


def as_joint(values: JointLike) -> Joint:
    """Return ``values`` as a Joint; a Joint is not copied.

    Examples
    --------
    >>> from sfumato.information.joint import as_joint
    >>> as_joint([[1, 2], [3, 4]])
    Joint(0: 2 values, 1: 2 values; 4 combinations)
    """
    return values if isinstance(values, Joint) else Joint(values)


def _listed(variables: Variables) -> list[Hashable]:
    if isinstance(variables, Iterable) and not isinstance(variables, str):
        return list(variables)
    return [variables]


def _names(given: Sequence[Hashable] | None, count: int) -> tuple[Hashable, ...]:
    names = tuple(range(count)) if given is None else tuple(given)
    if len(names) != count:
        message = f"{len(names)} variables are named for a table of {count}; name each axis once"
        raise InputError(message)
    if len(set(names)) < count:
        message = "two variables have the same name; name each differently"
        raise InputError(message)
    return names


def _checked_labels(
    given: Sequence[Sequence[Hashable]],
    found: tuple[Sequence[Hashable], ...],
    names: tuple[Hashable, ...],
) -> tuple[Sequence[Hashable], ...]:
    if [len(each) for each in given] != [len(each) for each in found]:
        wanted = ", ".join(
            f"{len(each)} for {name!r}" for name, each in zip(names, found, strict=True)
        )
        message = f"the labels do not fit the table; give {wanted}"
        raise InputError(message)
    return tuple(tuple(each) for each in given)


def _position(labels: Sequence[Hashable], value: Hashable, name: Hashable) -> int:
    try:
        return labels.index(value)
    except ValueError:
        message = (
            f"the variable {name!r} never takes the given value; its labels attribute lists them"
        )
        raise InputError(message) from None
