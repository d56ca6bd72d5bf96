"""Sums of many reports, in whole numbers and in bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Whole = NDArray[np.int64]

__all__ = ["blocks", "column_sums", "counted", "joint_sums", "walsh"]

#: Cells of a matrix that are looked at together.
_BLOCK = 1 << 20
#: As many ones as fit into a byte.
_BYTE = 255
_SLICE = 1 << 14


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """Yield consecutive slices of rows, of about a million cells each."""
    step = max(1, _BLOCK // columns)
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def counted(numbers: NDArray[Any], bound: int, weights: Whole | None = None) -> Whole:
    """Return how many people sent each of the numbers below a bound."""
    if weights is None:
        return np.bincount(numbers, minlength=bound)
    # Sums of whole numbers are exact in floats here: there are fewer than 2**53 people.
    return np.bincount(numbers, weights, minlength=bound).astype(np.int64)


def column_sums(bits: NDArray[np.uint8], weights: Whole | None = None) -> Whole:
    """Return how many rows have a 1 in each column, each row counted by its weight."""
    if weights is not None:
        return _weighted_sums(bits, weights)
    columns = bits.shape[1]
    wide = max(1, min(_SLICE // columns, len(bits) // _BYTE))
    whole = len(bits) - len(bits) % (_BYTE * wide)
    sums: Whole = bits[whole:].sum(axis=0, dtype=np.int64)
    for start in range(0, whole, _BYTE * wide):
        slices = bits[start : start + _BYTE * wide].reshape(_BYTE, -1)
        few = np.add.reduce(slices, axis=0, dtype=np.uint8).reshape(wide, columns)
        sums += few.sum(axis=0, dtype=np.int64)
    return sums


def _weighted_sums(bits: NDArray[np.uint8], weights: Whole) -> Whole:
    sums = np.zeros(bits.shape[1], dtype=np.int64)
    for part in blocks(*bits.shape):
        sums += (weights[part].astype(np.float64) @ bits[part]).astype(np.int64)
    return sums


def joint_sums(
    rows: NDArray[np.uint8], columns: NDArray[np.uint8], weights: Whole | None = None
) -> Whole:
    """Return how many people have a 1 in each column of one matrix and of another."""
    # A block has fewer than 2**24 rows, and all rows together fewer than 2**53 people.
    kind = np.float32 if weights is None else np.float64
    left: NDArray[Any] = rows.astype(kind)
    if weights is not None:
        left *= weights[:, None]
    return np.asarray(left.T @ columns.astype(kind), dtype=np.int64)


def walsh(counts: Whole) -> Whole:
    """Return the Walsh-Hadamard transform of counts.

    At v it is the sum of the counts whose places have an even number of bits in common with v,
    less the sum of the others.
    """
    half = 1
    while half < len(counts):
        pairs = counts.reshape(-1, 2, half)
        counts = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).ravel()
        half *= 2
    return counts
