"""Power means of likelihood ratios, accurate for every order: the mean behind Rényi."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import log_mean_exp, weighted_sum

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.information.intake import Floats

__all__ = ["log_power_mean", "log_ratios", "power_mean_of_logs"]

_SAFE_LOW, _SAFE_HIGH = 1e-280, 1e280
_NEAR_ZERO = 0.25


def log_power_mean(p: Floats, q: Floats | None, power: float) -> float:
    """Return ``log(Σ p · (p/q)**power) / power`` for p that sums to one; without q, q is ones.

    The direct sum serves where it neither overflows nor cancels; otherwise the ratios are
    measured from their extreme and summed in log space.
    """
    if abs(power) >= _NEAR_ZERO:
        ratios = p if q is None else p / q
        total = weighted_sum(p, ratios if power == 1 else ratios**power)
        if _SAFE_LOW < total < _SAFE_HIGH:
            return math.log(total) / power
    if p.min() == 0:
        return log_power_mean(p[p > 0], None if q is None else q[p > 0], power)
    return power_mean_of_logs(log_ratios(p, q), p, power)


def power_mean_of_logs(logs: Floats, weights: Floats, power: float) -> float:
    """Return ``log(Σ weights · exp(power · logs)) / power``, for any power but 0."""
    extreme = float(logs.max() if power > 0 else logs.min())
    if not math.isfinite(extreme):
        return extreme
    return extreme + log_mean_exp(power * (logs - extreme), weights) / power


def log_ratios(p: Floats, q: Floats | None, log: Callable[[Any], Any] = np.log) -> Floats:
    """Return ``log(p/q)``, also where the quotient overflows; infinite where only q is 0."""
    ratios = p if q is None else p / q
    logs: Floats = log(p) - log(q) if q is not None and np.isinf(ratios.max()) else log(ratios)
    return logs
