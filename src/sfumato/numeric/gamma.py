"""The gamma function of many numbers at once: what its logarithm and its slope are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = ["reciprocal_sum", "stirling_error"]

#: From here on the series are right to the last digits.
_FAR = 16
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
_DIGAMMA = (-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132, 691 / 32760)


def stirling_error(numbers: ArrayLike) -> Floats:
    """Return ln Γ(z) less (z - 1/2) ln z - z + ln(2π)/2, for numbers z of at least 1."""
    given = np.asarray(numbers, dtype=np.float64)
    added, at = np.zeros_like(given), given
    for _ in range(_FAR if given.size and given.min() < _FAR else 0):
        step = (at + 0.5) * np.log1p(1 / at) - 1
        added, at = added + np.where(at < _FAR, step, 0.0), np.where(at < _FAR, at + 1, at)
    return _polynomial(_STIRLING, 1 / at**2) / at + added


def reciprocal_sum(start: float, counts: ArrayLike) -> Floats:
    """Return sums of 1/start, 1/(start + 1), 1/(start + 2) and so on, of so many each.

    That is the digamma function, ψ(start + count) - ψ(start), without what cancels in it.
    """
    given = np.asarray(counts)
    first = np.cumsum(np.append(0.0, 1 / (start + np.arange(_FAR))))
    low, more = start + _FAR, np.maximum(given - _FAR, 0)
    rest = np.log1p(more / low) + _behind_log(low + more) - _behind_log(low)
    return np.asarray(first[np.minimum(given, _FAR)] + rest)


def _behind_log(at: ArrayLike) -> Floats:
    """Return ψ(z) - ln z."""
    inverse = 1 / np.asarray(at, dtype=np.float64)
    return _polynomial(_DIGAMMA, inverse**2) * inverse**2 - inverse / 2


def _polynomial(coefficients: tuple[float, ...], at: Floats) -> Floats:
    found = np.zeros_like(at)
    for each in reversed(coefficients):
        found = found * at + each
    return found
