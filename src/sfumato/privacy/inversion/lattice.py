"""The inversion for losses on a lattice: one period of the line leaves nothing out.

On a lattice of step g the integrand repeats itself every 2 pi/g up the line, and the kernels of
all periods add up to a closed form: with r the way from epsilon up to the next point,

    e^(-sr)/(1 - e^(-sg)) - e^(-(s+1)r)/(1 - e^(-(s+1)g)).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import Disc, Enclosure, Ln
from sfumato.numeric.cached import cached_property
from sfumato.privacy.inversion.contour import Contour, enclosed, exp_up
from sfumato.privacy.loss.base import upper_log

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy.loss import LossLattice, PrivacyLosses

__all__ = ["LatticeContour", "nodes_of_period"]

_ROUNDING = 2.0**-48


def nodes_of_period(lattice: LossLattice, window: float) -> float:
    """Return how many nodes one period needs."""
    step = _float(lattice.step, lattice.unit)
    return window / step if step > 0 else math.inf


class LatticeContour(Contour):
    """The rule on one period."""

    def __init__(
        self,
        losses: PrivacyLosses,
        lattice: LossLattice,
        *,
        real: float,
        epsilon: float,
        log_delta: float,
    ) -> None:
        super().__init__(losses, real=real, epsilon=epsilon, log_delta=log_delta)
        self._lattice = lattice
        self._step = _float(lattice.step, lattice.unit)
        self._nodes = 2 * max(1, math.ceil(self._window / self._step / 2))
        self._window = self._nodes * self._step * (1 - _ROUNDING)
        height = (2 * math.pi / (self._nodes * self._step)) * np.arange(self._nodes // 2 + 1)
        self._s = Disc(self._real + 1j * height, height * _ROUNDING)
        self._weights = np.full(height.size, 2.0 / self._nodes)
        self._weights[[0, -1]] /= 2
        self._laid_for = epsilon
        self._moments = (losses.log_moment(self._s) - self._s * epsilon).exp()
        on_axis = losses.log_moment(Disc(np.array([self._real])))
        self._log_mass = upper_log(on_axis)

    def _way_up(self, epsilon: float) -> tuple[float, float]:
        """Return how far the next point of the lattice is above epsilon, and how surely."""
        unit = Fraction(1) if self._lattice.unit is None else Fraction(float(self._lattice.unit))
        way = (self._lattice.offset * unit - Fraction(epsilon)) % (self._lattice.step * unit)
        reach = abs(epsilon) + abs(float(self._lattice.offset * unit)) + self._step
        return float(way), reach * _ROUNDING

    def _folded(self, epsilon: float) -> Disc:
        """Return the kernel of all periods together."""
        r, s = Disc(*self._way_up(epsilon)), self._s
        here, beyond = self._all_periods
        first, second = (-s * r).exp() * here, (-(s + 1) * r).exp() * beyond
        return (first - second) * self._weights

    @cached_property
    def _all_periods(self) -> tuple[Disc, Disc]:
        """What sums the kernels of all periods, which is the same at every epsilon."""
        g, s = Disc(self._step, self._step * _ROUNDING), self._s
        return (-(-s * g).expm1()).reciprocal(), (-(-(s + 1) * g).expm1()).reciprocal()

    def _terms(self, epsilon: float) -> Disc:
        shift = epsilon - self._laid_for
        return self._moments * (-self._s * shift).exp() * self._folded(epsilon)

    def middle(self, epsilon: float) -> tuple[float, float]:
        """Return delta and its slope in epsilon, as the nodes give them, without bounds."""
        nudge = 1e-7 * self._step
        points = (epsilon, epsilon + nudge)
        here, above = (float(self._middles(each).sum().real) for each in points)
        return here, (above - here) / nudge

    def _middles(self, epsilon: float) -> NDArray[Any]:
        """Return the middles of the terms to the last bit, in a third of the time.

        Each product is of named arrays: NumPy rounds otherwise where it writes into a nameless one.
        """
        way, shift = self._way_up(epsilon)[0], epsilon - self._laid_for
        down, further = -self._s.mid, -(self._s.mid + 1)
        here, beyond = (each.mid for each in self._all_periods)
        one, other, turned = _exp(down * way), _exp(further * way), _exp(down * shift)
        first, second = one * here, other * beyond
        apart = first - second
        folded, moments = apart * self._weights, self._moments.mid * turned
        return np.asarray(moments * folded)

    def delta(self, epsilon: float) -> Enclosure:
        """Return certified bounds on delta at an epsilon."""
        total = self._terms(epsilon).sum()
        # A point of the lattice within rounding of epsilon may be counted or not.
        beside = 2 * self._way_up(epsilon)[1] * exp_up(self._log_mass - self._real * epsilon)
        around = float(total.rad) + beside
        middle = float(total.mid.real)
        return enclosed(middle - around - self._copies(epsilon), middle + around)


def _exp(z: NDArray[Any]) -> NDArray[Any]:
    """Return e to the power, as ``Disc`` does."""
    size = np.exp(z.real)
    return np.asarray(size * np.asarray(np.cos(z.imag) + 1j * np.sin(z.imag)))


def _float(coefficient: Fraction, unit: Ln | None) -> float:
    return float(coefficient) * (1.0 if unit is None else float(unit))
