"""The privacy profile by inverting the moments along a vertical line.

For the sum L of independent losses with moments M(s) = E_P[e^(sL)] and any c > 0,

    delta(eps) = E[(1 - e^(eps - L))+]
               = 1/(2 pi i) * integral over Re s = c of M(s) e^(-s eps) / (s (s + 1)) ds.

The trapezoid rule with step h on that line equals, by Poisson's summation, the sum over all
whole m of e^(m c w) delta(eps + m w) with the window w = 2 pi/h.  Every term is at least 0, so
the rule never falls below delta(eps); what it adds is bounded by delta <= 1 for m < 0 and by
Chernoff's inequality at farther tilts for m > 0.

On a lattice of step g the integrand repeats itself every 2 pi/g up the line, and the kernels of
all periods add up to a closed form: with r the way from epsilon up to the next point,

    e^(-sr)/(1 - e^(-sg)) - e^(-(s+1)r)/(1 - e^(-(s+1)g)).

Proof: :doc:`/proofs/loss-distribution`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import Disc, Enclosure, Ln, cached_property
from sfumato.privacy.loss.base import UP, short, upper_log

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.privacy.inversion.enumeration import Enumeration
    from sfumato.privacy.loss import LossLattice, PrivacyLosses

    Reals = NDArray[np.float64]


_OFFSETS = np.arange(-4.0, 5.0)
_LEAST, _GREATEST = 1e-6, 1e12
#: The ratios of ever finer grids: as fine as an integral needs, and as a bound itself deserves.
_FINE = (4.0, 1.4, 1.08)
_FINEST = (*_FINE, 1.02, 1.004, 1.001)
#: Farther tilts, up to four times as great, must stay below the ceiling.
_SHARE_OF_CEILING = 0.25
#: What is given away, in ln delta, for a greater tilt, and how far one is looked for.
_NEARLY, _DOUBLINGS = 3.0, 30


@dataclass(frozen=True)
class Tilt:
    """A real point c, and the bound that the moment there proves."""

    real: float
    bound: float


def log_chernoff(losses: PrivacyLosses, real: Reals) -> Reals:
    """Return bounds on ln of delta(eps) e^(c eps): the moment at c, times c^c/(1+c)^(1+c).

    The factor is the greatest of (1 - e^-x) e^(-cx) over x > 0.
    """
    logs = losses.log_moment(Disc(real))
    peak = real * np.log(real) - (1 + real) * np.log1p(real)
    bounds = logs.mid.real + logs.rad + peak + 1e-14 * np.abs(peak)
    return np.where(np.isnan(bounds), np.inf, bounds)


def best_tilt_for_delta(losses: PrivacyLosses, log_delta: float) -> Tilt:
    """Return the tilt whose moment proves the least epsilon at a delta.

    The bound is the conversion from Rényi privacy of order 1 + c :cite:p:`canonne2020discrete`.
    """
    return _least(losses, lambda real: (log_chernoff(losses, real) - log_delta) / real)


def best_tilt_for_epsilon(losses: PrivacyLosses, epsilon: float) -> Tilt:
    """Return the least ln delta that a moment proves at an epsilon, and a tilt nearly as good.

    Of the tilts that are nearly as good the greatest needs the fewest nodes.
    """

    def bound(real: Reals) -> Reals:
        return log_chernoff(losses, real) - real * epsilon

    best = _least(losses, bound)
    greatest = min(_GREATEST, losses.ceiling * _SHARE_OF_CEILING)
    real = np.minimum(best.real * 2.0 ** np.arange(_DOUBLINGS), greatest)
    worse = np.flatnonzero(bound(real) > best.bound + _NEARLY)
    return Tilt(float(real[max(worse[0] - 1, 0)] if worse.size else real[-1]), best.bound)


def _least(losses: PrivacyLosses, bound: Callable[[Reals], Reals]) -> Tilt:
    """Minimise over ever finer geometric grids; every point of them is a valid bound."""
    greatest = min(_GREATEST, losses.ceiling * _SHARE_OF_CEILING)
    start = np.array([min(1.0, greatest), *losses.tilts])
    values = bound(start)
    best = Tilt(float(start[values.argmin()]), float(values.min()))
    for ratio in _FINEST if losses.real_only else _FINE:
        while True:
            real = np.clip(best.real * ratio**_OFFSETS, _LEAST, greatest)
            values = bound(real)
            index = int(np.argmin(values))
            improved = values[index] < best.bound
            best = Tilt(float(real[index]), float(values[index])) if improved else best
            if not improved or 0 < index < real.size - 1:
                break
    return best


_FARTHER = 1 + np.array([0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0])
#: What the rule may add and leave out, as a share of delta, where that is cheap.
_SMALL_TERM = 1e-14
_FEW_NODES = 1 << 9
#: How much work, at most, goes into the moments at all nodes.
_MOST_WORK = 1 << 24
_GREATEST_EXPONENT = 700.0
_LEAST_FLOAT = 5e-324
#: A window for losses whose farther moments are beyond the floats.
_FAR = 1e6
#: How far below the epsilon it was laid for a contour is asked, over the tilt.
_REACH = 25.0


class Contour(ABC):
    """Nodes on a vertical line, good for epsilons near the one it is laid for."""

    def __init__(
        self, losses: PrivacyLosses, *, real: float, epsilon: float, log_delta: float
    ) -> None:
        self._losses = losses
        self._real = short(real)
        self.reach = epsilon - _REACH / self._real
        self._aim = math.log(_SMALL_TERM) + log_delta
        self._farther = self._real * _FARTHER
        self._farther_logs = log_chernoff(losses, self._farther)
        self._window = self._needed_window(epsilon)

    def _needed_window(self, epsilon: float) -> float:
        """Return how far apart the copies must lie for their sum to stay below the aim."""
        above = (self._farther_logs - self._farther * epsilon - self._aim) / (
            self._farther - self._real
        )
        return max(-self._aim / self._real, float(above[np.isfinite(above)].min(initial=_FAR)))

    def _copies(self, epsilon: float) -> float:
        """Bound what the rule adds."""
        gaps = (self._farther - self._real) * self._window
        above = self._farther_logs - self._farther * epsilon - _log_expm1(gaps)
        below = -float(_log_expm1(np.array(self._real * self._window)))
        return exp_up(float(np.logaddexp(below, above.min())))

    @abstractmethod
    def middle(self, epsilon: float) -> tuple[float, float]:
        """Return delta and its slope in epsilon, as the nodes give them, without bounds."""

    @abstractmethod
    def delta(self, epsilon: float) -> Enclosure:
        """Return certified bounds on delta at an epsilon."""


class LineContour(Contour):
    """The rule on the whole line, cut where the moments have faded.

    Values that the losses take with positive probability never fade; where they are few they
    are listed and left out of the integral, whose integrand then falls faster.
    """

    def __init__(
        self,
        losses: PrivacyLosses,
        atoms: Enumeration | None,
        *,
        real: float,
        epsilon: float,
        log_delta: float,
        coarse: float,
    ) -> None:
        super().__init__(losses, real=real, epsilon=epsilon, log_delta=log_delta)
        self._atoms = atoms
        step = short(2 * math.pi / self._window)
        self._nodes = self._count(step, epsilon, log_delta + math.log(coarse))
        self._beyond = self._log_tail(self._nodes * step)
        self._s = Disc(self._real + 1j * (step * np.arange(self._nodes + 1)))
        weights = np.full(self._nodes + 1, step / math.pi)
        weights[0] /= 2
        self._kernel = Disc(weights, weights * 1e-15) / (self._s * (self._s + 1))
        self._moments = self._scaled_moments(epsilon)
        self._laid_for = epsilon

    def _count(self, step: float, epsilon: float, enough: float) -> int:
        """Double the nodes until what lies beyond is below the aim, or is small enough."""
        nodes = 16
        while (tail := self._log_tail(nodes * step) - self._real * epsilon) > self._aim:
            if nodes >= _FEW_NODES and tail <= enough:
                break
            if 2 * nodes * self._losses.cost(self._real, 2 * nodes * step) > _MOST_WORK:
                break
            nodes *= 2
        return nodes

    def _scaled_moments(self, epsilon: float) -> Disc:
        """Return M(s) e^(-s eps) at the nodes, less the part that is listed."""
        turn = self._s * epsilon
        whole = (self._losses.log_moment(self._s) - turn).exp()
        if self._atoms is None:
            return whole
        return whole - (self._atoms.log_moment(self._s) - turn).exp()

    def _log_tail(self, height: float) -> float:
        """Bound ln of the sum over the nodes beyond, at epsilon 0: its kernel is below 1/t^2."""
        horizon = self._losses.horizon
        near = far = -math.inf
        if height < horizon:
            near = self._log_rest(self._losses.log_envelope(self._real, height)) - math.log(height)
        if not math.isinf(horizon):
            start = max(height, horizon)
            far = self._losses.log_forever(self._real, start) - math.log(start)
        return float(np.logaddexp(near, far)) - math.log(math.pi)

    def _log_rest(self, log_whole: float) -> float:
        """Return ln of a bound less the listed part, which never fades."""
        if self._atoms is None:
            return log_whole
        listed = self._atoms.log_moment(Disc(np.array([self._real])))
        share = min(float(listed.mid[0] - listed.rad[0]) - log_whole, 0.0)
        return log_whole + math.log(max(-math.expm1(share), 1e-12))

    def _terms(self, epsilon: float) -> Disc:
        shift = epsilon - self._laid_for
        return self._moments * (-self._s * shift).exp() * self._kernel

    def middle(self, epsilon: float) -> tuple[float, float]:
        """Return delta and its slope in epsilon, as the nodes give them, without bounds."""
        shift = epsilon - self._laid_for
        terms = self._moments.mid * np.exp(-self._s.mid * shift) * self._kernel.mid
        value, slope = float(terms.sum().real), -float((terms * self._s.mid).sum().real)
        if self._atoms is None:
            return value, slope
        listed, listed_slope = self._atoms.middle(epsilon)
        return value + listed, slope + listed_slope

    def delta(self, epsilon: float) -> Enclosure:
        """Return certified bounds on delta at an epsilon."""
        total = self._terms(epsilon).sum()
        around = float(total.rad) + exp_up(self._beyond - self._real * epsilon)
        lower = float(total.mid.real) - around - self._copies(epsilon)
        upper = float(total.mid.real) + around
        if self._atoms is None:
            return enclosed(lower, upper)
        listed = self._atoms.delta(epsilon)
        return enclosed(max(lower, 0.0) + listed.lower, upper + listed.upper)


def enclosed(lower: float, upper: float) -> Enclosure:
    """Return the enclosure; what is not a number bounds nothing."""
    return Enclosure(
        -math.inf if math.isnan(lower) else lower, math.inf if math.isnan(upper) else upper
    )


def exp_up(value: float) -> float:
    """Return e to the power, rounded up generously."""
    return max(math.exp(min(value, _GREATEST_EXPONENT)) * UP, _LEAST_FLOAT)


def _log_expm1(value: np.ndarray) -> np.ndarray:
    return np.asarray(np.log(np.expm1(np.minimum(value, _GREATEST_EXPONENT))))


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
