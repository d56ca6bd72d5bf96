"""Every way to generalise whole columns, and what each comes to."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.generalising.grouping import combined
from sfumato.risk.generalising.losses import Losses, bits_before, bits_told, measure_losses
from sfumato.risk.generalising.partition import Partition, finest
from sfumato.risk.generalising.reaching import failing_classes, firmly_failing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.cells import Cells
    from sfumato.risk.generalising.ladder import Ladder
    from sfumato.risk.generalising.losses import LossName
    from sfumato.risk.generalising.targets import Targets

__all__ = ["Lattice", "Node", "Point", "better"]

#: One level a column.
Point = tuple[int, ...]

_KEPT_PARTITIONS = 16


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
        self, cells: Cells, ladders: Sequence[Ladder], targets: Targets, limit: int
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
