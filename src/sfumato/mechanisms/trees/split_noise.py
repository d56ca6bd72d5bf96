"""The noise by which cells are split, and what it costs at most."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise
from sfumato.numeric import as_ball

if TYPE_CHECKING:
    from flint import arb

__all__ = ["LN2", "SplitNoise"]

#: The float nearest to ln 2, exactly: steps are whole numbers near a multiple of it.
LN2 = Fraction(math.log(2))
#: Beyond so many levels the rest of the sum is bounded by a geometric series.
_MOST_TERMS = 128


@dataclass(frozen=True)
class SplitNoise:
    """Discrete Laplace noise on counts, that fall by a step a level and never below a floor.

    Parameters
    ----------
    scale
        λ of the noise; all else follows from it.
    """

    scale: Fraction

    @property
    def step(self) -> int:
        """By how much the bar rises from a level to the next: λ ln 2, rounded, and 1 at least."""
        return max(1, round(self.scale * LN2))

    @property
    def clamp(self) -> int:
        """How far below the bar all counts are alike: λ ln 2 / 2, rounded down; below the step."""
        return math.floor(self.scale * LN2 / 2)

    def split(self, lead: int) -> arb:
        """Return a ball around the probability that a cell so far above the bar is split."""
        return DiscreteLaplaceNoise(self.scale).cumulative(lead - 1)

    def unsplit(self, lead: int) -> arb:
        """Return a ball around the probability that a cell so far above the bar is not split."""
        return DiscreteLaplaceNoise(self.scale).cumulative(-lead)

    def removal(self) -> arb:
        """Return a ball around 1/λ: what taking a weight of 1 away costs at most."""
        return as_ball(1 / self.scale)

    def addition(self, depth: int) -> arb:
        """Return a ball around what adding a weight of 1 costs at most, of so many levels.

        The sum of ρ over the leads j·step - clamp for j from 0, where ρ(x), by how much the
        logarithm of ``split`` grows from x to x + 1, is 1/λ for x up to 0, and
        ln(1 + (1 - a) a^x / (1 + a - a^x)), with a = exp(-1/λ), beyond: less than (1 - a) a^x.
        """
        last = min(depth, _MOST_TERMS)
        total = sum((self._growth(j * self.step - self.clamp) for j in range(1, last)), as_ball(0))
        if depth > last:
            rest = self._odds(last * self.step - self.clamp) / -self._rate(self.step).expm1()
            total += (-self._rate(1).expm1() * rest).union(as_ball(0))
        return self.removal() + total

    def _growth(self, lead: int) -> arb:
        """Return ρ of a lead of 1 or more."""
        odds = self._odds(lead)
        return (-self._rate(1).expm1() * odds / (1 + self._odds(1) - odds)).log1p()

    def _odds(self, distance: int) -> arb:
        return self._rate(distance).exp()

    def _rate(self, distance: int) -> arb:
        return as_ball(-distance / self.scale)
