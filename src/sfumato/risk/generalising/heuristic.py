"""A good way to make whole columns coarser where there are too many to look at them all.

Steps up from the table as it is, each time by the column that gains most for what it loses, until
the targets are reached; then steps down and sideways as long as that loses less.  The same is
tried downwards from the coarsest table, and the better of the two is taken.  Greedy steps are those
of Datafly :cite:p:`sweeney2002datafly`; the refinement after them is a local search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.risk.generalising.lattice import Lattice, Node, Point, better

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.risk.generalising.losses import LossName

__all__ = ["climb_and_descend"]

_MOST_NODES = 5_000


def climb_and_descend(
    lattice: Lattice, loss: LossName, progress: Callable[[int, int], None] | None = None
) -> Node | None:
    """Return a node that reaches the targets with little loss, or None if none was found.

    Parameters
    ----------
    lattice
        The nodes.
    loss
        What should be small.
    progress
        Told how many nodes were looked at, and how many may be.
    """
    best: Node | None = None
    for start in (_climbed(lattice, loss), lattice.check(lattice.top)):
        found = _refined(lattice, start, loss, progress) if start.reaches else None
        if found is not None and better(found, best, loss):
            best = found
    return best


def _climbed(lattice: Lattice, loss: LossName) -> Node:
    """Return the first node that reaches the targets on a greedy way up, or the last node."""
    node = lattice.check((0,) * len(lattice.shape))
    while not node.reaches and (above := list(_steps(node.point, lattice.shape, 1))):
        here = node
        node = min(
            (lattice.check(each) for each in above),
            key=lambda each: (_price(here, each, loss), each.point),
        )
    return node


def _price(below: Node, above: Node, loss: LossName) -> float:
    """Return what a step up loses for each row that it saves from being left out."""
    saved = below.left_out - above.left_out
    lost = above.floors.of(loss) - below.floors.of(loss)
    return lost / saved if saved > 0 else float("inf")


def _refined(
    lattice: Lattice,
    node: Node,
    loss: LossName,
    progress: Callable[[int, int], None] | None,
) -> Node:
    """Return where steps down, or down and up, no longer lose less."""
    while lattice.checked < _MOST_NODES:
        found = node
        for each in _neighbours(node.point, lattice.shape):
            other = lattice.check(each)
            if other.reaches and better(other, found, loss):
                found = other
        if found is node:
            break
        node = found
        if progress is not None:
            progress(lattice.checked, _MOST_NODES)
    return node


def _neighbours(point: Point, shape: Point) -> Iterator[Point]:
    """Yield the nodes one step down or up, and those one step down and another up."""
    yield from _steps(point, shape, 1)
    for below in _steps(point, shape, -1):
        yield below
        yield from (each for each in _steps(below, shape, 1) if each != point)


def _steps(point: Point, shape: Point, step: int) -> Iterator[Point]:
    for place, level in enumerate(point):
        if 0 <= level + step < shape[place]:
            yield (*point[:place], level + step, *point[place + 1 :])
