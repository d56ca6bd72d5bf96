"""Blocks of an array, a thread a core: what is multiplied is whole, so that any order is exact."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.learning.kmeans.points.base import Totals
from sfumato.learning.kmeans.points.pulling import pulled_in
from sfumato.learning.kmeans.threads import blocks_of, cores, in_blocks, in_threads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.points.base import Ball

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]

__all__ = ["add_up", "nearest"]


def nearest(points: Reals, centres: Reals | Whole) -> Whole:
    """Return which centre each point is nearest to; of two as near, the first."""
    asked = _Asked.of(centres)
    found = in_blocks(
        len(points), lambda rows: asked.scores(points[rows]).argmax(axis=0), width=len(centres)
    )
    return np.concatenate(found)


def add_up(points: Reals, weights: Reals | None, centres: Whole, ball: Ball | None) -> Totals:
    """Add points up by the nearest centre, exactly."""
    asked = _Asked.of(centres)
    blocks = blocks_of(len(points), len(centres))
    left = iter(blocks)

    def of_thread(desk: _Desk) -> _Desk:
        for rows in left:
            desk.add(points[rows], None if weights is None else weights[rows], ball)
        return desk

    desks = [
        _Desk.of(asked, blocks[0].stop, points.shape[1]) for _ in range(min(cores(), len(blocks)))
    ]
    with _blas().limit(limits=1, user_api="blas"):
        found = in_threads(desks, of_thread)
    return Totals(sum_of(each.counts for each in found), sum_of(each.sums for each in found))


def sum_of(parts: Iterator[Whole]) -> Whole:
    """Return the sum of some arrays of whole numbers."""
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

    def scores(self, points: Reals, out: Reals | None = None) -> Reals:
        found: Reals = np.matmul(self.doubled, points.T, out=out)
        found -= self.squares
        return found


@dataclass(eq=False)
class _Desk:
    """Where a thread adds up, in arrays that are there for every block: new ones cost more."""

    asked: _Asked
    counts: Whole
    sums: Whole
    scores: Reals
    best: Reals
    highest: NDArray[np.bool_]
    shares: Reals
    apart: Reals

    @classmethod
    def of(cls, asked: _Asked, rows: int, dimensions: int) -> _Desk:
        centres = len(asked.centres)
        return cls(
            asked,
            counts=np.zeros(centres, np.int64),
            sums=np.zeros((centres, dimensions), np.int64),
            scores=np.empty((centres, rows)),
            best=np.empty(rows),
            highest=np.empty((centres, rows), np.bool_),
            shares=np.empty((centres, rows)),
            apart=np.empty((rows, dimensions)),
        )

    def add(self, points: Reals, weights: Reals | None, ball: Ball | None) -> None:
        shares = self._shares(points)
        if ball is not None:
            apart = np.matmul(shares.T, self.asked.centres, out=self.apart[: len(points)])
            points = pulled_in(np.subtract(points, apart, out=apart), ball)
        if weights is not None:
            shares *= weights
        self.counts += shares.sum(axis=1).astype(np.int64)
        self.sums += (shares @ points).astype(np.int64)

    def _shares(self, points: Reals) -> Reals:
        """Return 1 for the centre of each point, and 0 for the others."""
        rows = slice(len(points))
        scores = self.asked.scores(points, self.scores[:, rows])
        highest, shares = self.highest[:, rows], self.shares[:, rows]
        np.equal(scores, scores.max(axis=0, out=self.best[rows]), out=highest)
        if np.count_nonzero(highest) != len(points):
            first = np.arange(len(scores))[:, None]
            np.equal(scores.argmax(axis=0), first, out=highest)
        np.copyto(shares, highest)
        return shares


@cache
def _blas() -> Any:
    """Return what holds BLAS to one thread; to find the library takes as long as a block."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
