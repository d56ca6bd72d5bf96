"""Blocks of an array, a thread a core: what is multiplied is whole, so that any order is exact."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.learning.kmeans.points.base import Totals
from sfumato.learning.kmeans.points.pulling import pulled_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.points.base import Ball

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]

__all__ = ["add_up", "in_blocks", "nearest"]

#: How many numbers a block of scores has, so that it stays in the processor's cache.
_NUMBERS = 1 << 17
_LEAST_ROWS, _MOST_ROWS = 1 << 11, 1 << 15

Found = TypeVar("Found")


def in_blocks(
    rows: int, found: Callable[[slice], Found], *, width: int = 8, threads: int | None = None
) -> list[Found]:
    """Return what is found of each block of so many rows, in order.

    Examples
    --------
    >>> from sfumato.learning.kmeans.points.blocks import in_blocks
    >>> in_blocks(40_000, lambda rows: rows.stop - rows.start)
    [16384, 16384, 7232]
    """
    size = min(max(_NUMBERS // width, _LEAST_ROWS), _MOST_ROWS)
    blocks = [slice(at, min(at + size, rows)) for at in range(0, max(rows, 1), size)]
    workers = min(threads or _cores(), len(blocks))
    if workers == 1:
        return [found(each) for each in blocks]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(found, blocks))


def nearest(points: Reals, centres: Reals | Whole) -> Whole:
    """Return which centre each point is nearest to; of two as near, the first.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.learning.kmeans.points.blocks import nearest
    >>> nearest(np.array([[0.0], [9.0], [5.0]]), np.array([[0.0], [10.0]])).tolist()
    [0, 1, 0]
    """
    asked = _Asked.of(centres)
    found = in_blocks(
        len(points), lambda rows: asked.scores(points[rows]).argmax(axis=0), width=len(centres)
    )
    return np.concatenate(found)


def add_up(points: Reals, weights: Reals | None, centres: Whole, ball: Ball | None) -> Totals:
    """Add points up by the nearest centre, exactly.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.learning.kmeans.points.blocks import add_up
    >>> found = add_up(np.array([[1.0], [9.0]]), None, np.array([[0], [10]]), None)
    >>> found.counts.tolist(), found.sums.tolist()
    ([1, 1], [[1], [9]])
    """
    from threadpoolctl import threadpool_limits

    asked = _Asked.of(centres)

    def of_block(rows: slice) -> tuple[Whole, Whole]:
        weight = None if weights is None else weights[rows]
        return asked.totals(points[rows], weight, ball)

    with threadpool_limits(1, user_api="blas"):
        found = in_blocks(len(points), of_block, width=len(centres))
    return Totals(sum_of(each for each, _ in found), sum_of(each for _, each in found))


def sum_of(parts: Iterator[Whole]) -> Whole:
    """Return the sum of some arrays of whole numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.learning.kmeans.points.blocks import sum_of
    >>> sum_of(iter([np.array([1, 2]), np.array([3, 4])])).tolist()
    [4, 6]
    """
    total = next(parts).copy()
    for each in parts:
        total += each
    return total


@dataclass(frozen=True, eq=False)
class _Asked:
    """Centres, ready to be compared with points: the nearest has the highest 2x·c - |c|²."""

    centres: Reals
    doubled: Reals
    squares: Reals

    @classmethod
    def of(cls, centres: Reals | Whole) -> _Asked:
        floats = np.ascontiguousarray(centres, dtype=np.float64)
        return cls(floats, 2 * floats, (floats * floats).sum(axis=1, keepdims=True))

    def scores(self, points: Reals) -> Reals:
        found: Reals = self.doubled @ points.T
        found -= self.squares
        return found

    def totals(
        self, points: Reals, weights: Reals | None, ball: Ball | None
    ) -> tuple[Whole, Whole]:
        scores = self.scores(points)
        shares = (scores == scores.max(axis=0)).astype(np.float64)
        if shares.sum() != len(points) or ball is not None:
            labels = scores.argmax(axis=0)
            shares = (labels == np.arange(len(self.centres))[:, None]).astype(np.float64)
            if ball is not None:
                points = pulled_in(points - self.centres[labels], ball)
        if weights is not None:
            shares *= weights
        return shares.sum(axis=1).astype(np.int64), (shares @ points).astype(np.int64)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
