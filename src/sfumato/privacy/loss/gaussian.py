"""Losses of Gaussian noise, continuous and on the integers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.base import PrivacyLosses, upper_log
from sfumato.privacy.loss.finite import FiniteLoss
from sfumato.privacy.loss.lattice import LossLattice

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
