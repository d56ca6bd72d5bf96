"""Every way to generalise whole columns, what each comes to, and the search for the best.

The whole search is that of Flash :cite:p:`kohlmayer2012flash`, a descendant of Incognito
:cite:p:`lefevre2005incognito` and OLA :cite:p:`elemam2009ola`: chains of ever coarser nodes are
bisected.  A node is left out unseen for one of two reasons only.

- A coarser node fails in a way that every finer one does too.  With k-anonymity and distinct
  l-diversity that is so whatever may be suppressed; with entropy l-diversity and t-closeness it is
  so as long as no row may be.
- A finer node shows that this one loses more than the best: with every row in, each loss grows
  on the way up, and leaving rows out adds to it.

The heuristic steps up from the table as it is, each time by the column that loses least for each
row it saves, until the targets are reached; then down and sideways as long as that loses less.  The
same is tried from every table with one column generalised, and from the coarsest, and the best is
taken.
Greedy steps up are those of Datafly :cite:p:`sweeney2002datafly`; what follows is a local search.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.generalising.cells import CodedCells, combined
from sfumato.risk.generalising.losses import (
    Losses,
    LossName,
    bits_before,
    bits_told,
    measure_losses,
)
from sfumato.risk.generalising.partition import (
    Partition,
    Targets,
    failing_classes,
    finest,
    firmly_failing,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.ladders import Ladder


#: One level a column.
Point = tuple[int, ...]

#: How many partitions are kept to merge others from, and how many nodes the heuristic looks at.
_KEPT_PARTITIONS, _MOST_NODES = 16, 5_000
#: What is bounded in floats may be so much more.
_SLACK = 1 + 1e-9


@dataclass(frozen=True)
class Node:
    """What one way to generalise the columns comes to.

    Attributes
    ----------
    point
        The level of each column.
    left_out
        How many rows have to be suppressed.
    reaches
        Whether the targets are reached with no more rows suppressed than may be.
    hopeless
        Whether it fails in such a way that every finer one does too.
    losses
        What is lost.
    floors
        No coarser node loses less than this, by any of the losses.
    """

    point: Point
    left_out: int
    reaches: bool
    hopeless: bool
    losses: Losses
    floors: Losses


class Lattice:
    """Every way to generalise whole columns: full-domain generalisation.

    Parameters
    ----------
    cells
        The table in short.
    ladders
        The levels of each quasi-identifier.
    targets
        What the classes should be.
    limit
        How many rows may be suppressed.
    """

    def __init__(
        self, cells: CodedCells, ladders: Sequence[Ladder], targets: Targets, limit: int
    ) -> None:
        self.ladders = tuple(ladders)
        self.targets = targets
        self.limit = limit
        self._codes = [column.codes for column in cells.columns]
        self._told = [
            [
                bits_told(rung.codes[codes], cells.counts, len(rung.labels))[rung.codes]
                for rung in ladder.rungs
            ]
            for codes, ladder in zip(self._codes, self.ladders, strict=True)
        ]
        self._finest = finest(cells)
        self._partitions: deque[tuple[Point, Partition]] = deque(maxlen=_KEPT_PARTITIONS)
        self._nodes: dict[Point, Node] = {}
        self._before = bits_before(cells)
        self._rows = cells.rows

    @property
    def shape(self) -> Point:
        """How many levels each column has."""
        return tuple(len(each.rungs) for each in self.ladders)

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return prod(self.shape)

    @property
    def top(self) -> Point:
        """Every column at its highest level."""
        return tuple(levels - 1 for levels in self.shape)

    @property
    def checked(self) -> int:
        """How many nodes were looked at."""
        return len(self._nodes)

    def check(self, point: Point) -> Node:
        """Return what a node comes to; it is worked out once."""
        if point not in self._nodes:
            self._nodes[point] = self._worked_out(point)
        return self._nodes[point]

    def entropy_floors(self) -> NDArray[np.float64]:
        """Return the least that each node loses by entropy: what it loses with every row in."""
        lost = np.zeros(())
        for codes, bits in zip(self._codes, self._told, strict=True):
            kept = [float(self._finest.sizes @ each[codes]) for each in bits]
            lost = np.add.outer(lost, kept[0] - np.array(kept))
        return lost

    def partition(self, point: Point) -> Partition:
        """Return the classes of a node, from those of the nearest finer node that is known."""
        _, near = min(
            (each for each in self._partitions if _is_finer(each[0], point)),
            key=lambda each: len(each[1].sizes),
            default=(point, self._finest),
        )
        rungs = [ladder.rungs[level] for ladder, level in zip(self.ladders, point, strict=True)]
        codes = [
            rung.codes[each[near.members]] for rung, each in zip(rungs, self._codes, strict=True)
        ]
        found = near.merged(combined(codes, [len(each.labels) for each in rungs]))
        self._partitions.append((point, found))
        return found

    def _worked_out(self, point: Point) -> Node:
        partition = self.partition(point)
        failing = failing_classes(self.targets, partition)
        firmly = int(partition.sizes[firmly_failing(self.targets, partition)].sum())
        left_out = int(partition.sizes[failing].sum())
        # With every row in, a merge of classes that reach a target reaches it too: entropy is
        # concave, and distance is convex.
        hopeless = (firmly if self.limit else left_out) > self.limit
        bits = self._bits(point, partition)
        losses, floors = (
            measure_losses(
                partition.sizes[kept],
                bits[kept],
                rows=self._rows,
                before=self._before,
                k=self.targets.k,
            )
            for kept in (~failing, slice(None))
        )
        return Node(point, left_out, left_out <= self.limit, hopeless, losses, floors)

    def _bits(self, point: Point, partition: Partition) -> NDArray[np.float64]:
        """Return how many bits the labels of a row tell, for each class."""
        bits = np.zeros(len(partition.sizes))
        for level, codes, told in zip(point, self._codes, self._told, strict=True):
            bits += told[level][codes[partition.members]]
        return bits


def better(one: Node, other: Node | None, loss: LossName) -> bool:
    """Tell whether a node is to be preferred: less loss, then fewer rows suppressed, then finer.

    Losses that agree in ten digits are equal; among equals the sum of the levels decides, then
    the levels themselves in the order of the columns.
    """
    return other is None or _rank(one, loss) < _rank(other, loss)


def _rank(node: Node, loss: LossName) -> tuple[float, int, int, Point]:
    rounded = float(f"{node.losses.of(loss):.10g}")
    return rounded, node.left_out, sum(node.point), node.point


def _is_finer(point: Point, other: Point) -> bool:
    return all(low <= high for low, high in zip(point, other, strict=True))


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
    search = _LatticeSearch(lattice, loss)
    for place in np.argsort(search.order, axis=None, kind="stable").tolist():
        start = tuple(map(int, np.unravel_index(place, lattice.shape)))
        if search.open[start]:
            search.bisect(start)
            search.look(start)
            if progress is not None:
                progress(search.decided, lattice.size)
    return search.best


class _LatticeSearch:
    """Which nodes are still open, and the best that was seen."""

    def __init__(self, lattice: Lattice, loss: LossName) -> None:
        self.best: Node | None = None
        self.order = lattice.entropy_floors()
        self._lattice = lattice
        self._loss: LossName = loss
        self._floors = self.order.copy() if loss == "entropy" else np.zeros(lattice.shape)
        self.open: NDArray[np.bool_] = np.ones(lattice.shape, dtype=np.bool_)

    @property
    def decided(self) -> int:
        return self.open.size - int(np.count_nonzero(self.open))

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
        if not self.open[point]:
            return node.reaches
        self.open[point] = False
        if node.hopeless:
            self.open[tuple(slice(level + 1) for level in point)] = False
        if node.reaches and better(node, self.best, self._loss):
            self.best = node
        self._raise_floors(node)
        return node.reaches

    def _raise_floors(self, node: Node) -> None:
        above = tuple(slice(level, None) for level in node.point)
        np.maximum(self._floors[above], node.floors.of(self._loss), out=self._floors[above])
        if self.best is not None:
            self.open &= self._floors <= self.best.losses.of(self._loss) * _SLACK

    def _chain(self, start: Point) -> list[Point]:
        """Return a way up through open nodes, by the step that loses least each time."""
        chain = [start]
        shape = self._lattice.shape
        while steps := [each for each in _steps(chain[-1], shape, 1) if self.open[each]]:
            chain.append(min(steps, key=lambda each: (self.order[each], each)))
        return chain


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
