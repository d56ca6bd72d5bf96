"""A point of a grid, drawn with odds that stay the same over stretches of points."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from flint import arb, fmpz

from sfumato.mechanisms.distributions.integers import read_outcome
from sfumato.mechanisms.distributions.output import OutputDistribution
from sfumato.numeric import Exponentials, as_ball, working_precision
from sfumato.sampling import uniform_below

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanisms.estimators.public_grid import PublicGrid
    from sfumato.sampling import BitSource

__all__ = ["GridChoice"]

_FIRST_BITS = 128
_MORE_BITS = 64


@dataclass(frozen=True)
class GridChoice(OutputDistribution[float]):
    """Each point of a grid with odds of e to a level, exactly, by stretches of equal levels.

    Parameters
    ----------
    grid
        The points.
    ends
        The last step of each stretch, in order; the last of them is the end of the grid.
    levels
        The logarithm of the odds of each point of a stretch.
    """

    grid: PublicGrid
    ends: tuple[int, ...]
    levels: tuple[Fraction, ...]

    def ball(self, outcome: float) -> arb:
        """Return a ball around the probability of a point; 0 off the grid."""
        step = read_outcome(outcome) / self.grid.step
        if step.denominator > 1 or not self.grid.low <= step <= self.grid.high:
            return arb(0)
        return self._odds(self._stretch_of(int(step))) / self._up_to(self.grid.high)

    def cumulative(self, outcome: float) -> arb:
        """Return a ball around the probability of a point not above a number."""
        step = math.floor(read_outcome(outcome) / self.grid.step)
        return self._up_to(min(step, self.grid.high)) / self._up_to(self.grid.high)

    @property
    def step(self) -> Fraction:
        """The distance of neighbouring points."""
        return self.grid.step

    @property
    def stretches(self) -> list[tuple[int, int, Exponentials]]:
        """The first and the last step of each stretch, and the odds of each point, exactly."""
        firsts = [self.grid.low, *(end + 1 for end in self.ends[:-1])]
        odds = map(Exponentials.exp, self.levels)
        return list(zip(firsts, self.ends, odds, strict=True))

    def draw(self, source: BitSource) -> int:
        """Return one draw, in steps of the grid: first a stretch, and then one of its points."""
        prefix, bits = source.integer(_FIRST_BITS), _FIRST_BITS
        while (stretch := self._settled(prefix, bits)) is None:
            prefix = (prefix << _MORE_BITS) | source.integer(_MORE_BITS)
            bits += _MORE_BITS
        inside = uniform_below(self._size(stretch), 1, source=source)
        return self.ends[stretch] - int(inside[0])

    def _settled(self, prefix: int, bits: int) -> int | None:
        """Return the stretch on which a uniform number falls, if its known bits tell."""
        with working_precision(bits + _FIRST_BITS):
            weights = (self._size(i) * self._odds(i) for i in range(len(self.ends)))
            sums = list(accumulate(weights))
            unit = sums[-1] / arb(2) ** bits
            low, high = unit * arb(fmpz(prefix)), unit * arb(fmpz(prefix + 1))
            passed = sum(each <= low for each in sums[:-1])
            coming = sum(each >= high for each in sums[:-1])
        return passed if passed + coming == len(sums) - 1 else None

    def _up_to(self, step: int) -> arb:
        """Return the odds of all points up to one of them together."""
        stretches = range(self._stretch_of(step) + 1) if step >= self.grid.low else range(0)
        beyond = [max(self.ends[i] - step, 0) for i in stretches]
        return sum(
            (self._odds(i) * (self._size(i) - extra) for i, extra in enumerate(beyond)), arb(0)
        )

    def _stretch_of(self, step: int) -> int:
        return bisect_left(self.ends, step)

    def _size(self, stretch: int) -> int:
        before = self.ends[stretch - 1] if stretch else self.grid.low - 1
        return self.ends[stretch] - before

    def _odds(self, stretch: int) -> arb:
        return as_ball(self.levels[stretch]).exp()
