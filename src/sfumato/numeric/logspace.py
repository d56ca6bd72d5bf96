"""Sums of numbers that are only held as logarithms."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_BLOCK = 1 << 16
#: Above this the difference from one has as many digits as the sum.
_SURELY_ACCURATE = -0.5


def weighted_sum(weights: Floats, values: Floats) -> float:
    """Return the sum of products: block by block, and exactly across the blocks.

    The dot product of the linear-algebra library depends on its threads, and waits for them.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.numeric import weighted_sum
    >>> weighted_sum(np.array([0.25, 0.75]), np.array([2.0, 4.0]))
    3.5
    """
    blocks = (slice(start, start + _BLOCK) for start in range(0, weights.size, _BLOCK))
    return math.fsum(np.einsum("i,i", weights[block], values[block]) for block in blocks)


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
    if weights is not None and not weights.all():
        exponents, weights = exponents[weights > 0], weights[weights > 0]
    if exponents.size == 0:
        return -math.inf
    top = float(exponents.max())
    if not math.isfinite(top):
        return top
    scaled = np.exp(exponents - top)
    return top + math.log(scaled.sum() if weights is None else weighted_sum(weights, scaled))


def log_mean_exp(exponents: Floats, weights: Floats) -> float:
    """Return ``log(sum(weights * exp(exponents)))`` for weights that sum to one.

    Where every exponent is close to zero the sum is close to one, and the plain logarithm would
    lose all digits; there it is taken of the difference from one.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.numeric import log_mean_exp
    >>> log_mean_exp(np.array([1e-20, 4e-20]), np.array([0.5, 0.5]))
    2.5e-20
    """
    if exponents.max(initial=0.0) < 1:
        change = weighted_sum(weights, np.expm1(exponents))
        if change > _SURELY_ACCURATE:
            return math.log1p(change)
    return log_sum_exp(exponents, weights)
