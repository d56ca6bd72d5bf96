"""How likely noise is greater in size than a number: alone, added up, or in a mean."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, erfc, exp, floor, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from sfumato.audit.certificate.noise import Noise

    Numbers = NDArray[np.float64]
    #: How likely it is that noise is greater in size than a number.
    Beyond = Callable[[Fraction], float]
    #: The same for noise that is drawn in no steps.
    Smooth = Callable[[float], float]

__all__ = ["of_mean", "of_one", "of_parts"]

_PART_OF_A_STEP = Fraction(1, 100)
#: Noise of a smaller spread, in steps, is added up value by value, up to so many spreads.
_COARSE, _FARTHEST = 2, 14
#: Into how many places the sizes of such sums are sorted; a size is rounded up to the next.
_PLACES = 4096
#: Shares of the upper part in a mean; for equal noise on both parts, half of them is enough.
_SHARES = tuple(place / 64 for place in range(33))


def of_one(noise: Noise, unit: Fraction) -> Beyond:
    """Return the tail of one noise, in steps of a unit: that of whole numbers."""
    return lambda reach: noise.beyond(floor(reach / unit + _PART_OF_A_STEP))


def of_parts(noises: Sequence[Noise], units: Sequence[Fraction]) -> Beyond | None:
    """Return the tail of a sum of independent noises, each in steps of its unit.

    Noise of few steps is added up value by value.  Other noise can be drawn within a step of noise
    that is drawn in none, since its size lies between the size of that, rounded down and rounded
    up, in stochastic order: so the tail is no more than that of the other, so many steps nearer.
    None for Gaussian and Laplace noise together, and for three Laplace noises that differ.
    """
    kept = [(noise, abs(unit)) for noise, unit in zip(noises, units, strict=True) if unit]
    if len(kept) == 1:
        return of_one(*kept[0])
    if len({noise.is_gaussian for noise, _ in kept}) > 1:
        return None
    if len(kept) == 2 and all(noise.spread < _COARSE for noise, _ in kept):
        return _of_two(*kept)
    smooth = _smooth(kept)
    return None if smooth is None else _nearer(smooth, sum((unit for _, unit in kept), Fraction(0)))


def of_mean(noise: Noise, unit: Fraction) -> Beyond:
    """Return the tail of (1 - r)·X - r·Y for noise of one kind and scale, whatever share r is.

    For noise that is drawn in no steps that is more peaked than X :cite:p:`proschan1965peakedness`,
    but for noise of few steps it is not: there it is added up value by value, for many r.
    """
    if noise.spread < _COARSE:
        table = _of_shares(noise)
        return lambda reach: table(reach / unit)
    spread = float(noise.spread * unit)
    return _nearer(_of_gaussian(spread) if noise.is_gaussian else _of_laplace(spread), unit)


def _nearer(smooth: Smooth, steps: Fraction) -> Beyond:
    return lambda reach: smooth(max(float(reach - steps), 0.0))


def _smooth(parts: Sequence[tuple[Noise, Fraction]]) -> Smooth | None:
    """Return the tail of a sum of noises that are drawn in no steps.

    Gaussian noises add up to one whose variance is the sum.  The tail of two or three Laplace
    noises of one scale b is e^(-x) times 1 + x/2, or 1 + 5x/8 + x²/8, at x = t/b; that of two
    different ones a weighted difference of both tails.
    """
    spreads = sorted(float(noise.spread * unit) for noise, unit in parts)
    if parts[0][0].is_gaussian:
        return _of_gaussian(sqrt(sum(each**2 for each in spreads)))
    least, most = spreads[0], spreads[-1]
    if least > most * 0.999 and len(spreads) <= 3:
        return _of_laplace(most, len(spreads))
    if len(spreads) == 2:
        weights = most**2 / (most**2 - least**2), least**2 / (most**2 - least**2)
        return lambda reach: weights[0] * exp(-reach / most) - weights[1] * exp(-reach / least)
    return None


def _of_gaussian(sigma: float) -> Smooth:
    return lambda reach: erfc(reach / (sigma * sqrt(2)))


def _of_laplace(scale: float, count: int = 1) -> Smooth:
    """Return the tail of one, two or three noises of one scale."""

    def tail(reach: float) -> float:
        x = reach / scale
        return exp(-x) * (1.0, 1 + x / 2, 1 + 5 * x / 8 + x**2 / 8)[count - 1]

    return tail


def _of_two(one: tuple[Noise, Fraction], other: tuple[Noise, Fraction]) -> Beyond:
    """Return the tail of a sum of two noises of few steps, value by value."""
    values = [_values(noise) * float(unit) for noise, unit in (one, other)]
    weights = np.multiply.outer(_weights(one[0]), _weights(other[0]))
    return _table([np.add.outer(*values)], weights)


@lru_cache(maxsize=64)
def _of_shares(noise: Noise) -> Beyond:
    """Return the greatest tail of two equal noises in a mean, in steps."""
    values, weights = _values(noise), _weights(noise)
    sums = (np.add.outer((1 - share) * values, share * values) for share in _SHARES)
    return _table(sums, np.multiply.outer(weights, weights))


def _values(noise: Noise) -> Numbers:
    most = ceil(_FARTHEST * noise.spread) + 1
    return np.arange(-most, most + 1, dtype=np.float64)


def _weights(noise: Noise) -> Numbers:
    sizes = np.abs(_values(noise)) / float(noise.spread)
    weights = np.exp(-(sizes**2) / 2 if noise.is_gaussian else -sizes)
    return np.asarray(weights / weights.sum())


def _table(sums: Iterable[Numbers], weights: Numbers) -> Beyond:
    """Return the greatest of the tails of some sums that have the same weights."""
    sizes = [np.abs(each).ravel() for each in sums]
    place = max(float(each.max()) for each in sizes) / _PLACES
    found = np.zeros(_PLACES + 1)
    for each in sizes:
        places = np.minimum(np.ceil(each / place), _PLACES).astype(np.intp)
        held = np.bincount(places, weights.ravel(), minlength=_PLACES + 1)
        found = np.maximum(found, 1 - np.cumsum(held))
    return lambda reach: float(found[min(max(floor(float(reach) / place), 0), _PLACES)])
