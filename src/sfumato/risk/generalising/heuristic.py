"""A good way to generalise whole columns where there are too many to look at them all.

Steps up from the table as it is, each time by the column that loses least for each row it saves,
until the targets are reached; then steps down and sideways as long as that loses less.  The same is
tried from every table with one column generalised, and from the coarsest, and the best is taken.
Greedy steps up are those of Datafly :cite:p:`sweeney2002datafly`; what follows is a local search.
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
    for start in _starts(lattice.shape):
        node = _climbed(lattice, start, loss)
        if node.reaches:
            found = _refined(lattice, node, loss)
            best = found if better(found, best, loss) else best
        if progress is not None:
            progress(min(lattice.checked, _MOST_NODES), _MOST_NODES)
    return best


def _starts(shape: Point) -> Iterator[Point]:
    """Yield where to begin: the table as it is, one column at some level, and the coarsest."""
    ground = (0,) * len(shape)
    yield ground
    yield tuple(levels - 1 for levels in shape)
    for place, levels in enumerate(shape):
        for level in range(levels - 1, 0, -1):
            yield (*ground[:place], level, *ground[place + 1 :])


def _climbed(lattice: Lattice, start: Point, loss: LossName) -> Node:
    """Return the first node that reaches the targets on a greedy way up, or the last node."""
    node = lattice.check(start)
    while not node.reaches and lattice.checked < _MOST_NODES:
        above = [lattice.check(each) for each in _steps(node.point, lattice.shape, 1)]
        if not above:
            break
        here = node
        node = min(above, key=lambda each: (_price(here, each, loss), each.point))
    return node


def _price(below: Node, above: Node, loss: LossName) -> float:
    """Return what a step up loses for each row that it saves from suppression."""
    saved = below.left_out - above.left_out
    lost = above.floors.of(loss) - below.floors.of(loss)
    return lost / saved if saved > 0 else float("inf")


def _refined(lattice: Lattice, node: Node, loss: LossName) -> Node:
    """Return where steps down or up, or down and up, no longer lose less."""
    while lattice.checked < _MOST_NODES:
        found = node
        for each in _neighbours(node.point, lattice.shape):
            other = lattice.check(each)
            if other.reaches and better(other, found, loss):
                found = other
        if found is node:
            break
        node = found
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
