"""Symmetric whole-number noise: what is known of it from its odds and its tails."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import as_ball, working_precision

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["WholeNoise"]

_BITS = 256


class WholeNoise(ABC):
    """Noise on the whole numbers, as likely to be k as -k."""

    @abstractmethod
    def mass(self, at: int) -> arb:
        """Return a ball around the probability of a magnitude with one sign."""

    @abstractmethod
    def tail(self, start: int) -> arb:
        """Return a ball around the probability of ``start``, which is 1 or more, or beyond."""

    @abstractmethod
    def level(self, at: int) -> Fraction:
        """Return the logarithm of the odds of a magnitude against 0, exactly."""

    def cumulative(self, most: int) -> arb:
        """Return a ball around the probability of a number that is at most ``most``."""
        return 1 - self.tail(most + 1) if most >= 0 else self.tail(-most)

    def between(self, first: int, last: int) -> arb:
        """Return a ball around the probability of ``first``, ``last`` or a number between."""
        if last <= first:
            return self.mass(abs(first)) if first == last else arb(0)
        if first > 0:
            return self.tail(first) - self.tail(last + 1)
        return self.cumulative(last) - self.cumulative(first - 1)

    @property
    def period(self) -> int:
        """After how many steps outwards all odds have gone down by the same factor."""
        return 1

    @property
    def bend(self) -> Fraction:
        """What the log-odds curve by, the same everywhere; they are else linear between turns."""
        return Fraction(0)

    def turns(self, low: int, high: int) -> Iterable[int]:
        """Return where stretches of linear log-odds begin, above a number and up to another."""
        return [0] if low < 0 <= high else []

    def reach(self, confidence: Fraction) -> int:
        """Return the least magnitude that noise exceeds with probability at most 1 - confidence."""
        if self._is_within(0, confidence):
            return 0
        low, high = 0, 1
        while not self._is_within(high, confidence):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._is_within(middle, confidence) else (middle, high)
        return high

    def _is_within(self, bound: int, confidence: Fraction) -> bool:
        with working_precision(_BITS):
            return bool(2 * self.tail(bound + 1) <= as_ball(1 - confidence))
