"""Quantiles of beta distributions, by Newton's steps on the area under a density.

Let u be the log-odds of a point, less those of the mean p = a/(a + b).  On that scale the density
of a beta distribution is C·exp(g(u)) with

    g(u) = a·u - (a + b)·ln(1 + p·(e^u - 1)),

which is concave and greatest, 0, at u = 0; nothing cancels in it where a is the smaller parameter,
nor in its mirror image where b is.  The area below a point is taken by Gauss and Legendre's
rule over the stretch that counts, and the logarithm of the area is concave: Newton's steps
come to the quantile from below.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


#: From here on the series are right to the last digits.
_FAR = 16
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
_DIGAMMA = (-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132, 691 / 32760)


def stirling_error(numbers: ArrayLike) -> Floats:
    """Return ln Γ(z) less (z - 1/2) ln z - z + ln(2π)/2, for numbers z of at least 1."""
    given = np.asarray(numbers, dtype=np.float64)
    added, at = np.zeros_like(given), given
    for _ in range(_FAR if given.size and given.min() < _FAR else 0):
        step = (at + 0.5) * np.log1p(1 / at) - 1
        added, at = added + np.where(at < _FAR, step, 0.0), np.where(at < _FAR, at + 1, at)
    return _polynomial(_STIRLING, 1 / at**2) / at + added


def reciprocal_sum(start: float, counts: ArrayLike) -> Floats:
    """Return sums of 1/start, 1/(start + 1), 1/(start + 2) and so on, of so many each.

    That is the digamma function, ψ(start + count) - ψ(start), without what cancels in it.
    """
    given = np.asarray(counts)
    first = np.cumsum(np.append(0.0, 1 / (start + np.arange(_FAR))))
    low, more = start + _FAR, np.maximum(given - _FAR, 0)
    rest = np.log1p(more / low) + _behind_log(low + more) - _behind_log(low)
    return np.asarray(first[np.minimum(given, _FAR)] + rest)


def _behind_log(at: ArrayLike) -> Floats:
    """Return ψ(z) - ln z."""
    inverse = 1 / np.asarray(at, dtype=np.float64)
    return _polynomial(_DIGAMMA, inverse**2) * inverse**2 - inverse / 2


def _polynomial(coefficients: tuple[float, ...], at: Floats) -> Floats:
    found = np.zeros_like(at)
    for each in reversed(coefficients):
        found = found * at + each
    return found


#: What a mass may be off by, as a share of it.  Seen are 1e-10 where parameters are at most 10^9,
#: and 2e-7 where they are 10^15.
_DOUBT = 5e-7
#: A share of e^-32 of a mass does not count.
_DEEP = 32.0
_NODES, _BLOCK, _CLOSE = 32, 512, 0.05
#: A step from so near, in the logarithm of the mass, leaves nothing that floats could tell.
_NEAR, _MOST_STEPS = 1e-5, 50


def beta_below(first: ArrayLike, second: ArrayLike, level: float) -> Floats:
    """Return points below which beta distributions have a mass of at most ``level``.

    It is less than that by 1e-6 of it at most, where floats are close enough to each other.

    Parameters
    ----------
    first, second
        The parameters of the distributions, at least 1.
    level
        The mass, above 0 and below 1.
    """
    points, rest = _solved(first, second, level * (1 - _DOUBT))
    return np.where(points <= rest, points, _complement(rest, away=0.0))


def beta_above(first: ArrayLike, second: ArrayLike, level: float) -> Floats:
    """Return points above which beta distributions have a mass of at most ``level``.

    Where floats near 1 are too far apart for that, it is the next float above.
    """
    rest, points = _solved(second, first, level * (1 - _DOUBT))
    return np.where(points <= rest, points, _complement(rest, away=1.0))


def beta_quantile(first: ArrayLike, second: ArrayLike, level: float) -> Floats:
    """Return about the points below which beta distributions have mass ``level``, both sides."""
    return _solved(first, second, level)[0]


def _complement(rest: Floats, away: float) -> Floats:
    """Return 1 less numbers below 1/2, rounded towards 0 or 1."""
    found = 1.0 - rest
    missed = (1.0 - found) - rest  # both differences are exact
    wrong = missed < 0 if away == 0.0 else missed > 0
    return np.where(wrong, np.nextafter(found, away), found)


def _solved(first: ArrayLike, second: ArrayLike, level: float) -> tuple[Floats, Floats]:
    """Return the quantiles, and 1 less them, both to their last digits or nearly so."""
    one, other = np.broadcast_arrays(
        np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    )
    flat, turned = one.ravel(), other.ravel()
    odds: Floats = np.empty(flat.shape)
    for start in range(0, len(flat), _BLOCK):
        few = slice(start, start + _BLOCK)
        odds[few] = _LogOdds(flat[few], turned[few]).quantile(math.log(level))
    odds = odds.reshape(one.shape)
    with np.errstate(over="ignore"):  # the quantile is below the floats then
        return 1 / (1 + other / one * np.exp(-odds)), 1 / (1 + one / other * np.exp(odds))


class _LogOdds:
    """Beta distributions on the scale of log-odds, each with its mean at 0."""

    def __init__(self, first: Floats, second: Floats) -> None:
        total = first + second
        self._first, self._total = first, total
        self._less = np.minimum(first, second)
        self._share = self._less / total
        self._turn = np.where(first <= second, 1.0, -1.0)
        self._curved = first * (second / total)
        self._greatest = (
            0.5 * np.log(self._curved / (2 * math.pi))
            + stirling_error(total)
            - stirling_error(first)
            - stirling_error(second)
        )

    def quantile(self, wanted: float) -> Floats:
        """Return where the logarithm of the mass below is as wanted.

        The mass below a point is at most e^g there: so the search begins below the quantile, and
        what is below the stretch is e^-32 of the mass, or less.
        """
        found, start = self._depth(-wanted), self._depth(_DEEP - wanted)
        near = _NEAR * min(1.0, -wanted)
        for _ in range(_MOST_STEPS):
            mass = self._mass(start, found)
            gap, rise = mass - wanted, np.exp(self._greatest + self._density(found) - mass)
            bend = np.where(gap < -1, 0.0, gap * (1 - self._slope(found) / rise) / 2)
            found = found - gap / rise / (1 + bend)
            if not (np.abs(gap) > near).any():
                break
        return found

    def _depth(self, depth: float) -> Floats:
        """Return about where g is -depth, and no less than that: by steps from below."""
        found = -np.sqrt(2 * depth / self._curved)
        for _ in range(_MOST_STEPS):
            step = (self._density(found) + depth) / self._slope(found)
            found = found - step
            if not (np.abs(step) > _CLOSE * np.abs(found)).any():
                break
        return np.asarray(found)

    def _mass(self, start: Floats, at: Floats) -> Floats:
        """Return the logarithm of the mass below."""
        top = np.minimum(at, 0.0)
        density = self._density(top)
        area = self._area(start, top, density)
        if (at > top).any():
            area = area + self._area(top, at, density)
        return self._greatest + density + np.log(area)

    def _area(self, start: Floats, end: Floats, density: Floats) -> Floats:
        """Return the area over stretches, as a share of a density."""
        nodes, weights = _rule()
        width = end - start
        heights = np.exp(self._density(start + nodes[:, np.newaxis] * width) - density)
        return np.asarray(width * (weights @ heights))

    def _density(self, at: Floats) -> Floats:
        """Return the logarithm of the density, less that at 0."""
        turned = self._turn * at
        bent = np.log1p(self._share * np.expm1(turned))
        return np.asarray(self._less * turned - self._total * bent)

    def _slope(self, at: Floats) -> Floats:
        risen = np.expm1(self._turn * at)
        return np.asarray(-self._turn * self._curved * risen / (1 + self._share * risen))


@lru_cache(maxsize=1)
def _rule() -> tuple[Floats, Floats]:
    """Return the nodes and weights of the rule over a stretch of length 1."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2
