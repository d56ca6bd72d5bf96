"""From constraints to rows of a linear system over the outcomes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from numbers import Real
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError, MissingExtraError, UnknownNameError
from sfumato.information.distribution import as_distribution
from sfumato.information.maxent.constraints import Constraint, Marginal, Moment, as_constraints
from sfumato.information.validate import Floats, frame_axes, is_frame
from sfumato.numeric import cached_property
from sfumato.refusal import Argument, Given, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from scipy.sparse import csr_array


Mask = NDArray[np.bool_]

#: Scaled rows have coefficients from -1 to 1: any bound beyond this says what this one says.
_FARTHEST = 16.0
#: Where the values of a moment are closer together, a multiplier might be beyond the floats.
_CLOSEST = 1e-280
_MOST_OUTCOMES = 10_000_000
#: Stands for every NaN, though none is equal to another.
_NAN = object()


@dataclass(frozen=True)
class Rows:
    """The rows of one constraint: coefficients a, bounds b, and whether a·p = b or a·p ≤ b.

    ``sign`` is -1 where the caller wrote "at least", so that the row was negated.  The solver
    works on (a - shift) / scale, which says the same because probabilities sum to one.
    """

    matrix: csr_array
    bounds: Floats
    equal: bool
    sign: float = 1.0
    shift: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True)
class System:
    """All rows stacked.  ``owners`` holds the position of the constraint that each came from."""

    constraints: tuple[Constraint, ...]
    matrix: csr_array
    bounds: Floats
    equal: Mask
    signs: Floats
    scales: Floats
    scaled_matrix: csr_array
    scaled_bounds: Floats
    owners: NDArray[np.int64]

    def without(self, dropped: set[int]) -> Mask:
        """Return which rows are left when some constraints are dropped."""
        return ~np.isin(self.owners, list(dropped))


def compile_system(support: Support, given: Constraint | Iterable[Constraint]) -> System:
    """Return the linear system that the constraints write on the outcomes."""
    try:
        from scipy.sparse import csr_array, vstack
    except ImportError:
        raise MissingExtraError(purpose=mark("maximum entropy"), extra="optimize") from None
    constraints = as_constraints(given)
    blocks = [(i, rows) for i, each in enumerate(constraints) for rows in _rows(each, support)]
    empty = Rows(csr_array((0, support.size)), np.array([]), equal=True)
    parts = [rows for _, rows in blocks] or [empty]

    def repeated(values: list[Any]) -> NDArray[Any]:
        return np.repeat(values, [len(rows.bounds) for rows in parts])

    return System(
        constraints=constraints,
        matrix=vstack([rows.matrix for rows in parts], format="csr"),
        bounds=np.concatenate([rows.bounds for rows in parts]),
        equal=repeated([rows.equal for rows in parts]),
        signs=repeated([rows.sign for rows in parts]),
        scales=repeated([rows.scale for rows in parts]),
        scaled_matrix=vstack([_scaled(rows) for rows in parts], format="csr"),
        scaled_bounds=np.concatenate([_scaled_bounds(rows) for rows in parts]),
        owners=repeated([i for i, _ in blocks] or [0]),
    )


def _rows(constraint: Constraint, support: Support) -> list[Rows]:
    if isinstance(constraint, Moment):
        return _moment_rows(constraint, support)
    return [_marginal_rows(constraint, support)]


def _moment_rows(moment: Moment, support: Support) -> list[Rows]:
    from scipy.sparse import csr_array

    values = _coefficients(moment, support)
    middle = float(values.min()) / 2 + float(values.max()) / 2
    scale = float(np.abs(values - middle).max()) or 1.0
    if scale < _CLOSEST:
        raise InputError(
            "E-NUMBERS-TOO-CLOSE",
            "the moment {moment!r} has values that differ by less than {closest:g}",
            "multiply them and the bounds by a large number",
            moment=moment.name,
            closest=_CLOSEST,
        )

    def row(sign: float, bound: float, *, equal: bool) -> Rows:
        matrix = csr_array(sign * values[np.newaxis, :])
        return Rows(matrix, np.array([sign * bound]), equal, sign, sign * middle, scale)

    if moment.at_least == moment.at_most:
        return [row(1.0, moment.at_most, equal=True)]
    sides = [(1.0, moment.at_most), (-1.0, moment.at_least)]
    return [row(sign, bound, equal=False) for sign, bound in sides if np.isfinite(bound)]


def _coefficients(moment: Moment, support: Support) -> Floats:
    given = moment.function
    values = [given(each) for each in support.arguments()] if callable(given) else list(given)
    if len(values) != support.size:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "the moment {moment!r} has {count} numbers for {size} outcomes",
            "give one an outcome",
            moment=moment.name,
            count=len(values),
            size=support.size,
        )
    try:
        floats = np.array([float(each) for each in values])
    except (TypeError, ValueError, OverflowError):
        floats = np.array([np.nan])
    if not np.isfinite(floats).all():
        raise InputError(
            "E-NUMBER-NOT-FINITE",
            "the moment {moment!r} is not a finite number on every outcome",
            moment=moment.name,
        )
    return floats


def _marginal_rows(marginal: Marginal, support: Support) -> Rows:
    from scipy.sparse import csr_array

    table = marginal_table(marginal, support)
    codes = support.codes(support.axes(marginal.variables))
    entries = (np.ones(support.size), (codes, np.arange(support.size)))
    return Rows(csr_array(entries, shape=(table.size, support.size)), table.ravel(), equal=True)


def marginal_table(marginal: Marginal, support: Support) -> Floats:
    """Return the probabilities of a marginal as an array with one axis a variable."""
    values = [support.values[axis] for axis in support.axes(marginal.variables)]
    shape = tuple(len(each) for each in values)
    name = text("the table of {name!r}", name=marginal.name)
    given = as_distribution(_keyed(marginal.table, values, name), name)
    probabilities: Floats = given.probabilities / given.probabilities.sum()
    if given.is_labelled:
        known = dict(zip(given.labels, probabilities.tolist(), strict=True))
        return _by_label(name, values, known)
    found = shape if isinstance(marginal.table, type(given)) else np.shape(marginal.table)
    if found != shape or len(given) != np.prod(shape):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "{name} has shape {found}",
            "its variables take {shape} values, in this order",
            name=Argument(name),
            found=found,
            shape=shape,
        )
    return probabilities.reshape(shape)


def _keyed(table: Any, values: list[tuple[Hashable, ...]], name: Given) -> Any:
    """Return a frame as a mapping from pairs of values; anything else as it is."""
    if not is_frame(table):
        return table
    array, named = np.asarray(table), frame_axes(table, name)
    lengths = [len(own or other) for own, other in zip(named, values, strict=False)]
    if len(values) != len(named) or tuple(lengths) != array.shape:
        return array
    rows, columns = (own or other for own, other in zip(named, values, strict=True))
    return dict(zip(product(rows, columns), array.ravel(), strict=True))


def _by_label(
    name: Given, values: list[tuple[Hashable, ...]], known: dict[Hashable, float]
) -> Floats:
    keys = list(values[0]) if len(values) == 1 else list(product(*values))
    if not set(known) <= set(keys):
        raise InputError(
            "E-VALUE-ABSENT",
            "{name} has a key that is not a combination of values of its variables in the support",
            "add the value there, or mend the key",
            name=Argument(name),
        )
    table = np.array([known.get(key, 0.0) for key in keys])
    return table.reshape([len(each) for each in values])


def _scaled_bounds(rows: Rows) -> Floats:
    with np.errstate(over="ignore"):
        bounds: Floats = (rows.bounds - rows.shift) / rows.scale
    return np.clip(bounds, -_FARTHEST, _FARTHEST)


def _scaled(rows: Rows) -> csr_array:
    from scipy.sparse import csr_array

    if rows.shift == 0 and rows.scale == 1:
        return rows.matrix
    return cast("csr_array", csr_array((rows.matrix.toarray() - rows.shift) / rows.scale))


@dataclass(frozen=True)
class Support:
    """A plain list of outcomes, or every combination of the values of several variables."""

    values: tuple[tuple[Hashable, ...], ...]
    variables: tuple[Hashable, ...] | None

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each variable takes."""
        return tuple(len(each) for each in self.values)

    @property
    def size(self) -> int:
        """The number of outcomes."""
        return math.prod(self.shape)

    @cached_property
    def labels(self) -> tuple[Hashable, ...]:
        """The outcomes; tuples of values on a table."""
        return self.values[0] if self.variables is None else tuple(product(*self.values))

    def arguments(self) -> Iterable[Any]:
        """Return what a function of the outcome is called with."""
        if self.variables is None:
            return self.labels
        names = self.variables
        return (dict(zip(names, each, strict=True)) for each in product(*self.values))

    def axes(self, variables: tuple[Hashable, ...]) -> list[int]:
        """Return the positions of variables."""
        known = self.variables
        if known is None:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "a marginal needs a table of variables",
                "give the support as a mapping from each variable to its values",
            )
        for each in variables:
            if each not in known:
                raise UnknownNameError(kind="variable", name=each, known=known)
        return [known.index(each) for each in variables]

    def codes(self, axes: list[int]) -> NDArray[np.int64]:
        """Return, for every outcome, the position of its values on ``axes`` in their own table."""
        places = np.unravel_index(np.arange(self.size), self.shape)
        kept = [places[axis] for axis in axes]
        flat: NDArray[np.int64] = np.ravel_multi_index(kept, [self.shape[axis] for axis in axes])
        return flat


def as_support(given: Iterable[Hashable] | Mapping[Hashable, Iterable[Hashable]]) -> Support:
    """Return the outcomes, checked: at least one, each once."""
    if isinstance(given, Mapping):
        values = tuple(
            _listed(each, text("the variable {key!r}", key=key)) for key, each in given.items()
        )
        support = Support(values, tuple(given))
    else:
        support = Support((_listed(given, mark("the support")),), None)
    if not support.values:
        raise InputError(
            "E-ARGUMENT-EMPTY", "the support has no variables", "give at least one, with its values"
        )
    if support.size > _MOST_OUTCOMES:
        raise InputError(
            "E-TOO-LARGE",
            "the support has {size} outcomes",
            "the most is {most_outcomes}",
            size=support.size,
            most_outcomes=_MOST_OUTCOMES,
        )
    return support


def _listed(values: Iterable[Hashable], name: Given) -> tuple[Hashable, ...]:
    try:
        listed = tuple(values)
        distinct = len({_NAN if _is_nan(each) else each for each in listed})
    except TypeError:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a list of outcomes that can be dictionary keys",
            name=Argument(name),
        ) from None
    if distinct < max(len(listed), 1):
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "{name} is empty or repeats an outcome",
            "list each outcome once",
            name=Argument(name),
        )
    return listed


def _is_nan(value: Hashable) -> bool:
    return isinstance(value, Real) and value != value
