"""Bounds on a mean of independent reports that take a few values, by Chernoff's method."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["Laws", "mean_above", "mean_below"]

#: The exponents that are tried: how many, and how far about the one that is best for many people.
_EXPONENTS, _AROUND = 400, 50.0
_MOST = 500.0
_ROWS = 4096
_ROUNDING = 2.0**-46


@dataclass(frozen=True, eq=False)
class Laws:
    """The laws that a report may have, of values that tell who has something and who has not.

    Parameters
    ----------
    values
        What a report may say.
    zeros, ones
        The laws of a report of mean 0, and those of a report of mean 1: a row for each law.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.survey.collector.chernoff import Laws
    >>> coin = Laws(np.array([-1.0, 2.0]), np.array([[2 / 3, 1 / 3]]), np.array([[1 / 3, 2 / 3]]))
    >>> coin.mirrored().values
    array([ 2., -1.])
    """

    values: Floats
    zeros: Floats
    ones: Floats

    def mirrored(self) -> Laws:
        """Return the laws of 1 less what a report says.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.survey.collector.chernoff import Laws
        >>> coin = Laws(np.array([-1.0, 2.0]), np.array([[0.7, 0.3]]), np.array([[0.3, 0.7]]))
        >>> coin.mirrored().zeros
        array([[0.3, 0.7]])
        """
        return Laws(1 - self.values, self.ones, self.zeros)

    @property
    def spread(self) -> float:
        """A variance that no mixture of these laws exceeds.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.survey.collector.chernoff import Laws
        >>> sure = Laws(np.array([0.0, 1.0]), np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]))
        >>> sure.spread
        0.25
        """
        squares = self.zeros @ self.values**2, self.ones @ (self.values - 1) ** 2
        return float(max(each.max() for each in squares)) + 0.25

    def exponents(self, people: int, alpha: float) -> Floats:
        """Return exponents among which there is one that is nearly the best.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.survey.collector.chernoff import Laws
        >>> sure = Laws(np.array([0.0, 1.0]), np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]))
        >>> sure.exponents(100, 0.025).size
        400
        """
        middle = sqrt(2 * log(1 / alpha) / (people * self.spread))
        grid = middle * np.geomspace(1 / _AROUND, _AROUND, _EXPONENTS)
        fitting: Floats = np.minimum(grid, _MOST / np.abs(self.values).max())
        return fitting


def mean_below(means: Floats, people: int, alpha: float, laws: Laws) -> Floats:
    """Return lower bounds on the share of people whose reports have mean 1.

    A person's report has one of the laws of mean 1 or of mean 0, or a mixture.  With a share θ of
    the one kind, independent reports have E exp(λ Σ) ≤ ((1 - θ) M0 + θ M1)^n, M0 and M1 being the
    greatest of E exp(λ value) of either kind: by Jensen's inequality where people are as they
    are, and at once where they are drawn at random.  So a mean of x or more has at most the chance
    exp(-nλx) ((1 - θ) M0 + θ M1)^n for each λ, and θ is excluded where that is at most alpha.

    Every λ excludes soundly, so that a grid of them costs width and never truth.

    Parameters
    ----------
    means
        The means of what the reports say, of several such questions.
    people
        How many reports there are.
    alpha
        The chance that one bound may be wrong.
    laws
        The laws of one report.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.survey.collector.chernoff import Laws, mean_below
    >>> coin = Laws(np.array([-1.0, 2.0]), np.array([[2 / 3, 1 / 3]]), np.array([[1 / 3, 2 / 3]]))
    >>> mean_below(np.array([0.5]), 1000, 0.025, coin).round(3)
    array([0.371])
    """
    grid = laws.exponents(people, alpha)
    grown = np.expm1(np.outer(laws.values, grid))
    zeros, ones = (laws.zeros @ grown).max(axis=0), (laws.ones @ grown).max(axis=0)
    sizes = np.abs(grown).max(axis=0)
    tried = ones - zeros > 2 * _ROUNDING * sizes
    lines = (grid[tried], zeros[tried], ones[tried], sizes[tried])
    rate = log(1 / alpha) / people
    means = np.asarray(means, dtype=np.float64)
    parts = [_highest(part, rate, *lines) for part in _pieces(means)]
    return np.concatenate(parts)


def mean_above(means: Floats, people: int, alpha: float, laws: Laws) -> Floats:
    """Return upper bounds on the share of people whose reports have mean 1.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.survey.collector.chernoff import Laws, mean_above
    >>> coin = Laws(np.array([-1.0, 2.0]), np.array([[2 / 3, 1 / 3]]), np.array([[1 / 3, 2 / 3]]))
    >>> mean_above(np.array([0.5]), 1000, 0.025, coin).round(3)
    array([0.629])
    """
    return 1 - mean_below(1 - np.asarray(means), people, alpha, laws.mirrored())


def _pieces(means: Floats) -> list[Floats]:
    return np.array_split(means, max(-(-means.size // _ROWS), 1))


def _highest(
    means: Floats, rate: float, grid: Floats, zeros: Floats, ones: Floats, sizes: Floats
) -> Floats:
    """Return the greatest share that any exponent excludes, less what may be rounding."""
    power = means[:, None] * grid - rate
    grown = np.expm1(power)
    slack = _ROUNDING * (sizes + np.abs(power) * (1 + np.abs(grown)) + np.abs(grown))
    shares = (grown - zeros - slack) / (ones - zeros)
    found: Floats = shares.max(axis=1, initial=-np.inf)
    return found
