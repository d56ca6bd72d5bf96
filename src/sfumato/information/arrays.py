"""Entropies and divergences of plain arrays of probabilities, checked by the caller.

Each formula is evaluated as it stands; only where a zero probability turned the result into
0 · ∞ are the zeros taken out and the formula evaluated again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import log_mean_exp, log_sum_exp, weighted_sum

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.information.distribution import Distribution
    from sfumato.information.validate import Floats


_NATIVE: dict[float, Callable[[Any], Any]] = {2.0: np.log2, math.e: np.log, 10.0: np.log10}
_SAFE_LOW, _SAFE_HIGH = 1e-280, 1e280
_NEAR_ZERO = 0.25
#: Below this a divergence is computed again from terms that do not cancel.
_SMALL = 1e-4
#: Below this an order is 0 to all the digits of a float.
_SMALLEST_ORDER = 1e-290
_NEAR_ONE = 0.25


def logarithm(base: float) -> Callable[[Any], Any]:
    """Return the logarithm function of a base."""
    scale = math.log(base)
    return _NATIVE.get(base, lambda x: np.log(x) / scale)


def in_base(nats: float, base: float) -> float:
    """Return an amount of information given in nats in units of another base."""
    return nats if base == math.e else nats / math.log(base)


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


def array_entropy(weights: Floats, order: float, base: float) -> float:
    """Return the Rényi entropy of probabilities, with its exact limits."""
    log = logarithm(base)
    if order == 0:
        return float(log(np.count_nonzero(weights)))
    if order == math.inf:
        return nonnegative(-log(weights.max()))
    if order == 1:
        return nonnegative(-_without_zeros(lambda p: weighted_sum(p, log(p)), weights))
    with np.errstate(all="ignore"):
        return nonnegative(-in_base(log_power_mean(weights, None, order - 1), base))


def array_cross_entropy(p: Floats, q: Floats, base: float) -> float:
    """Return -Σ p log q; infinite where p has mass that q excludes."""
    log = logarithm(base)
    return nonnegative(-_without_zeros(lambda p, q: weighted_sum(p, log(q)), p, q))


def array_divergence(p: Floats, q: Floats, order: float, base: float) -> float:
    """Return the Rényi divergence of two arrays, with its exact limits."""
    log = logarithm(base)
    if order == math.inf:
        return array_max_divergence(p, q, base)
    if order == 0:
        shared = float(q[p > 0].sum())
        return nonnegative(-log(shared)) if shared > 0 else math.inf
    if order == 1:
        value = _without_zeros(lambda p, q: weighted_sum(p, log_ratios(p, q, log)), p, q)
        return in_base(_small_divergence(p, q), base) if value < _SMALL else value
    with np.errstate(all="ignore"):
        return nonnegative(in_base(log_power_mean(p, q, order - 1), base))


def array_max_divergence(p: Floats, q: Floats, base: float) -> float:
    """Return the greatest log ratio; infinite where p has mass that q excludes."""
    log = logarithm(base)

    def greatest(p: Floats, q: Floats) -> float:
        ratio = (p / q).max()
        return float(log_ratios(p, q, log).max() if np.isinf(ratio) else log(ratio))

    return nonnegative(_without_zeros(greatest, p, q))


def arimoto_entropy(weights: Floats, groups: NDArray[np.int64], order: float) -> float:
    """Return Arimoto's conditional entropy in nats; ``groups`` numbers what is known a cell."""
    positive = weights > 0
    mass, codes = weights[positive], np.unique(groups[positive], return_inverse=True)[1]
    if order < _SMALLEST_ORDER:
        return math.log(np.bincount(codes).max())
    best = np.zeros(codes.max() + 1)
    np.maximum.at(best, codes, mass)
    if order == math.inf:
        return -math.log(best.sum())
    known = np.bincount(codes, weights=mass).astype(np.float64)
    norms = _log_norms(mass / known[codes], best / known, codes, order)
    top = float(norms.max())
    return order / (1 - order) * (top + log_mean_exp(norms - top, known))


def _log_norms(shares: Floats, best: Floats, codes: NDArray[np.int64], order: float) -> Floats:
    """Return the log of (Σ shares**order) ** (1/order) in each group, near order 1 too."""
    if abs(order - 1) < _NEAR_ONE:
        changes = shares * np.expm1((order - 1) * np.log(shares))
        return np.log1p(np.bincount(codes, weights=changes)) / order
    # Each group is scaled by its largest share, so that no power under- or overflows.
    sums = np.bincount(codes, weights=(shares / best[codes]) ** order)
    norms: Floats = np.log(best) + np.log(sums) / order
    return norms


def _small_divergence(p: Floats, q: Floats) -> float:
    """Return Σ p log(p/q) in nats as a sum of terms that are 0 or more, so that none cancel."""
    shared = (p > 0) & (q > 0)
    p, q = p[shared], q[shared]
    change = (p - q) / q
    terms = np.maximum((1 + change) * np.log1p(change) - change, 0.0)
    return nonnegative(weighted_sum(q, terms))


def nonnegative(value: float) -> float:
    """Return what is never negative without what rounding put below zero, or the sign of 0."""
    return max(0.0, float(value))


def _without_zeros(formula: Callable[..., float], p: Floats, *others: Floats) -> float:
    """Evaluate a formula; if zeros of p made it undefined, again over the outcomes p allows."""
    with np.errstate(all="ignore"):
        value = float(formula(p, *others))
        if not math.isnan(value):
            return value
        possible = p > 0
        return float(formula(p[possible], *(each[possible] for each in others)))


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
