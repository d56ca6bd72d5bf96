"""How likely noise is to be greater than a number, and so an interval to miss."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, erfc, exp, floor, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from sfumato.audit.certificate.noise import WholeNumberNoise

    Numbers = NDArray[np.float64]
    Beyond = Callable[[Fraction], float]
    Smooth = Callable[[float], float]
    Missed = Callable[[Fraction, Fraction], float]

_PART_OF_A_STEP = Fraction(1, 100)
#: Noise of a smaller spread, in steps, is added up value by value, up to so many spreads.
_COARSE, _FARTHEST = 2, 14
#: Into how many places the sizes of such sums are sorted; a size is rounded up to the next.
_PLACES = 4096
#: Shares of the upper part in a mean; for equal noise on both parts, half of them is enough.
_SHARES = tuple(place / 64 for place in range(33))
#: Ends that are whole numbers are rounded, and floats are: far less than a step that a row is
#: cut into.
_ROUNDED_SHARE = Fraction(1, 500_000)
#: Floats in a few operations are off by less than this share of what they are computed from.
_OFF = Fraction(1, 10**9)
#: Whole numbers are rounded in floats, too; steps that are cut off are far greater.
_ROUNDED_NUMBER = Fraction(1, 10**6)
#: Intervals are as wide as they should be but for this share of the error that they allow.
_LOOSE = 1.01


def of_one(noise: WholeNumberNoise, unit: Fraction) -> Beyond:
    """Return the tail of one noise, in steps of a unit: that of whole numbers."""
    return lambda reach: noise.beyond(floor(reach / unit + _PART_OF_A_STEP))


def of_parts(noises: Sequence[WholeNumberNoise], units: Sequence[Fraction]) -> Beyond | None:
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


def of_mean(noise: WholeNumberNoise, unit: Fraction) -> Beyond:
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


def _smooth(parts: Sequence[tuple[WholeNumberNoise, Fraction]]) -> Smooth | None:
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


def _of_two(
    one: tuple[WholeNumberNoise, Fraction], other: tuple[WholeNumberNoise, Fraction]
) -> Beyond:
    """Return the tail of a sum of two noises of few steps, value by value."""
    values = [_values(noise) * float(unit) for noise, unit in (one, other)]
    weights = np.multiply.outer(_weights(one[0]), _weights(other[0]))
    return _table([np.add.outer(*values)], weights)


@lru_cache(maxsize=64)
def _of_shares(noise: WholeNumberNoise) -> Beyond:
    """Return the greatest tail of two equal noises in a mean, in steps."""
    values, weights = _values(noise), _weights(noise)
    sums = (np.add.outer((1 - share) * values, share * values) for share in _SHARES)
    return _table(sums, np.multiply.outer(weights, weights))


def _values(noise: WholeNumberNoise) -> Numbers:
    most = ceil(_FARTHEST * noise.spread) + 1
    return np.arange(-most, most + 1, dtype=np.float64)


def _weights(noise: WholeNumberNoise) -> Numbers:
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


def around(exact: Fraction, beyond: Beyond, *, never_negative: bool = False) -> Missed:
    """Return how likely an interval around a noisy number misses.

    Parameters
    ----------
    exact
        The noisy number, before anything is rounded or shown as 0.
    beyond
        The tail of its noise.
    never_negative
        Whether a lower end at 0 holds whatever the noise is.
    """

    def missed(low: Fraction, high: Fraction) -> float:
        reaches = [high - exact]
        if not (never_negative and low <= 0):
            reaches.append(exact - low)
        reach = min(reaches) + _ROUNDED_SHARE
        return beyond(reach) if reach >= 0 else 1.0

    return missed


def of_share(
    upper: Fraction, lower: Fraction, ends: tuple[Fraction, Fraction], beyond: Beyond
) -> Missed:
    """Return how likely an interval of a mean misses, by Fieller's interval.

    For the true share r of the upper part A in A + B, a share of the noisy A in the noisy whole
    is off by the noise of (1 - r)A - rB, over that whole.

    Parameters
    ----------
    upper, lower
        What the column is above its lower bound, and below its upper one, with noise.
    ends
        The bounds, which no mean is beyond.
    beyond
        The tail of that noise, whatever r is.
    """
    (least, most), whole = ends, upper + lower
    if whole <= 0:
        return within(least, ends, Fraction(1), lambda _: 1.0)
    width = (most - least) / whole
    return within(least + upper * width, ends, 1 / width, beyond)


def within(
    exact: Fraction, ends: tuple[Fraction, Fraction], times: Fraction, beyond: Beyond
) -> Missed:
    """Return how likely an interval misses that ends where nothing can be beyond.

    Parameters
    ----------
    exact
        What it is around.
    ends
        Between which it is.
    times
        How much more of the noise there is in what was measured.
    beyond
        The tail of the noise in that.
    """
    least, most = ends
    off = _ROUNDED_SHARE * (most - least)

    def missed(low: Fraction, high: Fraction) -> float:
        reaches = [(high - exact) * times] if high < most - off else []
        reaches += [(exact - low) * times] if low > least + off else []
        reach = min(reaches, default=None)
        if reach is None:
            return 0.0
        return beyond(reach + off * times) if reach + off * times >= 0 else 1.0

    return missed


@dataclass(frozen=True)
class Expected:
    """A number, or a value, of an answer.

    Parameters
    ----------
    value
        What follows from what was released.
    whole
        Whether it is rounded to a whole number.
    given
        Whether it is a value as it is, and not a number.
    never_negative
        Whether it could not be below 0 without noise.
    missed
        How likely an interval misses, where that is derived.
    far
        How great the numbers are that it is computed from.
    """

    value: Any
    whole: bool = False
    given: bool = False
    never_negative: bool = False
    missed: Missed | None = None
    far: Fraction = Fraction(0)

    def allows(self, stated: Any) -> bool:
        """Tell whether a stated value is the one that follows."""
        if self.given:
            return type(stated) is type(self.value) and bool(stated == self.value)
        if type(stated) not in (int, float) or (self.whole and type(stated) is not int):
            return False
        off = abs(Fraction(stated) - Fraction(self.value))
        if self.whole:
            return off <= Fraction(1, 2) + _ROUNDED_NUMBER
        return off <= _OFF * (abs(Fraction(self.value)) + self.far)

    def not_below_0(self) -> Expected:
        """Return what is shown where an answer below 0 is shown as 0."""
        return replace(self, value=max(self.value, Fraction(0))) if self.never_negative else self

    def shown(self) -> Any:
        """Return the value as an answer shows it."""
        if self.given:
            return self.value
        return round(self.value) if self.whole else float(self.value)

    def covered(self, low: float, high: float, confidence: Fraction) -> bool:
        """Tell whether an interval holds the noise with a confidence, where that is derived."""
        if self.missed is None:
            return True
        return self.missed(Fraction(low), Fraction(high)) <= float(1 - confidence) * _LOOSE


def noisy(
    value: Fraction,
    tail: Beyond,
    *,
    whole: bool = False,
    never_negative: bool = False,
    far: Fraction = Fraction(0),
) -> Expected:
    """Return a number with noise of this tail, which an interval around it has to hold."""
    missed = around(value, tail, never_negative=never_negative)
    return Expected(value, whole=whole, never_negative=never_negative, missed=missed, far=far)
