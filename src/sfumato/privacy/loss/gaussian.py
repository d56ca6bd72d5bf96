"""Losses of Gaussian noise: continuous, on the integers, and on a Poisson sample."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc, log_sum_exp
from sfumato.privacy.loss.base import (
    LOG_MISSED,
    MISSED,
    LossLattice,
    PrivacyLosses,
    piecewise,
    short,
    upper_log,
)
from sfumato.privacy.loss.finite import FiniteLoss
from sfumato.privacy.loss.sampled import FAR, Direction, log_mean, log_sums, sampled_loss

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]


#: Above the share of a theta series that lies beyond the terms which are added.
_NEGLIGIBLE = 1e-20
#: How many standard deviations of discrete noise are listed, and more than what lies beyond.
_DEVIATIONS, _BEYOND = 17, Fraction(1, 10**55)


class GaussianLosses(PrivacyLosses):
    """Any number of Gaussian events: the squares of sensitivity over sigma add up."""

    def __init__(self, squared: Disc) -> None:
        self._half = squared * 0.5

    def log_moment(self, s: Disc) -> Disc:
        """Return s (s + 1) times half the sum of squares."""
        return s * (s + 1) * self._half

    def log_envelope(self, real: float, height: float) -> float:
        """Return its own size at ``height``, from where it falls."""
        return upper_log(self.log_moment(Disc(np.array([complex(real, height)]))))


class DiscreteGaussianLosses(PrivacyLosses):
    """Gaussian noise on the integers, shifted by whole steps.

    By Poisson's summation the moment is that of the continuous noise times a ratio of theta
    series: the sum over k of exp(2 pi i k s shift - 2 pi^2 sigma^2 k^2), against that at s = 0.
    """

    def __init__(self, variance: Fraction, shift: int) -> None:
        self._variance, self._shift = variance, shift
        self._half = Disc.of(Fraction(shift * shift) / variance / 2)
        self._reach = 2 + math.ceil(math.sqrt(5 / float(variance)))
        self._normal = self._series(Disc(np.zeros(1, dtype=complex)), 0.0).log()
        self.horizon = math.pi * float(variance) / shift

    def log_moment(self, s: Disc) -> Disc:
        """Return the continuous moment times the ratio of theta series.

        Far up the moment is tiny and the series huge, so they are multiplied term by term, over
        the moment on the axis.
        """
        level = np.asarray(s.mid.real * (s.mid.real + 1) * float(self._half.mid))
        return self._series(s, level).log() + level - self._normal

    def log_envelope(self, real: float, height: float) -> float:
        """Return a bound up to half a period: each term of the series at its greatest there."""
        half = float(self._half.mid)
        odd = (2 * np.arange(1, self._reach + 8) - 1) * math.pi
        others = 2 * np.exp(-(odd**2) / 2 * float(self._variance)).sum()
        size = math.exp(-(height**2) * half) + others + _NEGLIGIBLE
        bound = real * (real + 1) * half + math.log(size)
        return bound + abs(bound) * 1e-12 + 1e-12

    def lattice(self) -> LossLattice:
        """Return steps of shift over the variance."""
        step = self._shift / self._variance
        return LossLattice(step, step * self._shift / 2)

    def _series(self, s: Disc, level: NDArray[np.float64] | float) -> Disc:
        """Sum the terms around the greatest, which moves with the height, over e^level."""
        spread = Disc(2 * math.pi**2, 1e-14) * Disc.of(self._variance)
        turn = Disc(2j * math.pi * self._shift, 1e-14 * self._shift)
        nearest = np.round(s.mid.imag * self._shift / (2 * math.pi * float(self._variance)))
        k = np.arange(-self._reach, self._reach + 1.0)[:, None] - nearest
        exponents = s * (s + 1) * self._half + s * turn * k - spread * (k * k) - level
        return exponents.exp().sum(axis=0) + Disc(0.0, _NEGLIGIBLE)


def discrete_gaussian(variance: Fraction, shift: int) -> FiniteLoss:
    """Return the loss of one such event by its values; the rare ones beyond count as infinite."""
    most = math.ceil(_DEVIATIONS * math.sqrt(float(variance))) + shift
    k = np.arange(-float(most), most + 1)
    half = Disc.of(1 / variance) * 0.5
    masses = (half * -(k * k)).exp()
    values = half * (shift * shift - 2 * shift * k)
    return FiniteLoss(values, masses / masses.sum(), lost=_BEYOND)


_ROUNDING = 1e-13
#: Shares of the greatest height at which a function is bounded, and of the greatest shift.
_HEIGHTS = np.linspace(0.02, 0.98, 40)
_SHIFTS = np.geomspace(1e-3, 0.9, 10)
_GREATEST_HEIGHT = 12.0
#: How many points share a sum.
_SAMPLED_POINTS = 64
#: Cells of z, and the step below which they are worth looking at.
_CELLS, _FINE = 400, 0.05
#: Tilts are kept below this over mu.
_GREATEST_TILT = 1000.0


class SampledGaussianLosses(PrivacyLosses):
    """A Gaussian event with sensitivity/sigma = mu on a Poisson sample.

    Under Q the loss is x = mu z - mu^2/2 with z standard normal.  The integral over z is a
    trapezoid sum: of a function bounded by N on the lines at height +-a it misses at most
    2 N / (e^(2 pi a/step) - 1) :cite:p:`trefethen2014`, and N is at most
    e^(a^2/2 + t mu a) times the mean of w^p on the real axis, times cos(mu a/2)^-c for w^-s.
    """

    def __init__(self, mu: Fraction, rate: Fraction, change: Direction) -> None:
        self._mu, self._rate = Disc.of(mu), Disc.of(rate)
        self._slope, self._share, self._rest = float(mu), float(rate), float(1 - rate)
        self._removed = change is Direction.REMOVED
        self.ceiling = _GREATEST_TILT / self._slope

    def log_moment(self, s: Disc) -> Disc:
        """Sum over z, with ever finer steps farther up."""
        return piecewise(s, _SAMPLED_POINTS, self._log_one)

    def cost(self, real: float, height: float) -> float:
        """Return how many nodes the sum has there."""
        return self._nodes(real, height, 0.0)[1].mid.size

    def _log_one(self, s: Disc) -> Disc:
        real, height = float(s.mid.real.max()), float(np.abs(s.mid.imag).max())
        step, z = self._nodes(real, height, 0.0)
        y = sampled_loss(z * self._mu - self._mu * self._mu * 0.5, self._rate)
        log_weights = z * z * -0.5 + Disc(math.log(step / math.sqrt(2 * math.pi)), 1e-15)
        power = s + 1 if self._removed else -s
        return log_mean(y, log_weights, power, 4 * MISSED)

    def _nodes(self, real: float, height: float, shift: float) -> tuple[float, Disc]:
        """Return a step and nodes that miss next to nothing of the mean up to a height of s.

        ``shift`` is how far off the real axis the function is itself taken.
        """
        above = _HEIGHTS * min(math.pi / self._slope - shift, _GREATEST_HEIGHT)
        crude = height * self._slope * (above + shift) + self._turned(real, above + shift)
        step = _step(above, shift, crude)
        if step < _FINE:
            above, crude = above[::4], crude[::4]
            step = max(step, _step(above, shift, self._growth(real, height, above + shift, crude)))
        left, right = self._ends(real, shift)
        count = np.arange(-math.ceil(left / step), math.ceil(right / step) + 1)
        return step, Disc(step * count)

    def _growth(self, real: float, height: float, above: Reals, crude: Reals) -> Reals:
        """Bound ln of the mean of the size of w^p off the axis, over that on it.

        The argument of w is at most mu times the height above the axis, which gives the crude
        bound; here it is taken cell by cell of z, at its greatest in each.
        """
        left, right = self._ends(real, float(above.max()), more=float(crude.max()))
        edges = np.linspace(-left, right, _CELLS + 1)
        x = np.minimum(self._slope * (edges - self._slope / 2), FAR)
        turn = np.angle(1 + self._share * np.expm1(x[1:] + 1j * self._slope * above[:, None]))
        log_w = np.log1p(self._share * np.expm1(x))
        size = (real + 1) * log_w[1:] if self._removed else -real * log_w[:-1]
        nearest = np.clip(0.0, edges[:-1], edges[1:]) ** 2 / 2
        width = math.log((edges[1] - edges[0]) / math.sqrt(2 * math.pi))
        cells = log_sums(size + height * turn - nearest + width, axis=1)
        return np.minimum(crude, cells + self._turned(real, above) + math.log(2))

    def _turned(self, real: float, above: Reals) -> Reals:
        """Bound ln of how much w^-s grows off the axis by the size of w alone."""
        if self._removed:
            return np.zeros_like(above)
        return np.asarray(-real * np.log(np.cos(np.minimum(above * self._slope, 3.1) / 2)))

    def _ends(self, real: float, shift: float, more: float = 0.0) -> tuple[float, float]:
        """Return how far out the sum goes on each side; beyond lies less than may be missed.

        Above, w^(c+1) is at most 1 - q + q e^((c+1)x), whose part beyond (c+1) mu + d is q
        e^(c(c+1) mu^2/2) times the normal tail at d; the mean is at least 1, and at least
        q^(c+1) e^(c(c+1) mu^2/2).  Below, w^-c is at most (1-q)^-c.  ``more`` is ln of what the
        function may be greater by.
        """
        grown = float(self._turned(real, np.array(shift))) + shift**2 / 2 - LOG_MISSED + 2 + more
        plain = math.sqrt(2 * grown)
        if not self._removed:
            return math.sqrt(2 * (grown - real * math.log(self._rest))), plain
        most = min(real * (real + 1) * self._slope**2 / 2, -real * math.log(self._share))
        return plain, (real + 1) * self._slope + math.sqrt(2 * (grown + most))

    def log_envelope(self, real: float, height: float) -> float:
        """Integrate along a shifted line, where w^(it) shrinks as e^(-t arg w), for all t above."""
        most = min(math.pi / self._slope, _GREATEST_HEIGHT)
        logs = [self._shifted(real, height, share * most) for share in _SHIFTS.tolist()]
        on_axis = self.log_on_axis(real)
        missed = on_axis + math.log(8 * MISSED)
        return min(on_axis, float(np.logaddexp(min(logs), missed)) + _ROUNDING)

    def _shifted(self, real: float, height: float, shift: float) -> float:
        """Return ln of the integral of the size of the integrand at the height ``shift``."""
        step, nodes = self._nodes(real, height, shift)
        x = self._slope * (nodes.mid + 1j * shift - self._slope / 2)
        near = np.log(1 + self._share * np.expm1(np.minimum(x.real, FAR) + 1j * x.imag))
        log_w = np.where(x.real < FAR, near, x + math.log(self._share))
        power = real + 1 if self._removed else -real
        logs = power * log_w.real - height * log_w.imag - (nodes.mid**2 - shift**2) / 2
        return log_sum_exp(logs) + math.log(step / math.sqrt(2 * math.pi))


def _step(above: Reals, shift: float, growth: Reals) -> float:
    """Return the greatest step with which a sum misses little enough, by the best of the lines."""
    logs = (above**2 + shift**2) / 2 + growth + 2 - LOG_MISSED
    return short(min(float((2 * math.pi * above / logs).max()), 0.5))
