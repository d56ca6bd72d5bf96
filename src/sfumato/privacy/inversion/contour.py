"""The privacy profile by inverting the moments along a vertical line.

For the sum L of independent losses with moments M(s) = E_P[e^(sL)] and any c > 0,

    delta(eps) = E[(1 - e^(eps - L))+]
               = 1/(2 pi i) * integral over Re s = c of M(s) e^(-s eps) / (s (s + 1)) ds.

The trapezoid rule with step h on that line equals, by Poisson's summation, the sum over all
whole m of e^(m c w) delta(eps + m w) with the window w = 2 pi/h.  Every term is at least 0, so
the rule never falls below delta(eps); what it adds is bounded by delta <= 1 for m < 0 and by
Chernoff's inequality at farther tilts for m > 0.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc, Enclosure
from sfumato.privacy.inversion.tilt import log_chernoff
from sfumato.privacy.loss.base import short

if TYPE_CHECKING:
    from sfumato.privacy.inversion.enumeration import Enumeration
    from sfumato.privacy.loss import PrivacyLosses

__all__ = ["Contour", "LineContour"]

_FARTHER = 1 + np.array([0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0])
#: What the rule may add and leave out, as a share of delta, where that is cheap.
_FINE = 1e-14
_FEW_NODES = 1 << 9
#: How much work, at most, goes into the moments at all nodes.
_MOST_WORK = 1 << 24
_GREATEST_EXPONENT = 700.0
_LEAST_FLOAT = 5e-324
#: A window for losses whose farther moments are beyond the floats.
_FAR = 1e6
_UP = 1 + 1e-9
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
        self._aim = math.log(_FINE) + log_delta
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
    return max(math.exp(min(value, _GREATEST_EXPONENT)) * _UP, _LEAST_FLOAT)


def _log_expm1(value: np.ndarray) -> np.ndarray:
    return np.asarray(np.log(np.expm1(np.minimum(value, _GREATEST_EXPONENT))))
