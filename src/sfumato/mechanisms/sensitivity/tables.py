"""Reading a table as a list: its rows or one column, never the names of its columns.

No finite, infinite or missing number raises: a message that depends on a cell would tell of it.

=========================  ==========================================================
cell                       counts as
=========================  ==========================================================
integer, Fraction          itself, then clipped
float                      the rational it stores, then clipped
Decimal, other reals       the nearest float, then clipped
NaN, None, pandas' NA      the number within the bounds that is nearest 0
+inf, -inf                 the upper, the lower bound
bool, text, times, others  refused by its type
=========================  ==========================================================
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.information import is_frame
from sfumato.mechanisms.sensitivity.declared import Norm, root_above
from sfumato.mechanisms.values import NO_NUMBERS, is_placeholder
from sfumato.numeric import any_float, cached_property, float_above, float_below, shown
from sfumato.privacy import written
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from numpy.typing import NDArray


_TIMES = "mM"
_LARGEST = Fraction(sys.float_info.max)


def read_table(rows: Any, name: str = "a table") -> list[Any]:
    """Return the rows of a list, an array, a series or a generator, in order.

    Frames and mappings are refused: going through them gives the names of their columns.
    """
    advice = _advice(rows)
    if advice is not None:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a list, not a {kind}",
            "{advice}",
            name=Argument(name),
            kind=type(rows).__name__,
            advice=advice,
        )
    if isinstance(rows, np.ndarray):
        return entries(rows)
    return list(rows.to_pylist() if hasattr(rows, "to_pylist") else rows)


def read_column(cells: Any, name: str = "a column") -> list[Any]:
    """Return the cells of one column, in order; an array of rows is refused."""
    column = read_table(cells, name)
    dimensions = getattr(cells, "ndim", 1)
    if dimensions > 1:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a list, not an array of {dimensions} dimensions",
            "give one column, array[:, 0]",
            name=Argument(name),
            dimensions=dimensions,
        )
    return column


def read_any_rows(table: Any) -> list[Any]:
    """Return one entry a row, also for a frame, where only their number is asked for."""
    count = _length(table) if is_frame(type(table)) else None
    return read_table(table) if count is None else [None] * count


def read_cells(row: Any, width: int) -> list[Any]:
    """Return the cells of a row that has so many."""
    cells = read_table(row, mark("each row"))
    if len(cells) != width:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "each row must have {width} cells, not {count}",
            "give rows of equal length",
            width=width,
            count=len(cells),
        )
    return cells


def entries(array: NDArray[Any]) -> list[Any]:
    """Return what an array holds, as Python's numbers; times stay times."""
    return list(array) if array.dtype.kind in _TIMES else list(array.tolist())


def _length(frame: Any) -> int | None:
    """Return how many rows a frame has; None for a query that was not run yet."""
    try:
        return len(frame)
    except Exception:  # noqa: BLE001  (each library raises what it likes)
        return None


def _advice(rows: Any) -> str | None:
    """Return what to write instead of something that is no list of rows."""
    if is_frame(type(rows)):
        return mark("give one column, df['age'], or the rows, df.to_numpy()")
    if isinstance(rows, Mapping):
        return mark("give one column, data['age']")
    if isinstance(rows, np.ma.MaskedArray):
        return mark("write array.filled(0), say, for what the cells under the mask count as")
    return None if _is_iterable(rows) else "write [1, 2, 3], say"


def _is_iterable(rows: Any) -> bool:
    try:
        iter(rows)
    except TypeError:
        return False
    return not isinstance(rows, (str, bytes))


@dataclass(frozen=True)
class Bounds:
    """The two ends that cells are clipped to."""

    lower: Fraction
    upper: Fraction

    @classmethod
    def between(cls, lower: Any, upper: Any) -> Bounds:
        """Return two finite ends in order."""
        bounds = cls(written(lower, "lower"), written(upper, "upper"))
        if bounds.width < 0:
            raise InputError(
                "E-BOUNDS-ORDER",
                "{argument} must not be above upper, but {lower} is above {upper}",
                "write the smaller bound first",
                lower=shown(lower),
                upper=shown(upper),
                argument=Argument("lower"),
            )
        return bounds

    @property
    def width(self) -> Fraction:
        """How far apart the ends are."""
        return self.upper - self.lower

    @property
    def reach(self) -> Fraction:
        """How far from 0 a clipped cell can be."""
        return max(abs(self.lower), abs(self.upper))

    def clip(self, cell: Any) -> Fraction:
        """Return what a cell counts as."""
        if type(cell) is float and self._inner[0] <= cell <= self._inner[1]:
            return Fraction(cell)
        number = read_cell(cell)
        if isinstance(number, float) and math.isnan(number):
            number = Fraction(0)
        return Fraction(min(max(number, self.lower), self.upper))

    @cached_property
    def _inner(self) -> tuple[float, float]:
        """The least and the greatest float within the bounds."""
        return float_above(self.lower), float_below(self.upper)

    def __str__(self) -> str:
        return f"[{shown(self.lower)}, {shown(self.upper)}]"


def is_number(value: Any) -> bool:
    """Tell by its type whether a value is a real number; booleans and spans of time are none."""
    return isinstance(value, (Real, Decimal)) and not isinstance(value, NO_NUMBERS)


def read_cell(cell: Any) -> Fraction | float:
    """Return a cell as an exact rational, or as the infinity or the NaN that it is."""
    if is_placeholder(cell):
        return math.nan
    if not is_number(cell):
        raise InputError(
            "E-ROWS-TYPE",
            "a cell must be a number, not a {kind}",
            "give a column of numbers",
            kind=type(cell).__name__,
        )
    if isinstance(cell, Rational):
        return Fraction(int(cell.numerator), int(cell.denominator))
    near = any_float(cell)
    return Fraction(near) if math.isfinite(near) else near


def clipped_to_norm(cells: Iterable[Any], bound: Fraction, norm: Norm) -> tuple[Fraction, ...]:
    """Return a vector shrunk towards 0 until it is no longer than a bound, exactly.

    NaN and None count as 0, ±inf as the largest float of that sign.
    """
    vector = [Bounds(-_LARGEST, _LARGEST).clip(cell) for cell in cells]
    length = (
        total([abs(each) for each in vector])
        if norm == "l1"
        else root_above(total([each**2 for each in vector]))
    )
    factor = min(Fraction(1), bound / length) if length else Fraction(1)
    return tuple(each * factor for each in vector)


def total(values: Sequence[Fraction | int]) -> Fraction:
    """Return a sum without rounding, over one common denominator."""
    unit = math.lcm(*{each.denominator for each in values})
    return Fraction(sum(each.numerator * (unit // each.denominator) for each in values), unit)


@dataclass(frozen=True)
class Lengths:
    """The squared lengths of a vector, or the greatest of several, in L1 and L2."""

    l1_squared: Fraction = Fraction(0)
    l2_squared: Fraction = Fraction(0)

    @classmethod
    def of(cls, vector: Sequence[Fraction | int]) -> Lengths:
        """Return the lengths of one vector."""
        first = total([max(each, -each) for each in vector]) ** 2
        return cls(first, first if len(vector) == 1 else total([each**2 for each in vector]))

    def squared(self, norm: Norm) -> Fraction:
        """Return the square of the length in a norm."""
        return self.l1_squared if norm == "l1" else self.l2_squared

    def longest(self, other: Lengths) -> Lengths:
        """Return the greater length in each norm."""
        return Lengths(
            max(self.l1_squared, other.l1_squared), max(self.l2_squared, other.l2_squared)
        )
