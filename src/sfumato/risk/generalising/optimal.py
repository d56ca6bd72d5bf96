"""The best of all ways to generalise whole columns, found and proved.

The search is that of Flash :cite:p:`kohlmayer2012flash`, a descendant of Incognito
:cite:p:`lefevre2005incognito` and OLA :cite:p:`elemam2009ola`: chains of ever coarser nodes are
bisected.  A node is left out unseen for one of two reasons only.

- A coarser node fails in a way that every finer one does too.  With k-anonymity and distinct
  l-diversity that is so whatever may be suppressed; with entropy l-diversity and t-closeness it is
  so as long as no row may be.
- A finer node shows that this one loses more than the best: with every row in, each loss grows
  on the way up, and leaving rows out adds to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.generalising.lattice import Lattice, Node, Point, better

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.risk.generalising.losses import LossName

__all__ = ["search_all"]

_SLACK = 1 + 1e-9


def search_all(
    lattice: Lattice, loss: LossName, progress: Callable[[int, int], None] | None = None
) -> Node | None:
    """Return the node that reaches the targets with the least loss, or None if none does.

    Parameters
    ----------
    lattice
        The nodes.
    loss
        What should be least.
    progress
        Told how many nodes are decided, and of how many.
    """
    search = _Search(lattice, loss)
    for place in np.argsort(search.order, axis=None, kind="stable").tolist():
        start = _point(place, lattice.shape)
        if search.is_open(start):
            search.bisect(start)
            search.look(start)
            if progress is not None:
                progress(search.decided, lattice.size)
    return search.best


class _Search:
    """Which nodes are still open, and the best that was seen."""

    def __init__(self, lattice: Lattice, loss: LossName) -> None:
        self.best: Node | None = None
        self.order = lattice.entropy_floors()
        self._lattice = lattice
        self._loss: LossName = loss
        self._floors = self.order.copy() if loss == "entropy" else np.zeros(lattice.shape)
        self._open: NDArray[np.bool_] = np.ones(lattice.shape, dtype=np.bool_)

    @property
    def decided(self) -> int:
        return self._open.size - int(np.count_nonzero(self._open))

    def is_open(self, point: Point) -> bool:
        return bool(self._open[point])

    def bisect(self, start: Point) -> None:
        """Look for the lowest node of a chain that reaches the targets."""
        chain = self._chain(start)
        low, high = 0, len(chain) - 1
        while low <= high:
            middle = (low + high) // 2
            if self.look(chain[middle]):
                high = middle - 1
            else:
                low = middle + 1

    def look(self, point: Point) -> bool:
        """Look at a node, if it is open, and close those it decides; tell if it reaches."""
        node = self._lattice.check(point)
        if not self._open[point]:
            return node.reaches
        self._open[point] = False
        if node.hopeless:
            self._open[tuple(slice(level + 1) for level in point)] = False
        if node.reaches and better(node, self.best, self._loss):
            self.best = node
        self._raise_floors(node)
        return node.reaches

    def _raise_floors(self, node: Node) -> None:
        above = tuple(slice(level, None) for level in node.point)
        np.maximum(self._floors[above], node.floors.of(self._loss), out=self._floors[above])
        if self.best is not None:
            self._open &= self._floors <= self.best.losses.of(self._loss) * _SLACK

    def _chain(self, start: Point) -> list[Point]:
        """Return a way up through open nodes, by the step that loses least each time."""
        chain = [start]
        while steps := self._open_above(chain[-1]):
            chain.append(min(steps, key=lambda each: (self.order[each], each)))
        return chain

    def _open_above(self, point: Point) -> list[Point]:
        return [each for each in _above(point, self._lattice.shape) if self._open[each]]


def _above(point: Point, shape: Point) -> list[Point]:
    return [
        (*point[:place], level + 1, *point[place + 1 :])
        for place, level in enumerate(point)
        if level + 1 < shape[place]
    ]


def _point(place: int, shape: Point) -> Point:
    return tuple(int(each) for each in np.unravel_index(place, shape))
