"""The hockey-stick divergence: the mass of the region where one distribution outweighs another."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from flint import arb, ctx

from sfumato.information.continuous.cells import Cell, joined
from sfumato.numeric import working_precision

if TYPE_CHECKING:
    from sfumato.information.continuous.pairs import Pair

__all__ = ["Work", "excess_cells", "excess_mass", "singular_mass"]

_RELATIVE_GOAL = 2.0**-60
_ABSOLUTE_GOAL = 1e-80
_LEAST_SHARE = 2.0**-100
_MOST_CUTS = 6000
_DECISIONS = 2
_MOST_EXTRA_BITS = 4096


@dataclass
class Work:
    """How many cuts may still be made, over all the regions of one question."""

    left: int = _MOST_CUTS


class _Region:
    """The set where ``log p/q`` exceeds a level: cells surely in it, and cells still open."""

    def __init__(self, pair: Pair, level: arb) -> None:
        self.pair, self.level = pair, level
        self.bits = ctx.prec + _bits_of_level(level)
        self.inside: list[Cell] = []
        self.sure, self.settled = arb(0), arb(0)
        self.number = count()
        self.open: list[tuple[float, int, Cell, arb]] = []
        for cell in pair.cells:
            self.place(cell)

    def place(self, cell: Cell) -> None:
        low, high = self.pair.log_ratio(cell)
        if low >= self.level:
            self.inside.append(cell)
            self.sure += self.gain(cell)
        elif not high <= self.level:
            self.leave_open(cell, high)

    def leave_open(self, cell: Cell, high: arb) -> None:
        """Keep a cell for cutting with what it can add: the share of p above the level."""
        share = arb(1) if not high.is_finite() else -(self.level - high).expm1()
        most = (self.pair.masses(cell)[0] * share).upper()
        size = float(most)
        if size <= self.pair.noise or share <= _LEAST_SHARE:
            self.settled += most
        else:
            heapq.heappush(self.open, (-size, next(self.number), cell, most))

    def gain(self, cell: Cell) -> arb:
        if self.pair.is_singular(cell):
            return self.pair.masses(cell)[0]
        with working_precision(self.bits):
            p, q = self.pair.masses(cell)
            return p - self.level.exp() * q

    def is_settled(self, against: arb | None) -> bool:
        unsure = -self.open[0][0] * len(self.open) if self.open else 0.0
        if against is not None and (
            self.sure > against or self.sure + self.settled + unsure <= against
        ):
            return True
        return unsure <= max(_RELATIVE_GOAL * float(self.sure), _ABSOLUTE_GOAL)

    def refine(self, against: arb | None, work: Work) -> None:
        """Cut until settled; a decision may take no more than a part of the work that is left."""
        for _ in range(work.left if against is None else work.left // _DECISIONS):
            if self.is_settled(against):
                break
            work.left -= 1
            for part in heapq.heappop(self.open)[2].split():
                self.place(part)

    def total(self) -> arb:
        sure = sum((self.gain(cell) for cell in joined(self.inside)), arb(0))
        unsure = sum((each[3] for each in self.open), self.settled)
        return sure + arb(0).union(unsure)


def excess_mass(
    pair: Pair, level: arb, *, against: arb | None = None, work: Work | None = None
) -> arb:
    """Return the integral of ``max(0, p - exp(level) q)``.

    The line is cut until each cell lies surely inside the region, surely outside, or weighs
    next to nothing; what stays open widens the ball.  With ``against``, only until the integral
    is surely above or surely not above that number; ``work`` bounds the cuts.
    """
    region = _Region(pair, level)
    region.refine(against, Work() if work is None else work)
    return region.total()


def excess_cells(pair: Pair, level: arb) -> list[Cell]:
    """Return cells on which ``log p/q`` is surely not below a level; next to none are missing."""
    region = _Region(pair, level)
    region.refine(None, Work())
    return joined(region.inside)


def _bits_of_level(level: arb) -> int:
    """Return the bits that multiplying a small mass by ``exp(level)`` costs, both ways."""
    return int(min(3 * abs(float(level)), _MOST_EXTRA_BITS))


def singular_mass(pair: Pair) -> arb:
    """Return the probability, under ``p``, of where ``q`` has no density."""
    return sum((pair.masses(cell)[0] for cell in pair.cells if pair.is_singular(cell)), arb(0))
