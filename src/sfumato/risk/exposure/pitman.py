"""Uniques of a population by the Ewens-Pitman distribution of partitions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import bracket_root
from sfumato.numeric.gamma import reciprocal_sum

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.risk.exposure.cells import Sizes

__all__ = ["Pitman", "fit_pitman"]

_HIGHEST_ALPHA = 1 - 1e-9
_DIRECT = 100_000
_FLAT = 1e-3
_ROUNDING = 1e-16
_LARGE = 0.01
_TOLERANCE = 1e-14


@dataclass(frozen=True)
class Pitman:
    """The Ewens-Pitman distribution that makes the observed classes likeliest.

    Attributes
    ----------
    theta, alpha
        Its parameters: alpha 0 is Ewens' distribution, alpha near 1 says that most people are
        unique.
    """

    theta: float
    alpha: float

    def uniques(self, population: int) -> float:
        """Return how many people of a population are expected to be unique.

        Hoshino's formula is the limit for a large population.  Where theta is no small part of it,
        the limit exceeds the population itself, and the expectation for its size is taken.
        """
        if self.theta > _LARGE * population:
            return self._uniques_of(population)
        if self.alpha == 0:
            return self.theta
        constant = math.lgamma(self.theta + 1) - math.lgamma(self.theta + self.alpha)
        return math.exp(self.alpha * math.log(population) + constant)

    def _uniques_of(self, population: int) -> float:
        """Return the expectation: N times the probability to be alone in a class."""
        theta, alpha = self.theta, self.alpha
        chance = math.lgamma(theta + alpha + population - 1) - math.lgamma(theta + population)
        chance += math.lgamma(theta + 1) - math.lgamma(theta + alpha)
        return population * math.exp(min(0.0, chance))


def fit_pitman(sizes: Sizes) -> Pitman | None:
    """Return the likeliest distribution for classes of given sizes :cite:p:`hoshino2001`.

    Theta is solved for at each alpha, and alpha outside, each by a root of the derivative of the
    log-likelihood.  None where there is no likeliest distribution: everybody is unique, or all are
    in one class.
    """
    likelihood = _Likelihood(sizes)
    if not 1 < likelihood.classes < likelihood.rows:
        return None

    def profile(alpha: float) -> float:
        return likelihood.by_alpha(likelihood.best_theta(alpha), alpha)

    if profile(0.0) <= 0:
        return Pitman(likelihood.best_theta(0.0), 0.0)
    if profile(_HIGHEST_ALPHA) >= 0:
        return None
    alpha = _root(profile, 0.0, _HIGHEST_ALPHA)
    return Pitman(likelihood.best_theta(alpha), alpha)


class _Likelihood:
    """The derivatives of the log-likelihood of a partition."""

    def __init__(self, sizes: Sizes) -> None:
        self.others = np.array(list(sizes)) - 1
        self.counts = np.array(list(sizes.values()), dtype=np.float64)
        self.classes = sum(sizes.values())
        self.rows = sum(size * count for size, count in sizes.items())

    def by_theta(self, theta: float, alpha: float) -> float:
        return _inverses(theta, alpha, self.classes - 1) - _inverses(theta, 1.0, self.rows - 1)

    def by_alpha(self, theta: float, alpha: float) -> float:
        weighed = _weighed_inverses(theta, alpha, self.classes - 1)
        within = reciprocal_sum(1 - alpha, self.others)
        return weighed - float(self.counts @ within)

    def best_theta(self, alpha: float) -> float:
        """Return the likeliest theta: the derivative falls from infinity at -alpha to below 0."""
        high = 1.0
        while self.by_theta(high, alpha) > 0:
            high *= 4
        gap = high + alpha
        while self.by_theta(gap - alpha, alpha) <= 0:
            gap /= 4
        return _root(lambda theta: self.by_theta(theta, alpha), gap - alpha, high)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return bracket_root(function, low, high, tolerance=_TOLERANCE).low


def _inverses(start: float, step: float, count: int) -> float:
    """Return the sum of 1 / (start + i step) over i = 1 ... count."""
    if step * count <= _ROUNDING * start:
        return count / start
    return float(reciprocal_sum(start / step + 1, count)) / step


def _weighed_inverses(start: float, step: float, count: int) -> float:
    """Return the sum of i / (start + i step) over i = 1 ... count."""
    if count <= _DIRECT or step * count < _FLAT * start:
        number = np.arange(1, count + 1)
        return float(np.sum(number / (start + step * number)))
    return (count - start * _inverses(start, step, count)) / step
