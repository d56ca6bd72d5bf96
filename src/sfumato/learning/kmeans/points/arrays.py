"""Points in memory: blocks small enough for the cache, multiplied by BLAS, a thread a core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.learning.kmeans.cells import cells_at, inside_of, names_of
from sfumato.learning.kmeans.points.base import WEIGHT_BITS, CellCounts
from sfumato.learning.kmeans.points.blocks import add_up
from sfumato.learning.kmeans.threads import in_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.learning.kmeans.points.base import Ball, Totals
    from sfumato.learning.kmeans.space import Space

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]

__all__ = ["ArrayPoints"]


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

    space: Space
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
