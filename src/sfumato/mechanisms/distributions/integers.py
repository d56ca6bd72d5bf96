"""Exact distributions of symmetric whole-number noise: probabilities, tails, and its reach."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, floor
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from flint import acb, arb, ctx, fmpq

from sfumato.errors import InputError
from sfumato.mechanisms.distributions.output import OutputDistribution
from sfumato.numeric import as_ball, exact, shown, working_precision
from sfumato.sampling import GaussianDecay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


_BITS = 256
#: From this σ on a tail is summed by its integral and corrections.
_SMOOTH_FROM = 32
_MOST_CORRECTIONS = 200


@dataclass(frozen=True)
class NoiseShape:
    """The log-odds of a whole number with noise.

    Attributes
    ----------
    noise
        The noise distribution.
    centre
        The number it is added to.
    """

    noise: WholeNoise
    centre: int

    @property
    def step(self) -> Fraction:
        """What outcomes are multiples of: 1."""
        return Fraction(1)

    @property
    def family(self) -> WholeNoise:
        """The noise: numbers with the same one have shifted distributions."""
        return self.noise

    @property
    def core(self) -> tuple[int, int]:
        """The centre, from which the odds go down in the same way for ever."""
        return self.centre, self.centre

    @property
    def period(self) -> int:
        """After how many steps outwards all odds have gone down by the same factor."""
        return self.noise.period

    @property
    def fall(self) -> Fraction:
        """By how much the log-odds go down in a period, from the centre."""
        return -self.noise.level(self.period)

    @property
    def bend(self) -> Fraction:
        """What the log-odds curve by, the same everywhere."""
        return self.noise.bend

    def level(self, k: int) -> Fraction:
        """Return the log-odds of a whole number against the centre."""
        return self.noise.level(abs(k - self.centre))

    def turns(self, low: int, high: int) -> Iterator[int]:
        """Yield where stretches of linear log-odds begin, above a number and up to another."""
        for turn in self.noise.turns(low - self.centre, high - self.centre):
            yield turn + self.centre


def least_whole(holds: Callable[[int], bool], *, least: int = 0) -> int:
    """Return the least whole number, from one on, at which a condition begins to hold for good."""
    if holds(least):
        return least
    low, high = least, 2 * least + 1
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def floor_of(number: Callable[[], arb]) -> int:
    """Return the greatest integer below a number that is none itself, by ever finer balls."""
    bits, found = _BITS, None
    while found is None:
        with working_precision(bits):
            found = number().floor().unique_fmpz()
        bits *= 2
    return int(found)


class WholeNoise(ABC):
    """Noise on the whole numbers, as likely to be k as -k."""

    @abstractmethod
    def mass(self, at: int) -> arb:
        """Return a ball around the probability of a magnitude with one sign."""

    @abstractmethod
    def tail(self, start: int) -> arb:
        """Return a ball around the probability of ``start``, which is 1 or more, or beyond."""

    @abstractmethod
    def level(self, at: int) -> Fraction:
        """Return the logarithm of the odds of a magnitude against 0, exactly."""

    def cumulative(self, most: int) -> arb:
        """Return a ball around the probability of a number that is at most ``most``."""
        return 1 - self.tail(most + 1) if most >= 0 else self.tail(-most)

    def between(self, first: int, last: int) -> arb:
        """Return a ball around the probability of ``first``, ``last`` or a number between."""
        if last <= first:
            return self.mass(abs(first)) if first == last else arb(0)
        if first > 0:
            return self.tail(first) - self.tail(last + 1)
        return self.cumulative(last) - self.cumulative(first - 1)

    @property
    def period(self) -> int:
        """After how many steps outwards all odds have gone down by the same factor."""
        return 1

    @property
    def bend(self) -> Fraction:
        """What the log-odds curve by, the same everywhere; they are else linear between turns."""
        return Fraction(0)

    def turns(self, low: int, high: int) -> Iterable[int]:
        """Return where stretches of linear log-odds begin, above a number and up to another."""
        return [0] if low < 0 <= high else []

    def reach(self, confidence: Fraction) -> int:
        """Return the least magnitude that noise exceeds with probability at most 1 - confidence."""
        with working_precision(_BITS):
            missed = as_ball(1 - confidence)
            return least_whole(lambda bound: bool(2 * self.tail(bound + 1) <= missed))


def read_outcome(outcome: Any) -> Fraction:
    """Return an outcome that a distribution is asked about, exactly."""
    if isinstance(outcome, bool) or not isinstance(outcome, Real):
        raise InputError(
            "E-OUTCOME-UNKNOWN",
            "an outcome of this distribution is a number, not {outcome}",
            "write 0, say",
            outcome=shown(outcome),
        )
    return Fraction(int(outcome)) if isinstance(outcome, Integral) else exact(outcome, "outcome")


@dataclass(frozen=True)
class DiscreteLaplaceNoise(WholeNoise):
    """P(k) ∝ exp(-abs(k)/scale)."""

    scale: Fraction

    def mass(self, at: int) -> arb:
        """Return (1 - a) a^k / (1 + a) with a = exp(-1/scale)."""
        return -self._rate(1).expm1() * self.tail(at)

    def tail(self, start: int) -> arb:
        """Return a^k / (1 + a)."""
        return self._rate(start).exp() / (1 + self._rate(1).exp())

    def level(self, at: int) -> Fraction:
        """Return -k/scale."""
        return -at / self.scale

    def _rate(self, distance: int) -> arb:
        return as_ball(self.level(distance))


@dataclass(frozen=True)
class DiscreteGaussianNoise(WholeNoise):
    """P(k) ∝ exp(-k²/(2σ²)), divided by Jacobi's theta function."""

    sigma: Fraction

    def mass(self, at: int) -> arb:
        """Return the share of exp(-k²/(2σ²)) in the sum over all k."""
        return GaussianDecay(self.sigma).weight(at) / self._total()

    def tail(self, start: int) -> arb:
        """Return the share of the sum from k on."""
        if self.sigma < _SMOOTH_FROM:
            return GaussianDecay(self.sigma).beyond(start, 1) / self._total()
        return _smooth_tail(self.sigma, start) / self._total()

    def level(self, at: int) -> Fraction:
        """Return -k²/(2σ²)."""
        return -(at**2) / (2 * self.sigma**2)

    @property
    def bend(self) -> Fraction:
        """The inverse of σ²."""
        return 1 / self.sigma**2

    def turns(self, low: int, high: int) -> tuple[int, ...]:  # noqa: ARG002 - the same everywhere
        """Return nothing: the log-odds are one parabola."""
        return ()

    def _total(self) -> arb:
        """Return the sum over all k: θ₃(0, τ) with τ = i/(2πσ²)."""
        nome = acb(0, 1 / (2 * arb.pi() * as_ball(self.sigma) ** 2))
        return acb.modular_theta(acb(0), nome)[2].real


def _smooth_tail(sigma: Fraction, start: int) -> arb:
    """Return the sum of exp(-k²/(2σ²)) from k on, by the formula of Euler and Maclaurin.

    The derivatives are Hermite polynomials times the weight.  After the correction of order n the
    rest is at most 4/(2π)^n times the integral of the n-th derivative's magnitude, and that, by
    Cauchy and Schwarz, at most σ^(1-n) √(√(2π) n! ∫ exp(-z²/2)).
    """
    spread, z = as_ball(sigma), as_ball(start / sigma)
    weight, area = (-z * z / 2).exp(), (arb.pi() / 2).sqrt() * (z / arb(2).sqrt()).erfc()
    total, rest = spread * area + weight / 2, spread * area
    earlier, hermite = arb(1), z
    for order in range(2, _MOST_CORRECTIONS + 1, 2):
        share = fmpq.bernoulli(order) / factorial(order)
        total += weight * hermite * share / spread ** (order - 1)
        whole = ((2 * arb.pi()).sqrt() * arb(factorial(order)) * area).sqrt()
        rest = 4 * spread * whole / (2 * arb.pi() * spread) ** order
        if rest < total * arb(2) ** -ctx.prec:
            break
        earlier = z * hermite - (order - 1) * earlier
        hermite = z * earlier - order * hermite
    return total + rest.union(-rest)


@dataclass(frozen=True)
class IntegerDistribution(OutputDistribution[int]):
    """The distribution of a whole number with whole-number noise.

    Parameters
    ----------
    noise
        The noise distribution.
    centre
        The number it is added to.
    """

    noise: WholeNoise
    centre: int

    def ball(self, outcome: int) -> arb:
        """Return a ball around the probability of an outcome; 0 where it is no whole number."""
        number = read_outcome(outcome)
        if number.denominator != 1:
            return arb(0)
        return self.noise.mass(abs(number.numerator - self.centre))

    def cumulative(self, outcome: int) -> arb:
        """Return a ball around the probability of an outcome or one below it."""
        return self.noise.cumulative(floor(read_outcome(outcome)) - self.centre)

    @property
    def shape(self) -> NoiseShape:
        """How the log-odds run over the whole numbers."""
        return NoiseShape(self.noise, self.centre)
