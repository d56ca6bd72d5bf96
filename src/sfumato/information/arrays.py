"""Entropies and divergences of plain arrays of probabilities, checked by the caller.

Each formula is evaluated as it stands; only where a zero probability turned the result into
0 · ∞ are the zeros taken out and the formula evaluated again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.information.logarithm import in_base, logarithm
from sfumato.information.powers import log_power_mean, log_ratios

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.information.intake import Floats

__all__ = [
    "arimoto_entropy",
    "array_cross_entropy",
    "array_divergence",
    "array_entropy",
    "array_max_divergence",
    "nonnegative",
]


def array_entropy(weights: Floats, order: float, base: float) -> float:
    """Return the Rényi entropy of probabilities, with its exact limits."""
    log = logarithm(base)
    if order == 0:
        return float(log(np.count_nonzero(weights)))
    if order == math.inf:
        return nonnegative(-log(weights.max()))
    if order == 1:
        return nonnegative(-_without_zeros(lambda p: np.dot(p, log(p)), weights))
    with np.errstate(all="ignore"):
        mean = log_power_mean(weights, None, order - 1)
    return nonnegative(-in_base(mean, base) / (order - 1))


def array_cross_entropy(p: Floats, q: Floats, base: float) -> float:
    """Return -Σ p log q; infinite where p has mass that q excludes."""
    log = logarithm(base)
    return nonnegative(-_without_zeros(lambda p, q: np.dot(p, log(q)), p, q))


def array_divergence(p: Floats, q: Floats, order: float, base: float) -> float:
    """Return the Rényi divergence of two arrays, with its exact limits."""
    log = logarithm(base)
    if order == math.inf:
        return array_max_divergence(p, q, base)
    if order == 0:
        shared = float(q[p > 0].sum())
        return nonnegative(-log(shared)) if shared > 0 else math.inf
    if order == 1:
        return nonnegative(_without_zeros(lambda p, q: np.dot(p, log_ratios(p, q, log)), p, q))
    with np.errstate(all="ignore"):
        mean = log_power_mean(p, q, order - 1)
    return nonnegative(in_base(mean / (order - 1), base))


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
    if order == 0:
        return math.log(np.bincount(codes).max())
    best = np.zeros(codes.max() + 1)
    np.maximum.at(best, codes, mass)
    if order == math.inf:
        return -math.log(best.sum())
    # Each group is scaled by its largest cell, so that no power under- or overflows.
    inner = np.bincount(codes, weights=(mass / best[codes]) ** order)
    return order / (1 - order) * math.log(np.dot(best, inner ** (1 / order)))


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
