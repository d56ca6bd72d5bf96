"""Intervals, one a group: what an answer can be if each noisy sum is off by so much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Far below the steps in which rows are weighed.
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Span:
    """A lower and an upper end for each group.

    Operations are those of interval arithmetic, so that the result holds whatever values the
    ends allow, together.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def __add__(self, other: Span) -> Span:
        return Span(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Span) -> Span:
        return Span(self.low - other.high, self.high - other.low)

    def plus(self, number: float) -> Span:
        """Return the span moved by a number."""
        return Span(self.low + number, self.high + number)

    def times(self, number: float) -> Span:
        """Return the span scaled by a number."""
        ends = self.low * number, self.high * number
        return Span(np.minimum(*ends), np.maximum(*ends))

    def by(self, other: Span) -> Span:
        """Return the products."""
        ends = [left * right for left in self._ends for right in other._ends]
        return Span(np.minimum.reduce(ends), np.maximum.reduce(ends))

    def over(self, count: Span, most: float) -> Span:
        """Return the means of a sum over a count, each term of which is at most so large."""
        least = np.maximum(count.low, 1.0)
        greatest = np.maximum(count.high, 1.0)
        ends = [end / number for end in self._ends for number in (least, greatest)]
        ratio = Span(np.minimum.reduce(ends), np.maximum.reduce(ends))
        return ratio.within(-most, most)

    def squared(self) -> Span:
        """Return the squares."""
        ends = self.low**2, self.high**2
        across = (self.low <= 0) & (self.high >= 0)
        return Span(np.where(across, 0.0, np.minimum(*ends)), np.maximum(*ends))

    def root(self) -> Span:
        """Return the roots of numbers that are not below 0."""
        return Span(np.sqrt(self.low), np.sqrt(self.high))

    def whole(self) -> Span:
        """Return the whole numbers nearest to all that is in the span, but for rounding."""
        return Span(np.floor(self.low + _ROUNDING), np.ceil(self.high - _ROUNDING))

    def within(self, low: float, high: float) -> Span:
        """Return what lies between two numbers."""
        return Span(np.clip(self.low, low, high), np.clip(self.high, low, high))

    @property
    def _ends(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self.low, self.high
