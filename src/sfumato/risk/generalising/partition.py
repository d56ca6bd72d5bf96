"""Equivalence classes once columns are generalised, and what each of them holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.generalising.grouping import distinct, summed
from sfumato.risk.generalising.measures import Spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.risk.generalising.cells import Cells

__all__ = ["Partition", "finest"]


@dataclass(frozen=True, eq=False)
class Partition:
    """Equivalence classes.

    Attributes
    ----------
    members
        One cell of each class, which stands for all of it.
    sizes
        How many rows each class has.
    spreads
        What the classes hold of each sensitive column.
    """

    members: NDArray[np.int64]
    sizes: NDArray[np.int64]
    spreads: tuple[Spread, ...]

    def merged(self, keys: NDArray[np.int64]) -> Partition:
        """Return the classes with those in one that have the same key."""
        first, group = distinct(keys)
        return Partition(
            self.members[first],
            summed(self.sizes, group, len(first)),
            tuple(_merged(each, group) for each in self.spreads),
        )

    def only(self, kept: NDArray[np.bool_]) -> Partition:
        """Return some of the classes."""
        place = np.cumsum(kept) - 1
        return Partition(
            self.members[kept],
            self.sizes[kept],
            tuple(_only(each, kept, place) for each in self.spreads),
        )


def finest(cells: Cells) -> Partition:
    """Return the classes of the table as it is: each cell is one."""
    spreads = tuple(
        Spread(each.owner, each.value, each.counts, each.size, each.ranks) for each in cells.secrets
    )
    return Partition(np.arange(len(cells.counts)), cells.counts, spreads)


def _merged(spread: Spread, group: NDArray[np.int64]) -> Spread:
    owner = group[spread.owner]
    first, pair = distinct(owner * spread.size + spread.value)
    counts = summed(spread.counts, pair, len(first))
    return Spread(owner[first], spread.value[first], counts, spread.size, spread.ranks)


def _only(spread: Spread, kept: NDArray[np.bool_], place: NDArray[np.int64]) -> Spread:
    inside = kept[spread.owner]
    owner = place[spread.owner[inside]]
    value, counts = spread.value[inside], spread.counts[inside]
    return Spread(owner, value, counts, spread.size, spread.ranks)
