"""Noisy sums, and how far off they, and combinations of them, may be."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

import numpy as np
from flint import arb

from sfumato.mechanisms import DiscreteLaplace
from sfumato.numeric import as_ball, float_above, working_precision

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.mechanisms import DiscreteGaussian
    from sfumato.tables.plan.measurements import Measurement


#: Far below the steps in which rows are weighed.
_ROUNDING = 1e-6

#: Makes up for the rounding of sums to floats.
_NOISE_ROUNDING = 1e-12
#: Scales of Laplace noise are told apart by at least so much; the greater ones are raised to it.
_APART = 1.01
_STEPS = 60
_MOST_LEFT_OUT = 0.99
_BITS = 64


@dataclass(frozen=True, eq=False)
class Span:
    """A lower and an upper end for each group.

    Operations are those of interval arithmetic, so that the result holds whatever values the
    ends allow, together.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def __add__(self, other: Span) -> Span:
        return Span(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Span) -> Span:
        return Span(self.low - other.high, self.high - other.low)

    def plus(self, number: float) -> Span:
        """Return the span moved by a number."""
        return Span(self.low + number, self.high + number)

    def times(self, number: float) -> Span:
        """Return the span scaled by a number."""
        ends = self.low * number, self.high * number
        return Span(np.minimum(*ends), np.maximum(*ends))

    def by(self, other: Span) -> Span:
        """Return the products."""
        ends = [left * right for left in self._ends for right in other._ends]
        return Span(np.minimum.reduce(ends), np.maximum.reduce(ends))

    def over(self, count: Span, most: float) -> Span:
        """Return the means of a sum over a count, each term of which is at most so large."""
        least = np.maximum(count.low, 1.0)
        greatest = np.maximum(count.high, 1.0)
        ends = [end / number for end in self._ends for number in (least, greatest)]
        ratio = Span(np.minimum.reduce(ends), np.maximum.reduce(ends))
        return ratio.within(-most, most)

    def squared(self) -> Span:
        """Return the squares."""
        ends = self.low**2, self.high**2
        across = (self.low <= 0) & (self.high >= 0)
        return Span(np.where(across, 0.0, np.minimum(*ends)), np.maximum(*ends))

    def root(self) -> Span:
        """Return the roots of numbers that are not below 0."""
        return Span(np.sqrt(self.low), np.sqrt(self.high))

    def whole(self) -> Span:
        """Return the whole numbers nearest to all that is in the span, but for rounding."""
        return Span(np.floor(self.low + _ROUNDING), np.ceil(self.high - _ROUNDING))

    def within(self, low: float, high: float) -> Span:
        """Return what lies between two numbers."""
        return Span(np.clip(self.low, low, high), np.clip(self.high, low, high))

    @property
    def _ends(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self.low, self.high


@dataclass(frozen=True)
class SumNoise:
    """What was added to a sum: noise in steps of some unit.

    Parameters
    ----------
    mechanism
        What draws it.
    unit
        A step, in the units of what is measured.
    """

    mechanism: DiscreteLaplace | DiscreteGaussian
    unit: float

    @property
    def scale(self) -> float:
        """The scale b of Laplace noise, or the σ of Gaussian noise, in the units of the sum."""
        noise = self.mechanism
        spread = noise.scale if isinstance(noise, DiscreteLaplace) else noise.sigma
        return float(spread) * self.unit


@dataclass(frozen=True, eq=False)
class NoisySums:
    """Noisy sums of one answer, one a group.

    Parameters
    ----------
    sums
        By what was measured, in natural units.
    noises
        What was added to each.
    left_out
        Which share of all a limit that was chosen privately may leave out of each.
    """

    sums: Mapping[Measurement, NDArray[np.float64]]
    noises: Mapping[Measurement, SumNoise]
    left_out: Mapping[Measurement, float]

    def reach(self, parts: Mapping[Measurement, float], confidence: Fraction) -> float:
        """Return how far the noise of a sum, each part times a number, reaches at a confidence."""
        used = {each: abs(times) for each, times in parts.items() if times}
        if len(used) == 1:
            ((each, times),) = used.items()
            return self.noises[each].mechanism.error(confidence=confidence) * (
                self.noises[each].unit * times
            )
        scales = [self.noises[each].scale * times for each, times in used.items()]
        steps = sum(self.noises[each].unit * times for each, times in used.items())
        return self._continuous(used, scales, confidence) + steps

    def reach_of_mixture(self, one: Measurement, other: Measurement, confidence: Fraction) -> float:
        """Return how far (1 - r)·X - r·Y reaches for the noise of two sums, whatever r.

        For continuous noise that is more peaked than one part alone
        :cite:p:`proschan1965peakedness`.
        """
        both = (one, other)
        scale = max(self.noises[each].scale for each in both)
        step = max(self.noises[each].unit for each in both)
        return self._continuous(both, [scale], confidence) + step

    def _continuous(
        self, parts: Iterable[Measurement], scales: Sequence[float], confidence: Fraction
    ) -> float:
        """Return how far continuous noise of some scales reaches, added up.

        With weights f(k) on whole numbers, f symmetric and log-concave, abs(X) lies between the
        floor and the ceiling of abs(Z) in stochastic order, Z having the density f: the ratio of
        their probabilities rises with k, or falls.  So X can be drawn within one step of Z.
        """
        error = 1 - confidence
        if all(isinstance(self.noises[each].mechanism, DiscreteLaplace) for each in parts):
            return laplace_reach(scales, float(error))
        return _gaussian_reach(scales, error)

    def around(
        self,
        values: NDArray[np.float64],
        parts: Mapping[Measurement, float],
        confidence: Fraction,
    ) -> Span:
        """Return what values may be that are a sum of parts, each times a number.

        What a limit that was chosen privately may leave out is in it, as spread over the groups
        like the rows: of a count above it, of a sum on either side.
        """
        reach = self.reach(parts, confidence) + np.abs(values) * _NOISE_ROUNDING
        span = Span(values - reach, values + reach)
        share = min(
            max((self.left_out.get(each, 0.0) for each in parts), default=0.0), _MOST_LEFT_OUT
        )
        missed = np.maximum(np.abs(span.low), np.abs(span.high)) * share / (1 - share)
        signed = any(each.factors and not each.together for each in parts)
        return Span(span.low - (missed if signed else 0.0), span.high + missed)

    def spans(
        self, measurements: Sequence[Measurement], confidence: Fraction
    ) -> dict[Measurement, Span]:
        """Return spans that hold what was measured, all of them together, with a confidence."""
        distinct = tuple(dict.fromkeys(measurements))
        each = 1 - (1 - confidence) / len(distinct)
        found = {}
        for measurement in distinct:
            values = self.sums[measurement]
            reach = self.reach({measurement: 1.0}, each) + np.abs(values) * _NOISE_ROUNDING
            found[measurement] = Span(values - reach, values + reach)
        return found


def laplace_reach(scales: Sequence[float], error: float) -> float:
    """Return what a sum of independent Laplace noise exceeds in size with at most a probability.

    By partial fractions of the characteristic function, P(abs(X) > t) is a sum of w·exp(-t/b)
    over the scales b.  Scales that are too close to each other are raised, which can only raise the
    result: noise of a greater scale is less peaked.
    """
    apart = _told_apart(scales)
    weights = [
        float(np.prod([b**2 / (b**2 - other**2) for other in apart if other != b])) for b in apart
    ]

    def exceeded(reach: float) -> float:
        return sum(w * exp(-reach / b) for w, b in zip(weights, apart, strict=True))

    low, high = 0.0, 60.0 * sum(apart)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if exceeded(middle) > error else (low, middle)
    return high


def _gaussian_reach(scales: Sequence[float], error: Fraction) -> float:
    """Return what a sum of Gaussian noise exceeds in size with at most a probability."""
    with working_precision(_BITS):
        variance = sum((as_ball(each) ** 2 for each in scales), arb(0))
        return float_above((2 * variance).sqrt() * as_ball(error).erfcinv())


def _told_apart(scales: Sequence[float]) -> list[float]:
    """Return scales in order, each so much greater than the one before that they differ."""
    found: list[float] = []
    for each in sorted(scales):
        found.append(max(each, found[-1] * _APART) if found else each)
    return found
