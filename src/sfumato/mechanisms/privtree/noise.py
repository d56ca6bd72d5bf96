"""The least noise by which a tree keeps its guarantee."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise
from sfumato.numeric import as_ball, bracket_threshold, shown, working_precision
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from flint import arb
    from numpy.typing import NDArray


#: The float nearest to ln 2, exactly: steps are whole numbers near a multiple of it.
LN2 = Fraction(math.log(2))
#: Beyond so many levels the rest of the sum is bounded by a geometric series.
_MOST_TERMS = 128
_BITS = 128
_GREATEST_SCALE = Fraction(10**18)
#: Between 1/ε, which no scale can be below, and 4/ε, which is always enough.
_RATIOS = np.linspace(0.999, 4.0, 769)
#: How many levels count in floats, and how many binary digits of the scale.
_TERMS, _DIGITS = 64, 20
_MOST_KEPT = 256


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


class TreeCost:
    """What a tree costs, by its noise.

    Parameters
    ----------
    additions, removals
        By how much one change of the table may raise weights, and lower other weights at once.
    depth
        How many levels are split at most.
    """

    def __init__(self, additions: int, removals: int, depth: int) -> None:
        self._additions, self._removals, self._depth = additions, removals, depth

    def ball(self, noise: SplitNoise) -> arb:
        """Return a ball around the cost, at the precision in force."""
        return self._additions * noise.addition(self._depth) + self._removals * noise.removal()

    def about(self, scales: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the cost at many scales, in floats and nearly."""
        step = np.maximum(1, np.rint(scales * float(LN2)))
        clamp = np.floor(scales * float(LN2) / 2)
        lead = np.arange(1, min(self._depth, _TERMS))[:, np.newaxis] * step - clamp
        odds, rate = np.exp(-lead / scales), 1 / scales
        growth = np.log1p(-np.expm1(-rate) * odds / (1 + np.exp(-rate) - odds))
        added = rate + growth.sum(axis=0)
        return np.asarray(self._additions * added + self._removals * rate)


@lru_cache(maxsize=_MOST_KEPT)
def calibrated(epsilon: Fraction, additions: int, removals: int, depth: int) -> SplitNoise:
    """Return noise that is proved to cost at most ε, of nearly the least scale.

    The cost is not monotone in the scale, since steps are whole: the first of many scales that
    seems to be enough is refined, and what is returned has been proved.
    """
    cost, most = TreeCost(additions, removals, depth), float(epsilon)
    scales = max(additions, removals) / most * _RATIOS
    enough = np.flatnonzero(cost.about(scales) <= most)
    low, high = scales[enough[0] - 1], scales[enough[0]]
    least = bracket_threshold(
        lambda scale: bool(cost.about(np.array([scale]))[0] <= most),
        float(low),
        float(high),
        tolerance=float(high) * 2.0**-_DIGITS,
    ).high
    noises = (SplitNoise(_short(scale)) for scale in [least, *scales[enough].tolist()])
    return next(noise for noise in noises if _is_proved(cost, noise, epsilon))


def _is_proved(cost: TreeCost, noise: SplitNoise, epsilon: Fraction) -> bool:
    if noise.scale > _GREATEST_SCALE:
        raise InputError(
            "E-EPSILON-TOO-SMALL",
            "{argument} is {epsilon}, too small at this sensitivity for noise that can be drawn",
            "write 1, say",
            epsilon=shown(epsilon),
            argument=Argument("epsilon"),
        )
    with working_precision(_BITS):
        return bool(cost.ball(noise) <= as_ball(epsilon))


def _short(scale: float) -> Fraction:
    """Return a number of few binary digits, a little above a float."""
    number = Fraction(scale)
    exponent = number.numerator.bit_length() - number.denominator.bit_length() - _DIGITS
    unit = Fraction(2) ** exponent
    return (number // unit + 2) * unit
