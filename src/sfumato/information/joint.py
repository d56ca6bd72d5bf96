"""A joint table: several named variables and the probability of each combination."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.information.cells import (
    DenseCells,
    JointCells,
    dense_values,
    labelled_table,
    mapping_columns,
    sparse_cells,
    weighted_columns,
)
from sfumato.information.distribution import Distribution
from sfumato.printing import drawn

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from sfumato.information.validate import Floats
    from sfumato.printing import Chart


#: One variable by name, or several.
Variables = Hashable | Iterable[Hashable]

#: A Joint, an array with one axis a variable, or a mapping from tuples of values to numbers.
JointLike = Any


class Joint:
    """The joint distribution of named variables.

    Parameters
    ----------
    table
        An array with one axis a variable (probabilities that sum to one, or integer counts), a
        pandas crosstab, a mapping from tuples of values to such numbers, or a pandas column
        whose index has several levels.
    variables
        The names, one an axis; 0, 1, 2, ... where none are given.
    labels
        The values each variable takes, one sequence an axis; positions where none are given.
    copy
        Whether to keep a copy of an array, so that later changes to it do no harm.

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

    cells: JointCells
    labels: tuple[Sequence[Hashable], ...]
    variables: tuple[Hashable, ...]

    def __init__(
        self,
        table: Any,
        *,
        variables: Sequence[Hashable] | None = None,
        labels: Sequence[Sequence[Hashable]] | None = None,
        copy: bool = True,
    ) -> None:
        table, found_names, found_labels = labelled_table(table)
        if isinstance(table, Mapping):
            columns, weights = mapping_columns(table)
            self.cells, self.labels = sparse_cells(columns, weights)
        else:
            values, total = dense_values(table, copy=copy)
            self.cells = DenseCells(values, total)
            self.labels = found_labels or tuple(range(size) for size in values.shape)
        self.variables = _names(variables or found_names, len(self.labels))
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
            Integer counts or probabilities of the combinations, or the name of the column that
            holds them; without it each entry is one observation.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> Joint.from_columns({"sex": ["F", "M", "F"], "smoker": ["no", "no", "no"]})
        Joint(sex: 2 values, smoker: 1 value; 2 combinations)
        """
        named, weights = weighted_columns(columns, weights)
        joint = cls.__new__(cls)
        joint.cells, joint.labels = sparse_cells(list(named.values()), weights)
        joint.variables = _names(list(named), len(named))
        return joint

    def marginal(self, *variables: Variables) -> Joint:
        """Return the joint distribution of some of the variables, in the order given.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> Joint([[1, 2], [3, 4]], variables=["x", "y"]).marginal("y")
        Joint(y: 2 values; 2 combinations)
        """
        axes = self.axes(variables[0] if len(variables) == 1 else variables)
        return self._with(self.cells.marginal(axes), axes)

    def condition(self, values: Any = None, /, **named: Hashable) -> Joint:
        """Return the distribution of the other variables, given the values of some.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> joint = Joint([[1, 1], [1, 3]], variables=["x", "y"])
        >>> joint.condition(x=1).distribution
        Distribution({0: 1/4, 1: 3/4})
        """
        if not isinstance(values, (Mapping, type(None))):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "condition takes a mapping or keywords, such as condition(sex='F')",
            )
        known = {**(values or {}), **named}
        fixed = dict(zip(self.axes(tuple(known)), known.values(), strict=True))
        at = {
            axis: _position(self.labels[axis], value, self.variables[axis])
            for axis, value in fixed.items()
        }
        rest = [axis for axis in range(len(self.variables)) if axis not in at]
        if not rest:
            raise InputError(
                "E-ARGUMENT-CONFLICT", "every variable is fixed", "leave at least one free"
            )
        return self._with(self.cells.slice(at), rest)

    def axes(self, variables: Variables) -> list[int]:
        """Return the positions of variables, given as one name or several.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> Joint([[1, 2], [3, 4]], variables=["x", "y"]).axes("y")
        [1]
        """
        names = _listed(variables, self.variables)
        for name in names:
            if name not in self.variables:
                raise UnknownNameError(kind="variable", name=name, known=self.variables)
        if len(set(names)) < len(names):
            raise InputError("E-ARGUMENT-TWICE", "a variable is named twice", "name each once")
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

    def plot(self, *, between: Any = None, to: str | Path | None = None) -> Chart:
        """Draw the entropies of two variables, and what they share; needs ``sfumato[plots]``.

        Parameters
        ----------
        between
            Two groups, each one variable or several; a joint of two variables needs none.
        to
            Also write it into a file ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.information import Joint
        >>> Joint([[1, 0], [0, 1]]).plot().to_dict()["title"]["text"]
        ['Y tells 1 bit about X, whose entropy is 1 bit']
        """
        return drawn("joint", self, to=to, between=between)

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        parts = [
            f"{name}: {len(labels)} value{'s' if len(labels) != 1 else ''}"
            for name, labels in zip(self.variables, self.labels, strict=True)
        ]
        count = len(self)
        return f"Joint({', '.join(parts)}; {count} combination{'s' if count != 1 else ''})"

    def _with(self, cells: JointCells, axes: Sequence[int]) -> Joint:
        part = Joint.__new__(Joint)
        part.cells = cells
        part.variables = tuple(self.variables[axis] for axis in axes)
        part.labels = tuple(self.labels[axis] for axis in axes)
        return part


def as_joint(values: JointLike) -> Joint:
    """Return ``values`` as a Joint for one calculation: nothing is copied."""
    return values if isinstance(values, Joint) else Joint(values, copy=False)


def _listed(variables: Any, known: Sequence[Hashable]) -> list[Hashable]:
    """Return one name, or several, as a list; a tuple may itself be a name."""
    single = isinstance(variables, str) or not isinstance(variables, Iterable)
    if single or (isinstance(variables, tuple) and variables in known):
        return [variables]
    return list(variables)


def _names(given: Sequence[Hashable] | None, count: int) -> tuple[Hashable, ...]:
    names = tuple(range(count)) if given is None else tuple(given)
    if len(names) != count:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "{count} variables are named for a table of {other_count}",
            "name each axis once",
            count=len(names),
            other_count=count,
        )
    if not all(isinstance(name, Hashable) for name in names) or len(set(names)) < count:
        raise InputError(
            "E-ARGUMENT-TWICE",
            "the variables need names, each a different one, such as ['age', 'sex']",
        )
    return names


def _checked_labels(
    given: Any,
    found: tuple[Sequence[Hashable], ...],
    names: tuple[Hashable, ...],
) -> tuple[Sequence[Hashable], ...]:
    fits = isinstance(given, Sequence) and all(isinstance(each, Sequence) for each in given)
    if not fits or [len(each) for each in given] != [len(each) for each in found]:
        counts = ", ".join(
            f"{name!r}: {len(each)}" for name, each in zip(names, found, strict=True)
        )
        raise InputError(
            "E-LENGTHS-DIFFER",
            "the labels do not fit the table",
            "give each variable as many as it has values ({counts})",
            counts=counts,
        )
    if any(len(set(each)) < len(each) for each in given):
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "a label stands twice for one variable",
            "name each of its values differently",
        )
    return tuple(tuple(each) for each in given)


def _position(labels: Sequence[Hashable], value: Hashable, name: Hashable) -> int:
    try:
        return labels.index(value)
    except ValueError:
        raise InputError(
            "E-VALUE-ABSENT",
            "the variable {name!r} never takes the given value",
            "its labels attribute lists them",
            name=name,
        ) from None
