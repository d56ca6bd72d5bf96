"""A private synopsis: cells of the box, and how much the points in each weigh, with noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.learning.kmeans.points.grid import (
    most_levels,
    names_of,
    parents,
    places_of,
    sides,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.plan import Synopsis, TableChange
    from sfumato.learning.kmeans.points.grid import CellCounts, GridPoints
    from sfumato.learning.kmeans.space import GridBox
    from sfumato.mechanisms import PrivateTree
    from sfumato.sampling import BitSource

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]


#: So many levels are counted in one pass over the points.
_AT_ONCE = 12
#: More cells than so many gain nothing.
_MOST_CELLS = 1 << 14


@dataclass(frozen=True, eq=False)
class SynopsisCells:
    """Cells with noisy counts.

    Parameters
    ----------
    middles
        The middle of each cell, in steps.
    halves
        Half the length of its sides, in steps.
    counts
        What the points in it weigh, in points, with noise.
    scale
        The scale of that noise.
    """

    middles: Reals
    halves: Reals
    counts: Reals
    scale: float

    def above(self, scales: float) -> Reals:
        """Return the counts that are above so many noise scales, and 0 for others."""
        return np.where(self.counts > scales * self.scale, self.counts, 0.0)


def noisy_cells(
    points: GridPoints, plan: Synopsis, change: TableChange, source: BitSource
) -> SynopsisCells:
    """Split the box into cells, privately where a tree is planned, and count with noise.

    Of a ball it is the box around it; a cell that lies outside the ball is known to be empty.
    """
    tree = plan.splitting(change, most_levels(points.space) - plan.level)
    leaves = list(_leaves(points, plan.level, tree, source))
    exact = np.concatenate([counts for _, _, counts in leaves])
    mechanism = plan.counting(change)
    noisy = np.asarray(mechanism.release(exact, source=source).value, dtype=np.float64)
    boxes = [_boxes(names, level, points.space) for level, names, _ in leaves]
    middles, halves = (np.concatenate(each) for each in zip(*boxes, strict=True))
    reached = points.space.reached(middles, halves)
    return SynopsisCells(
        points.space.inside(middles),
        halves,
        np.where(reached, noisy, 0.0) / points.fine,
        float(mechanism.scale) / points.fine,
    )


def _leaves(
    points: GridPoints, root: int, tree: PrivateTree | None, source: BitSource
) -> Iterator[tuple[int, Whole, Whole]]:
    """Yield the cells that are not split, level by level, with their exact counts."""
    level, names, left = root, np.arange(1 << root, dtype=np.int64), _MOST_CELLS
    last = root if tree is None else most_levels(points.space)
    while len(names):
        deep = min(level + _AT_ONCE, last)
        found = points.cells(deep, inside=names, above=level)
        while len(names) and level <= deep:
            counts = _counts_at(found, deep, level, names, points.space.dimensions)
            split = _split(tree, counts, level - root, left, source)
            yield level, names[~split], counts[~split]
            left -= int((~split).sum())
            names = _halved(names[split], level, points.space.dimensions)
            level += 1


def _split(
    tree: PrivateTree | None, counts: Whole, depth: int, left: int, source: BitSource
) -> NDArray[np.bool_]:
    """Return which cells are split; none once there would be too many, which all can see."""
    if tree is None or 2 * len(counts) > left:
        return np.zeros(len(counts), dtype=np.bool_)
    return tree.splits(counts, depth, source=source)


def _counts_at(found: CellCounts, deep: int, level: int, names: Whole, dimensions: int) -> Whole:
    """Return the counts of cells of a level from those of the cells within them."""
    around = names_of(parents(places_of(found.names, deep, dimensions), deep, level), level)
    order = np.argsort(names)
    at = order[np.searchsorted(names, around, sorter=order).clip(max=len(names) - 1)]
    inside = names[at] == around
    counts = np.zeros(len(names), dtype=np.int64)
    np.add.at(counts, at[inside], found.counts[inside])
    return counts


def _halved(names: Whole, level: int, dimensions: int) -> Whole:
    """Return the two halves of each cell."""
    places = np.repeat(places_of(names, level, dimensions), 2, axis=0)
    coordinate = level % dimensions
    places[:, coordinate] = 2 * places[:, coordinate] + np.arange(len(places)) % 2
    return names_of(places, level + 1)


def _boxes(names: Whole, level: int, space: GridBox) -> tuple[Reals, Reals]:
    """Return the middles of cells and half their sides, in steps."""
    lengths = sides(level, space)
    places = places_of(names, level, space.dimensions)
    middles = places * lengths + lengths / 2 - space.unit
    return middles, np.broadcast_to(lengths / 2, middles.shape)
