"""The hockey-stick divergence: the mass of the region where one law outweighs another."""

from __future__ import annotations

import heapq
from itertools import count
from typing import TYPE_CHECKING

from flint import arb

from sfumato.information.continuous.cells import Cell, joined

if TYPE_CHECKING:
    from sfumato.information.continuous.pairs import Pair

__all__ = ["excess_mass", "singular_mass"]

_RELATIVE_GOAL = 2.0**-60
_ABSOLUTE_GOAL = 1e-80
_LEAST_SHARE = 2.0**-100
_MOST_CUTS = 6000


class _Region:
    """The set where ``log p/q`` exceeds a level: cells surely in it, and cells still open."""

    def __init__(self, pair: Pair, level: arb) -> None:
        self.pair, self.level = pair, level
        self.inside: list[Cell] = []
        self.found = 0.0
        self.settled = arb(0)
        self.number = count()
        self.open: list[tuple[float, int, Cell, arb]] = []
        for cell in pair.cells:
            self.place(cell)

    def place(self, cell: Cell) -> None:
        low, high = self.pair.log_ratio(cell)
        if low >= self.level:
            self.inside.append(cell)
            self.found += float(self.gain(cell))
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
        p, q = self.pair.masses(cell)
        return p - self.level.exp() * q

    def is_settled(self) -> bool:
        goal = max(_RELATIVE_GOAL * self.found, _ABSOLUTE_GOAL)
        return not self.open or -self.open[0][0] * len(self.open) <= goal

    def refine(self) -> None:
        for _ in range(_MOST_CUTS):
            if self.is_settled():
                break
            for part in heapq.heappop(self.open)[2].split():
                self.place(part)

    def total(self) -> arb:
        sure = sum((self.gain(cell) for cell in joined(self.inside)), arb(0))
        unsure = sum((each[3] for each in self.open), self.settled)
        return sure + arb(0).union(unsure)


def excess_mass(pair: Pair, level: arb) -> arb:
    """Return the integral of ``max(0, p - exp(level) q)``.

    The line is cut until each cell lies surely inside the region, surely outside, or weighs
    next to nothing; what stays open widens the ball.

    Examples
    --------
    >>> from sfumato.information.continuous import Uniform
    >>> from sfumato.information.continuous.pairs import BallPair
    >>> excess_mass(BallPair(Uniform(0, 1), Uniform(0, 4)), arb(0))
    0.750000000000000
    """
    region = _Region(pair, level)
    region.refine()
    return region.total()


def singular_mass(pair: Pair) -> arb:
    """Return the probability, under ``p``, of where ``q`` has no density.

    Examples
    --------
    >>> from sfumato.information.continuous import Uniform
    >>> from sfumato.information.continuous.pairs import BallPair
    >>> singular_mass(BallPair(Uniform(0, 1), Uniform(0.5, 4)))
    0.500000000000000
    """
    return sum((pair.masses(cell)[0] for cell in pair.cells if pair.is_singular(cell)), arb(0))
