"""Where to put the line of integration, from real moments alone; also the Rényi bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.privacy.loss import PrivacyLosses

    Reals = NDArray[np.float64]

__all__ = ["Tilt", "best_tilt_for_delta", "best_tilt_for_epsilon", "log_chernoff"]

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
