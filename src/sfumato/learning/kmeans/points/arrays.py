"""Points in memory: blocks small enough for the cache, multiplied by BLAS, a thread a core."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.learning.kmeans.points.grid import (
    WEIGHT_BITS,
    CellCounts,
    Totals,
    cells_at,
    inside_of,
    names_of,
)
from sfumato.learning.kmeans.space import (
    GridBox,
    blocks_of,
    cores,
    in_blocks,
    in_threads,
    pulled_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.space import Ball

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]


def nearest(points: Reals, centres: Reals | Whole) -> Whole:
    """Return which centre each point is nearest to; of two as near, the first."""
    asked = _CentreBlock.of(centres)
    found = in_blocks(
        len(points), lambda rows: asked.scores(points[rows]).argmax(axis=0), width=len(centres)
    )
    return np.concatenate(found)


def add_up(points: Reals, weights: Reals | None, centres: Whole, ball: Ball | None) -> Totals:
    """Add points up by the nearest centre, exactly."""
    asked = _CentreBlock.of(centres)
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
class _CentreBlock:
    """Centres, ready to be compared with points: the nearest has the highest 2x·c - |c|²."""

    centres: Reals
    doubled: Reals
    squares: Reals

    @classmethod
    def of(cls, centres: Reals | Whole) -> _CentreBlock:
        floats = np.ascontiguousarray(centres, dtype=np.float64)
        return cls(floats, 2 * floats, (floats * floats).sum(axis=1, keepdims=True))

    def scores(self, points: Reals, out: Reals | None = None) -> Reals:
        found: Reals = np.matmul(self.doubled, points.T, out=out)
        found -= self.squares
        return found


@dataclass(eq=False)
class _Desk:
    """Where a thread adds up, in arrays that are there for every block: new ones cost more."""

    asked: _CentreBlock
    counts: Whole
    sums: Whole
    scores: Reals
    best: Reals
    highest: NDArray[np.bool_]
    shares: Reals
    apart: Reals

    @classmethod
    def of(cls, asked: _CentreBlock, rows: int, dimensions: int) -> _Desk:
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


@dataclass(frozen=True, eq=False)
class ArrayPoints:
    """Points in an array.

    Parameters
    ----------
    space
        The box they lie in.
    steps
        The points in whole steps, one a row, held as floats.
    weights
        What each weighs, in 1/1024; None where each counts fully.
    """

    space: GridBox
    steps: Reals
    weights: Reals | None = None

    @property
    def fine(self) -> int:
        """What one whole point weighs."""
        return 1 if self.weights is None else 1 << WEIGHT_BITS

    def cells(self, level: int, *, inside: Whole, above: int) -> CellCounts:
        """Count the points by the cells of a level, only within some cells of a level above."""
        names = np.concatenate(
            in_blocks(
                len(self.steps),
                lambda rows: names_of(cells_at(self.steps[rows], level, self.space), level),
            )
        )
        found = self._counted(names)
        if not above:
            return found
        kept = inside_of(found.names, level, inside, above, self.space.dimensions)
        return CellCounts(found.names[kept], found.counts[kept])

    def _counted(self, names: Whole) -> CellCounts:
        if self.weights is None:
            return CellCounts(*np.unique(names, return_counts=True))
        different, which = np.unique(names, return_inverse=True)
        counts = np.bincount(which, self.weights, minlength=len(different))
        return CellCounts(different, counts.astype(np.int64))

    def totals(self, centres: Whole, *, ball: Ball | None) -> Totals:
        """Add points up by the nearest centre; of two as near, the first."""
        return add_up(self.steps, self.weights, centres, ball)
