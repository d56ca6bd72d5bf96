"""Uniques of a population by the Ewens-Pitman distribution of partitions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import bracket_root, reciprocal_sum

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.risk.exposure.classes import Sizes


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


_LOGITS = np.linspace(-30.0, 30.0, 241).tolist()


def slid_uniques(sizes: Sizes, population: int) -> float | None:
    """Return how many people of a population are unique, by the slid negative binomial.

    The number of classes of the population is Shlosser's estimate, and the two parameters are
    those by which the expected uniques and pairs of the sample are the ones observed
    :cite:p:`chen1998`.  None where no parameters do that.
    """
    rows = sum(size * count for size, count in sizes.items())
    if not (sizes.get(1) and sizes.get(2)) or rows >= population:
        return None
    distribution = _Slid(
        classes=classes_of_population(sizes, population),
        fraction=rows / population,
        uniques=sizes[1],
        pairs=sizes[2],
    )
    logit = distribution.solve()
    return None if logit is None else distribution.population_uniques(logit)


def classes_of_population(sizes: Sizes, population: int) -> float:
    """Return Shlosser's modified estimate of how many classes a population has.

    Haas and Stokes :cite:p:`haas1998` give it for a share q of the rows.
    """
    size = np.array(list(sizes), dtype=np.float64)
    count = np.array(list(sizes.values()), dtype=np.float64)
    share = float(size @ count) / population
    missed = (1 - share) ** size
    first = count @ (size * share**2 * (1 - share**2) ** (size - 1))
    second = count @ (missed * np.expm1(size * np.log1p(share)))
    third = (count @ missed) / (count @ (size * share * (1 - share) ** (size - 1)))
    return float(count.sum() + sizes.get(1, 0) * first / second * third**2)


@dataclass(frozen=True)
class _Slid:
    """Classes of 1 + NB(alpha, beta) people, each of whom is in the sample by a given probability.

    The generating function of a class in the population is s (b / (1 - (1 - b) s))^a; at
    1 - f + f s it is that of what the sample shows.  With d = (1 - f)(1 - b), its first two
    derivatives at s = 0 are the expected shares of uniques and, halved, of pairs.
    """

    classes: float
    fraction: float
    uniques: int
    pairs: int

    def solve(self) -> float | None:
        """Return the logit of beta at which both are as observed, where there is one."""
        gaps = [self.gap(logit) for logit in _LOGITS]
        for low, high, before, after in zip(_LOGITS, _LOGITS[1:], gaps, gaps[1:], strict=False):
            if before * after <= 0:
                return bracket_root(self.gap, low, high, tolerance=_TOLERANCE).low
        return None

    def gap(self, logit: float) -> float:
        """Return how far the expected uniques are from those observed, as a logarithm."""
        beta, alpha = _share(logit), self.alpha(logit)
        seen = 1 - (1 - self.fraction) * (1 - beta)
        rest = (1 - self.fraction) * (1 - beta) / seen
        expected = (
            math.log(self.classes * self.fraction)
            + alpha * math.log(beta / seen)
            + math.log1p(alpha * rest)
        )
        return expected - math.log(self.uniques)

    def alpha(self, logit: float) -> float:
        """Return the alpha by which uniques and pairs have their ratio: a quadratic's one root."""
        unlike, share = _share(-logit), self.fraction
        d = (1 - share) * unlike
        ratio = self.pairs / self.uniques
        square = unlike * share * d
        linear = unlike * share * (2 - d) - 2 * ratio * (1 - d) * d
        constant = 2 * ratio * (1 - d) ** 2
        root = math.sqrt(linear**2 + 4 * square * constant)
        if linear > 0:
            return 2 * constant / (linear + root)
        return (root - linear) / (2 * square)

    def population_uniques(self, logit: float) -> float:
        return self.classes * math.pow(_share(logit), self.alpha(logit))


def _share(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
