"""Bounds on the share of people with two properties, by Chernoff's method."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["Kinds", "Margins", "share_above", "share_below"]

#: The exponents that are tried: how many, and how far about the one that is best for many people.
_EXPONENTS, _AROUND = 400, 50.0
_MOST = 500.0
_ROWS = 4096
_ROUNDING = 2.0**-46


@dataclass(frozen=True, eq=False)
class Kinds:
    """What a report says of people with two properties, with one of them, and with none.

    Parameters
    ----------
    values
        What a report may say.
    distributions
        How likely each of that is, a row for each kind of person: with neither property, with the
        second alone, with the first alone, and with both.  What is said has mean 1 for people
        with both, and 0 for all others.
    """

    values: Floats
    distributions: Floats

    @property
    def spread(self) -> float:
        """A variance that no mixture of the kinds exceeds."""
        means = np.array([0.0, 0.0, 0.0, 1.0])
        return float((self.distributions @ self.values**2 - means**2).max()) + 0.25

    def exponents(self, people: int, alpha: float) -> Floats:
        """Return exponents among which there is one that is nearly the best."""
        middle = sqrt(2 * log(1 / alpha) / (people * self.spread))
        grid = middle * np.geomspace(1 / _AROUND, _AROUND, _EXPONENTS)
        fitting: Floats = np.minimum(grid, _MOST / np.abs(self.values).max())
        return fitting


@dataclass(frozen=True, eq=False)
class Margins:
    """How many people have either property at most, for several such pairs of properties.

    Parameters
    ----------
    first, second
        A bound on the share of people who have the one, and who have the other.
    """

    first: Floats
    second: Floats


def share_below(means: Floats, people: int, alpha: float, kinds: Kinds, most: Margins) -> Floats:
    """Return lower bounds on the share of people with both properties.

    Let a share θ have both, p the first and q the second.  Independent reports have E exp(λ Σ) ≤
    (θ M11 + (p - θ) M10 + (q - θ) M01 + (1 - p - q + θ) M00)^n, each M being E exp(λ value) of one
    kind of people: by Jensen's inequality where people are as they are, and at once where they
    are drawn at random.  With bounds in place of p and q, where M10 and M01 are more than M00, that
    is at most a line in θ to the power n.  A mean of x or more has at most exp(-nλx) times that as
    its probability, and θ is excluded where this is at most alpha.

    Every λ excludes soundly, so that a grid of them costs width and never truth.

    Parameters
    ----------
    means
        The means of what the reports say, of several such pairs of properties.
    people
        How many reports there are.
    alpha
        The probability that one bound may be wrong, where the margins are right.
    kinds
        The distributions of one report.
    most
        The margins.
    """
    return np.concatenate(
        [part.max(axis=1, initial=0.0) for part in _ends(means, people, alpha, kinds, most, 1)]
    )


def share_above(means: Floats, people: int, alpha: float, kinds: Kinds, most: Margins) -> Floats:
    """Return upper bounds on the share of people with both properties."""
    return np.concatenate(
        [part.min(axis=1, initial=1.0) for part in _ends(means, people, alpha, kinds, most, -1)]
    )


def _ends(
    means: Floats, people: int, alpha: float, kinds: Kinds, most: Margins, sign: int
) -> Iterator[Floats]:
    """Yield for some of the means at a time what each exponent excludes up to, or from."""
    grid = sign * kinds.exponents(people, alpha)
    lines = _Lines.of(kinds, grid)
    rate = log(1 / alpha) / people
    for start in range(0, means.size, _ROWS):
        block = slice(start, start + _ROWS)
        part = Margins(most.first[block], most.second[block])
        yield lines.crossed(means[block, None] * grid - rate, part, sign)


@dataclass(frozen=True, eq=False)
class _Lines:
    """For each exponent the line in θ: what E exp(λ value) is above 1."""

    none: Floats
    first: Floats
    second: Floats
    rise: Floats
    sizes: Floats

    @classmethod
    def of(cls, kinds: Kinds, grid: Floats) -> _Lines:
        grown = np.expm1(np.outer(kinds.values, grid))
        none, second, first, both = kinds.distributions @ grown
        first, second = (np.maximum(each - none, 0.0) for each in (first, second))
        return cls(none, first, second, both - none - first - second, np.abs(grown).max(axis=0))

    def crossed(self, power: Floats, most: Margins, sign: int) -> Floats:
        """Return where the lines cross exp(power), less what may be rounding."""
        grown = np.expm1(power)
        start = self.none + np.outer(most.first, self.first) + np.outer(most.second, self.second)
        slack = _ROUNDING * (4 * self.sizes + np.abs(power) * (1 + np.abs(grown)) + np.abs(grown))
        useful = sign * self.rise > 4 * _ROUNDING * self.sizes
        rise = np.where(useful, self.rise, sign)
        found: Floats = np.where(useful, (grown - start - slack) / rise, -sign * np.inf)
        return found
