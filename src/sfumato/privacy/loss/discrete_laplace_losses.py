"""Losses of Laplace noise on the integers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.base import PrivacyLosses
from sfumato.privacy.loss.finite import FiniteLoss
from sfumato.privacy.loss.lattice import LossLattice

_UP = 1 + 1e-12


class DiscreteLaplaceLosses(PrivacyLosses):
    """Noise of P(k) ∝ e^(-abs(k)/scale), shifted by whole steps.

    The loss is epsilon = shift/scale below the first centre, -epsilon above the second, and falls
    by 2/scale a step between.  With a = e^(-1/scale) and r = e^(-(2s+1)/scale) the moment is
    e^(s epsilon) (1 + r^shift + (1-a) (r - r^shift)/(1-r)) / (1+a).
    """

    def __init__(self, scale: Fraction, shift: int) -> None:
        self._scale, self._shift = scale, shift
        self._rate, self._epsilon = Disc.of(1 / scale), Disc.of(Fraction(shift) / scale)
        self.greatest = float(Fraction(shift) / scale) * (1 + 1e-15)
        self.horizon = math.pi / 2 * float(scale)

    def log_moment(self, s: Disc) -> Disc:
        """Return s epsilon and the logarithm of the two ends and the series between them."""
        width = 2 * s + 1
        ratio, last = (-width * self._rate).exp(), (-width * self._epsilon).exp()
        series = (-self._rate).expm1() * (ratio - last) / (-width * self._rate).expm1()
        size = (1 + last + series) / (1 + (-self._rate).exp())
        return s * self._epsilon + size.log()

    def log_envelope(self, real: float, height: float) -> float:
        """Return the ends at full size, and the series over what its ratio keeps from 1."""
        rate, epsilon, width = float(self._rate.mid), float(self._epsilon.mid), 2 * real + 1
        ratio, last = math.exp(-width * rate), math.exp(-width * epsilon)
        apart = 2 * math.sqrt(ratio) * math.sin(min(height * rate, math.pi / 2))
        series = -math.expm1(-rate) * (ratio + last) / max(apart, -math.expm1(-width * rate))
        size = (1 + last + series) / (1 + math.exp(-rate))
        bound = real * epsilon + math.log(size * _UP)
        return min(bound, self.log_on_axis(real))

    def lattice(self) -> LossLattice:
        """Return steps of 2/scale."""
        return LossLattice(2 / self._scale, self._shift / self._scale)


def discrete_laplace(scale: Fraction, shift: int) -> FiniteLoss:
    """Return the loss of one such event by its values: shift + 1 of them."""
    rate = Disc.of(1 / scale)
    steps = np.arange(shift + 1.0)
    masses = (-rate * steps).exp()
    inner = masses[1:-1] * -(-rate).expm1()
    whole = 1 + (-rate).exp()
    values = rate * (shift - 2 * steps)
    return FiniteLoss(values, Disc.joined([masses[:1], inner, masses[-1:]]) / whole)
