"""Whole-number noise whose weights go down in stairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.mechanisms.distributions.integers import WholeNoise
from sfumato.numeric import as_ball
from sfumato.sampling import LazyUniform, geometric, uniform_below

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from flint import arb

    from sfumato.sampling import BitSource

__all__ = ["StaircaseNoise"]

_WORD = 64


@dataclass(frozen=True)
class StaircaseNoise(WholeNoise):
    """P(k) ∝ exp(-ε j), where j is 0 for abs(k) < tread, and one more for every further width.

    Attributes
    ----------
    epsilon
        What each stair goes down by.
    width
        The width of a stair: the sensitivity in grid steps.
    tread
        How many magnitudes, 0 among them, lie on the top: from 1 to the width.
    """

    epsilon: Fraction
    width: int
    tread: int

    def mass(self, at: int) -> arb:
        """Return the share of a magnitude with one sign."""
        return self._weight(self._stair(at)) / self._total()

    def tail(self, start: int) -> arb:
        """Return the share of a magnitude and those beyond it, with one sign."""
        return self._from(start) / self._total()

    def level(self, at: int) -> Fraction:
        """Return -ε for every stair down to a magnitude."""
        return -self.epsilon * self._stair(at)

    @property
    def period(self) -> int:
        """The width of a stair."""
        return self.width

    def turns(self, low: int, high: int) -> Iterator[int]:
        """Yield where stairs begin, above a number and up to another, on either side of 0."""
        yield from (1 - edge for edge in reversed(self._edges(-high, -low)))
        yield from self._edges(low, high)

    def _edges(self, low: int, high: int) -> range:
        """Return the magnitudes at which a stair goes down, above a number and up to another."""
        passed = max(0, -(-(low + 1 - self.tread) // self.width))
        return range(self.tread + passed * self.width, high + 1, self.width)

    def draw(self, source: BitSource) -> int:
        """Return one draw: how many widths out, before or behind the stair, where, and the sign."""
        while True:
            widths = int(geometric(1 / self.epsilon, 1, source=source)[0])
            uniform = LazyUniform(source, prefix=source.integer(_WORD), bits=_WORD)
            high = uniform.below(self._share_before_the_stair)
            first, places = (0, self.tread) if high else (self.tread, self.width - self.tread)
            place = first + int(uniform_below(places, 1, source=source)[0])
            magnitude, negative = widths * self.width + place, source.integer(1)
            if magnitude or not negative:
                return -magnitude if negative else magnitude

    def _share_before_the_stair(self) -> arb:
        """Return how much of one width lies before the place where the weight goes down."""
        behind = (self.width - self.tread) * self._weight(1)
        return self.tread / (self.tread + behind)

    def _stair(self, magnitude: int) -> int:
        return (magnitude + self.width - self.tread) // self.width

    def _weight(self, stair: int) -> arb:
        return as_ball(-self.epsilon * stair).exp()

    def _from(self, magnitude: int) -> arb:
        """Return the weights from a magnitude on: the rest of its stair, and the stairs beyond."""
        stair = self._stair(magnitude)
        rest = self.tread + stair * self.width - magnitude
        beyond = self.width * self._weight(1) / -as_ball(-self.epsilon).expm1()
        return self._weight(stair) * (rest + beyond)

    def _total(self) -> arb:
        return 2 * self._from(0) - 1
