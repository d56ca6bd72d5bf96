"""Uniques of a population whose class sizes less one are negative binomial."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import bracket_root

if TYPE_CHECKING:
    from sfumato.risk.exposure.cells import Sizes

__all__ = ["classes_of_population", "slid_uniques"]

_LOGITS = np.linspace(-30.0, 30.0, 241).tolist()
_TOLERANCE = 1e-14


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
