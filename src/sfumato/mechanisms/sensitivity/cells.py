"""Reading the cells of a table: total, exact, and bounded before anything is added up.

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
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.sensitivity.roots import root_above
from sfumato.mechanisms.values.missing import is_placeholder
from sfumato.numeric import any_float, float_above, float_below, shown
from sfumato.numeric.cached import cached_property
from sfumato.privacy import written
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.mechanisms.sensitivity.declared import Norm

__all__ = [
    "Bounds",
    "clipped_to_norm",
    "is_number",
    "read_cell",
    "total",
]

#: What Python and NumPy count among the whole numbers, and is none.
_NO_NUMBERS = (bool, np.timedelta64)
_LARGEST = Fraction(sys.float_info.max)


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
    return isinstance(value, (Real, Decimal)) and not isinstance(value, _NO_NUMBERS)


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
