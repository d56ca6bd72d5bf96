"""Losses of Gaussian noise on a Poisson sample."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.base import Losses, blockwise, upper_log
from sfumato.privacy.loss.quadrature import MISSED
from sfumato.privacy.loss.sampled import Change, mean_power

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

__all__ = ["SampledGaussianLosses"]

_LOG_MISSED = math.log(MISSED)
_ROUNDING = 1e-13
#: Shares of the greatest height at which a function is bounded, and of the greatest shift.
_HEIGHTS = np.linspace(0.02, 0.98, 40)
_SHIFTS = np.geomspace(1e-4, 0.9, 24)
_GREATEST_HEIGHT = 12.0
_GREATEST_EXPONENT = 600.0


class SampledGaussianLosses(Losses):
    """A Gaussian event with sensitivity/sigma = mu on a Poisson sample, ``count`` times.

    Under Q the loss is x = mu z - mu^2/2 with z standard normal.  The integral over z is a
    trapezoid sum: of a function bounded by N on the lines at height +-a it misses at most
    2 N / (e^(2 pi a/step) - 1) :cite:p:`trefethen2014`.  Since w^p is convex in e^x for the
    powers p here, its mean is at most 1 - q + q e^(c(c+1) mu^2/2) at the real part c.
    """

    def __init__(self, mu: Fraction, rate: Fraction, count: int, change: Change) -> None:
        self._mu, self._rate = Disc.of(mu), Disc.of(rate)
        self._slope, self._share = float(mu), float(rate)
        self._count, self._removed = count, change is Change.REMOVED
        self.ceiling = (math.sqrt(1 + 8 * _GREATEST_EXPONENT / self._slope**2) - 1) / 2

    def log_moment(self, s: Disc) -> Disc:
        """Sum over z, with ever finer steps farther up."""
        return blockwise(s, 1, self._log_block, each=64)

    def _log_block(self, s: Disc, _: slice) -> Disc:
        real, height = float(s.mid.real.max()), float(np.abs(s.mid.imag).max())
        step, z = self._nodes(real, height, 0.0)
        x = z * self._mu - self._mu * self._mu * 0.5
        y = (x.expm1() * self._rate).log1p()
        log_weights = z * z * Disc(-0.5) + Disc(math.log(step / math.sqrt(2 * math.pi)), 1e-15)
        power = s + 1 if self._removed else -s
        mean = mean_power(y, log_weights, power) + Disc(0.0, 4 * MISSED)
        return mean.log1p() * self._count

    def _nodes(self, real: float, height: float, shift: float) -> tuple[float, Disc]:
        """Return a step and nodes that miss next to nothing up to a height of s.

        ``shift`` is how far off the real axis the function is itself taken.
        """
        room = math.pi / self._slope - shift
        above = _HEIGHTS * min(room, _GREATEST_HEIGHT)
        logs = (above**2 + shift**2) / 2 + height * self._slope * (above + shift)
        logs = logs + self._turned(real, above + shift) + self._log_mean(real) - _LOG_MISSED + 2
        step = float((2 * math.pi * above / logs).max())
        step = math.ldexp(math.floor(step * 2**20), -20)
        left, right = self._ends(real, shift)
        count = np.arange(-math.ceil(left / step), math.ceil(right / step) + 1)
        return step, Disc(step * count)

    def _log_mean(self, real: float) -> float:
        """Bound ln of the mean of w^p at the real part: w^p is convex in e^x."""
        return math.log1p(self._share * math.expm1(real * (real + 1) * self._slope**2 / 2))

    def _turned(self, real: float, above: Reals) -> Reals:
        """Bound ln of how much w^-s grows off the axis by the size of w alone."""
        if self._removed:
            return np.zeros_like(above)
        return np.asarray(-real * np.log(np.cos(np.minimum(above * self._slope, 3.1) / 2)))

    def _ends(self, real: float, shift: float) -> tuple[float, float]:
        """Return how far out the sum goes on each side: beyond lies less than what may be missed."""
        grown = float(self._turned(real, np.array(shift))) + shift**2 / 2
        plain = math.sqrt(2 * (grown - _LOG_MISSED + 2))
        tilted = math.sqrt(2 * (grown + self._log_mean(real) - _LOG_MISSED + 2))
        far = (real + 1) * self._slope + tilted
        return (plain, far) if self._removed else (far, plain)

    def log_envelope(self, real: float, height: float) -> float:
        """Integrate along a shifted line, where w^(it) shrinks as e^(-t arg w), for all t above."""
        most = min(math.pi / self._slope, _GREATEST_HEIGHT)
        sizes = [self._shifted(real, height, share * most) for share in _SHIFTS]
        on_axis = upper_log(self.log_moment(Disc(np.array([real]))))
        return min(on_axis, self._count * math.log(min(sizes) + _ROUNDING))

    def _shifted(self, real: float, height: float, shift: float) -> float:
        """Return the integral of the size of the integrand along the line at height ``shift``."""
        step, nodes = self._nodes(real, height, shift)
        z = nodes.mid
        w = 1 + self._share * np.expm1(self._slope * (z + 1j * shift - self._slope / 2))
        power = real + 1 if self._removed else -real
        logs = power * np.log(np.abs(w)) - height * np.angle(w) - (z**2 - shift**2) / 2
        return float(np.exp(logs).sum()) * step / math.sqrt(2 * math.pi) + 8 * MISSED
