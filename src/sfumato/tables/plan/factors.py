"""Columns of numbers as they are added up: clipped between bounds, and shifted."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.tables.expressions import Expression


@dataclass(frozen=True)
class Factor:
    """A column of numbers, clipped between bounds and shifted.

    Parameters
    ----------
    text
        The column in words: what tells two factors apart.
    low, high
        The bounds: what lies beyond counts as the nearest.
    shift
        What is subtracted after clipping.
    complete
        Whether a missing value counts as the middle of the bounds; else its row adds nothing.
    whole
        Whether the values are whole numbers.
    is_open
        Whether other bounds than these will be found privately.
    of
        The column.
    """

    text: str
    low: Fraction
    high: Fraction
    of: Expression = field(compare=False, repr=False)
    shift: Fraction = Fraction(0)
    complete: bool = False
    whole: bool = False
    is_open: bool = False

    @property
    def middle(self) -> Fraction:
        """The middle of the bounds, a whole number where the values are whole."""
        middle = (self.low + self.high) / 2
        return Fraction(middle.__floor__()) if self.whole else middle

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest value after the shift."""
        return self.low - self.shift, self.high - self.shift


def product_ends(factors: tuple[Factor, ...]) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest product of one factor or two; a square is not below 0."""
    first = factors[0].ends
    if len(factors) == 1:
        return first
    products = [left * right for left in first for right in factors[1].ends]
    least = Fraction(0) if factors[0] == factors[1] else min(products)
    return least, max(products)
