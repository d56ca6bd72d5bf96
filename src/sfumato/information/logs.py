"""The same measures through logarithms, for exact probabilities that are too small for a float."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.information.arrays import nonnegative
from sfumato.information.logarithm import in_base
from sfumato.information.powers import power_mean_of_logs
from sfumato.numeric import log_sum_exp, weighted_sum

if TYPE_CHECKING:
    from sfumato.information.distribution import Distribution
    from sfumato.information.intake import Floats

_NEAR_ZERO = 0.25

__all__ = ["log_cross_entropy", "log_divergence", "log_entropy"]


def log_entropy(p: Distribution, order: float, base: float) -> float:
    """Return the Rényi entropy: how much less than a uniform one over as many outcomes."""
    logs = p.log_probabilities
    logs = logs[np.isfinite(logs)]
    if order == 0:
        return in_base(math.log(logs.size), base)
    if order == math.inf:
        return nonnegative(in_base(-float(logs.max()), base))
    return nonnegative(-in_base(_mean(logs, logs, order), base))


def log_cross_entropy(p: Distribution, q: Distribution, base: float) -> float:
    """Return -Σ p log q."""
    possible = p.probabilities > 0
    mean = weighted_sum(p.probabilities[possible], q.log_probabilities[possible])
    return nonnegative(in_base(-mean, base))


def log_divergence(p: Distribution, q: Distribution, order: float, base: float) -> float:
    """Return the Rényi divergence, with its limits."""
    left, right = p.log_probabilities, q.log_probabilities
    possible = np.isfinite(left)
    left, right = left[possible], right[possible]
    if order == 0:
        return nonnegative(in_base(-log_sum_exp(right), base))
    ratios = left - right
    if order == math.inf:
        return nonnegative(in_base(float(ratios.max()), base))
    return nonnegative(in_base(_mean(ratios, left, order), base))


def _mean(logs: Floats, log_weights: Floats, order: float) -> float:
    """Return the power mean of ``exp(logs)`` of power order - 1, as a logarithm."""
    power, weights = order - 1, np.exp(log_weights)
    if power == 0:
        return math.inf if np.isinf(logs).any() else weighted_sum(weights, logs)
    if abs(power) < _NEAR_ZERO:
        return power_mean_of_logs(logs, weights, power)
    return log_sum_exp(log_weights + power * logs) / power
