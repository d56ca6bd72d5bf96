"""Sums of numbers that are only held as logarithms."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["log_mean_exp", "log_sum_exp"]

Floats = NDArray[np.float64]


def log_sum_exp(exponents: Floats, weights: Floats | None = None) -> float:
    """Return ``log(sum(weights * exp(exponents)))`` without overflow; weights default to one.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.numeric import log_sum_exp
    >>> log_sum_exp(np.array([1000.0, 1000.0]))
    1000.6931471805599
    >>> log_sum_exp(np.array([]))
    -inf
    """
    if exponents.size == 0:
        return -math.inf
    top = float(exponents.max())
    if math.isinf(top):
        return top
    scaled = np.exp(exponents - top)
    total = float(scaled.sum() if weights is None else np.dot(weights, scaled))
    return top + math.log(total) if total > 0 else -math.inf


def log_mean_exp(exponents: Floats, weights: Floats) -> float:
    """Return ``log(sum(weights * exp(exponents)))`` for weights that sum to one.

    Accurate when every exponent is close to zero, where the plain sum loses all digits.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.numeric import log_mean_exp
    >>> log_mean_exp(np.array([1e-20, 4e-20]), np.array([0.5, 0.5]))
    2.5e-20
    """
    change = float(np.dot(weights, np.expm1(exponents)))
    return math.log1p(change) if change > -1 else -math.inf
