"""Cells generalised one by one: cut the people into regions, as small as the targets allow.

Strict multidimensional Mondrian :cite:p:`lefevre2006mondrian`: a region is cut in two at the median
of its widest column, again and again, as long as both parts reach the targets.  A merge of parts
that reach them does too, so it is enough to look at one cut at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InputError
from sfumato.risk.generalising.partition import Partition, finest
from sfumato.risk.generalising.reaching import failing_classes
from sfumato.risk.generalising.recoding import Recoding
from sfumato.risk.generalising.regions import Scale, label_regions, scale_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.cells import Cells
    from sfumato.risk.generalising.ladder import Ladder
    from sfumato.risk.generalising.targets import Targets

__all__ = ["check_cuts", "cut_regions"]


def check_cuts(cells: Cells, ladders: Sequence[Ladder]) -> None:
    """Refuse hierarchies that were given for columns that are cut at medians instead."""
    for column, ladder in zip(cells.columns, ladders, strict=True):
        if not ladder.made and scale_of(column, ladder).measured:
            raise InputError(
                "E-ARGUMENT-CONFLICT",
                "the column {column!r} is given a hierarchy, and mondrian cuts numbers and "
                "dates at their own medians",
                "give it none, or choose another method",
                column=column.name,
            )


def cut_regions(
    cells: Cells,
    ladders: Sequence[Ladder],
    targets: Targets,
    progress: Callable[[int, int], None] | None = None,
) -> Recoding | None:
    """Return what becomes of each cell, or None where not even the whole table is enough.

    Parameters
    ----------
    cells
        The table in short.
    ladders
        The levels of each quasi-identifier: they say which categories are near each other, and
        what several are called together; numbers and dates are near by size.
    targets
        What the classes should be.
    progress
        Told how many cells are in regions that are final, and of how many.
    """
    whole = finest(cells)
    everyone = np.ones(len(whole.sizes), dtype=np.bool_)
    cutting = _Cutting(
        [scale_of(*each) for each in zip(cells.columns, ladders, strict=True)],
        targets,
        [each.of_table(everyone) for each in whole.spreads],
    )
    if cutting.fails(whole):
        return None
    regions: list[Partition] = []
    done = 0
    for region in cutting.regions(whole):
        regions.append(region)
        done += len(region.sizes)
        if progress is not None:
            progress(done, len(whole.sizes))
    columns = [label_regions(each, regions, cells.counts) for each in cutting.scales]
    return Recoding(tuple(columns), everyone)


@dataclass(frozen=True, eq=False)
class _Cutting:
    """How regions are cut.

    Attributes
    ----------
    scales
        The columns.
    targets
        What each region should be.
    tables
        The shares of each sensitive column in the whole table.
    """

    scales: Sequence[Scale]
    targets: Targets
    tables: Sequence[NDArray[np.float64]]

    def regions(self, whole: Partition) -> Iterator[Partition]:
        """Yield the regions that can be cut no further, each as the cells in it."""
        waiting = [whole]
        while waiting:
            region = waiting.pop()
            parts = self._cut(region)
            if parts:
                waiting += parts
            else:
                yield region

    def fails(self, region: Partition) -> bool:
        """Tell whether a region, as one class, misses a target."""
        one = region.merged(np.zeros(len(region.sizes), dtype=np.int64))
        return bool(failing_classes(self.targets, one, self.tables).any())

    def _cut(self, region: Partition) -> list[Partition]:
        """Return both parts of the first cut that may be, the widest column first."""
        if region.sizes.sum() < 2 * self.targets.k:
            return []
        for scale in sorted(self.scales, key=lambda each: -each.width(region.members)):
            left = _median_cut(scale.ranks[region.members], region.sizes, self.targets.k)
            if left is not None:
                parts = [region.only(~left), region.only(left)]
                if not any(map(self.fails, parts)):
                    return parts
        return []


def _median_cut(
    ranks: NDArray[np.int64], sizes: NDArray[np.int64], k: int
) -> NDArray[np.bool_] | None:
    """Return which cells lie left of the cut nearest to the median that leaves k rows each."""
    found, place = np.unique(ranks, return_inverse=True)
    left = np.cumsum(np.bincount(place, sizes))[:-1]
    total = sizes.sum()
    may_be = np.minimum(left, total - left) >= k
    if not may_be.any():
        return None
    off = np.where(may_be, np.abs(2 * left - total), np.inf)
    is_left: NDArray[np.bool_] = ranks <= found[np.argmin(off)]
    return is_left
