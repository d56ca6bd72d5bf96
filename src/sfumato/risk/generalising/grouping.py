"""Telling apart combinations of small numbers, and adding up what each has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["combined", "distinct", "summed"]

_MOST_KEYS = 2**62


def combined(codes: Sequence[NDArray[np.int64]], sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return one number a row for its combination of codes, each below its size."""
    keys = np.zeros(len(codes[0]), dtype=np.int64)
    span = 1
    for code, size in zip(codes, sizes, strict=True):
        if span * size > _MOST_KEYS:
            keys = np.unique(keys, return_inverse=True)[1]
            span = len(keys)
        keys = keys * size + code
        span *= size
    return keys


def distinct(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each key is first, the keys in order, and for each row which one it has."""
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    return first, group


def summed(amounts: NDArray[np.int64], group: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the sum of the amounts in each group; sums below 2**53 are exact."""
    return np.bincount(group, weights=amounts, minlength=count).astype(np.int64)
