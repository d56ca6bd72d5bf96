"""Means of powers of likelihood ratios, accurate for every order: the sum behind Rényi."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import log_mean_exp, log_sum_exp

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.information.intake import Floats

__all__ = ["log_power_mean", "log_ratios"]

_SAFE_LOW, _SAFE_HIGH = 1e-280, 1e280
_NEAR_ZERO = 0.25


def log_power_mean(p: Floats, q: Floats | None, power: float) -> float:
    """Return ``log Σ p · (p/q)**power`` for p that sums to one; without q the ratios are p itself.

    The direct sum serves where it neither overflows nor cancels; otherwise the sum is taken in
    log space, and near power 0, where it is close to one, through ``expm1``.
    """
    if abs(power) >= _NEAR_ZERO:
        ratios = p if q is None else p / q
        total = float(np.dot(p, ratios if power == 1 else ratios**power))
        if _SAFE_LOW < total < _SAFE_HIGH:
            return math.log(total)
    if p.min() == 0:
        return log_power_mean(p[p > 0], None if q is None else q[p > 0], power)
    exponents = power * log_ratios(p, q)
    if exponents.max() < 1:
        mean = log_mean_exp(exponents, p)
        if mean > -1:
            return mean
    return log_sum_exp(exponents, p)


def log_ratios(p: Floats, q: Floats | None, log: Callable[[Any], Any] = np.log) -> Floats:
    """Return ``log(p/q)``, also where the quotient overflows; infinite where only q is 0."""
    ratios = p if q is None else p / q
    logs: Floats = log(p) - log(q) if q is not None and np.isinf(ratios.max()) else log(ratios)
    return logs
