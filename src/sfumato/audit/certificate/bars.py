"""How likely it is that an error bar misses, derived from the noise that an answer has."""

from __future__ import annotations

from fractions import Fraction
from math import erfc, exp, floor, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.audit.certificate.noise import Noise

    #: How likely it is that noise is greater in size than a number.
    Beyond = Callable[[Fraction], float]
    #: How likely it is that an error bar between two numbers misses.
    Missed = Callable[[Fraction, Fraction], float]

__all__ = ["around", "of_one", "of_parts", "of_share", "within"]

#: Bars of whole numbers are rounded, and floats are: far less than a step that a row is cut into.
_ROUNDED = Fraction(1, 500_000)
_PART_OF_A_STEP = Fraction(1, 100)


def around(exact: Fraction, beyond: Beyond, *, never_negative: bool = False) -> Missed:
    """Return how likely an error bar around a noisy number misses.

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
        reach = min(reaches) + _ROUNDED
        return beyond(reach) if reach >= 0 else 1.0

    return missed


def of_one(noise: Noise, unit: Fraction) -> Beyond:
    """Return the tail of one noise, in steps of a unit: that of whole numbers."""
    return lambda reach: noise.beyond(floor(reach / unit + _PART_OF_A_STEP))


def of_parts(noises: Sequence[Noise], units: Sequence[Fraction]) -> Beyond | None:
    """Return the tail of a sum of independent noises, each in steps of its unit.

    Gaussian noises add up to one whose variance is the sum.  The tail of two or three Laplace
    noises of one scale b is e^(-x) times 1 + x/2, or 1 + 5x/8 + x²/8, at x = t/b; that of two
    different ones a weighted difference of both tails.
    """
    spreads = sorted(float(one.spread * abs(unit)) for one, unit in zip(noises, units, strict=True))
    spreads = [each for each in spreads if each > 0]
    if noises[0].is_gaussian:
        whole = sqrt(sum(each**2 for each in spreads))
        return lambda reach: erfc(float(reach) / (whole * sqrt(2)))
    return _of_laplace(spreads)


def _of_laplace(scales: list[float]) -> Beyond | None:
    least, most = scales[0], scales[-1]
    if len(scales) == 1:
        return lambda reach: exp(-float(reach) / most)
    if least > most * 0.999 and len(scales) <= 3:
        return lambda reach: _of_equal(float(reach) / most, len(scales))
    if len(scales) == 2:
        weights = most**2 / (most**2 - least**2), least**2 / (most**2 - least**2)
        return lambda reach: (
            weights[0] * exp(-float(reach) / most) - weights[1] * exp(-float(reach) / least)
        )
    return None


def _of_equal(reach: float, count: int) -> float:
    """Return the tail of two or three noises of scale 1."""
    grown = 1 + reach / 2 if count == 2 else 1 + 5 * reach / 8 + reach**2 / 8
    return exp(-reach) * grown


def of_share(
    upper: Fraction, lower: Fraction, ends: tuple[Fraction, Fraction], beyond: Beyond
) -> Missed:
    """Return how likely an error bar of a mean misses, by Fieller's interval.

    For the true share r of the upper part A in A + B, the noise of (1 - r)A - rB is more peaked
    than that of one part :cite:p:`proschan1965peakedness`: so a mean is as far off as that.

    Parameters
    ----------
    upper, lower
        What the column is above its lower bound, and below its upper one, with noise.
    ends
        The bounds, which no mean is beyond.
    beyond
        The tail of the noise of one part.
    """
    (least, most), whole = ends, upper + lower
    if whole <= 0:
        return within(least, ends, Fraction(1), lambda _: 1.0)
    width = (most - least) / whole
    return within(least + upper * width, ends, 1 / width, beyond)


def within(
    exact: Fraction, ends: tuple[Fraction, Fraction], times: Fraction, beyond: Beyond
) -> Missed:
    """Return how likely an error bar misses that ends where nothing can be beyond.

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
    off = _ROUNDED * (most - least)

    def missed(low: Fraction, high: Fraction) -> float:
        reaches = [(high - exact) * times] if high < most - off else []
        reaches += [(exact - low) * times] if low > least + off else []
        reach = min(reaches, default=None)
        if reach is None:
            return 0.0
        return beyond(reach + off * times) if reach >= 0 else 1.0

    return missed
