"""Searches of the line: where one distribution outweighs another, by how much, and most of all."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import reduce
from itertools import count
from typing import TYPE_CHECKING

from flint import arb, ctx

from sfumato.information.continuous.pairs import Cell, DensityPair, joined
from sfumato.numeric import float_below, working_precision

if TYPE_CHECKING:
    from collections.abc import Callable


_RELATIVE_GOAL = 2.0**-60
_ABSOLUTE_GOAL = 1e-80
_LEAST_SHARE = 2.0**-100
_MOST_CUTS = 6000
_DECISIONS = 2
_MOST_EXTRA_BITS = 4096
_GREATEST_LEVEL = 4096.0
_RELATIVE_WIDTH = 1e-13
_GOAL = 2.0**-64


@dataclass
class Work:
    """How many cuts may still be made, over all the regions of one question."""

    left: int = _MOST_CUTS


class _Region:
    """The set where ``log p/q`` exceeds a level: cells surely in it, and cells still open."""

    def __init__(self, pair: DensityPair, level: arb) -> None:
        self.pair, self.level = pair, level
        # Multiplying a small mass by exp(level) costs bits, both ways.
        self.bits = ctx.prec + int(min(3 * abs(float(level)), _MOST_EXTRA_BITS))
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
    pair: DensityPair, level: arb, *, against: arb | None = None, work: Work | None = None
) -> arb:
    """Return the integral of ``max(0, p - exp(level) q)``.

    The line is cut until each cell lies surely inside the region, surely outside, or weighs
    next to nothing; what stays open widens the ball.  With ``against``, only until the integral
    is surely above or surely not above that number; ``work`` bounds the cuts.
    """
    region = _Region(pair, level)
    region.refine(against, Work() if work is None else work)
    return region.total()


def excess_cells(pair: DensityPair, level: arb) -> list[Cell]:
    """Return cells on which ``log p/q`` is surely not below a level; next to none are missing."""
    region = _Region(pair, level)
    region.refine(None, Work())
    return joined(region.inside)


def singular_mass(pair: DensityPair) -> arb:
    """Return the probability, under ``p``, of where ``q`` has no density."""
    return sum((pair.masses(cell)[0] for cell in pair.cells if pair.is_singular(cell)), arb(0))


class _LevelSearch:
    """The greatest level shown not to lie above the threshold, and the least not below.

    No excess is below ``1 - exp(level)``, so that ``log(1 - delta)`` is a bound to start with.
    """

    def __init__(self, excess: Callable[[arb], arb], delta: arb) -> None:
        self.excess, self.delta = excess, delta
        self.below, self.above = float_below((-delta).log1p()), math.inf

    def look(self, level: float) -> bool:
        """Move a bound to the level, or say that the level is not decided."""
        ball = self.excess(arb(level))
        if ball > self.delta:
            self.below = max(self.below, level)
        elif ball <= self.delta:
            self.above = min(self.above, level)
        return self.below == level or self.above == level

    def enclose(self) -> None:
        """Walk up until there is a bound above, or the level is out of range."""
        level = 1.0
        while self.above == math.inf and level <= _GREATEST_LEVEL:
            self.look(level)
            level = 2 * level

    def narrow(self) -> None:
        """Halve the bracket; from a level that is not decided on, each of its sides alone."""
        width = _RELATIVE_WIDTH * max(1.0, abs(self.above))
        while self.above - self.below > width:
            middle = self.below / 2 + self.above / 2
            if not self.look(middle):
                self.lower_the_upper(middle, width)
                self.raise_the_lower(middle, width)
                break

    def lower_the_upper(self, undecided: float, width: float) -> None:
        while self.above - undecided > width:
            middle = undecided / 2 + self.above / 2
            self.look(middle)
            undecided = undecided if self.above == middle else middle

    def raise_the_lower(self, undecided: float, width: float) -> None:
        while undecided - self.below > width:
            middle = self.below / 2 + undecided / 2
            self.look(middle)
            undecided = undecided if self.below == middle else middle


def least_level(excess: Callable[[arb], arb], delta: arb) -> tuple[arb, arb]:
    """Return a lower and an upper bound of ``inf {level : excess(level) <= delta}``.

    ``excess`` falls as the level rises; its limit at infinity is the mass no level removes.
    The upper bound is infinite where no level up to 4096 is shown to be one.
    """
    if delta >= 1:
        return arb.neg_inf(), arb.neg_inf()
    if excess(arb.pos_inf()) > delta:
        return arb.pos_inf(), arb.pos_inf()
    search = _LevelSearch(excess, delta)
    search.enclose()
    if math.isfinite(search.below) and math.isfinite(search.above):
        search.narrow()
    elif math.isfinite(search.below):
        search.raise_the_lower(_GREATEST_LEVEL, _RELATIVE_WIDTH * _GREATEST_LEVEL)
    return arb(search.below), arb(search.above)


class _Summit:
    """The greatest value seen, and the cells that might still exceed it."""

    def __init__(self, pair: DensityPair) -> None:
        self.pair = pair
        self.best = arb.neg_inf()
        self.number = count()
        self.open: list[tuple[float, int, arb, Cell]] = []
        for cell in pair.cells:
            self.look(cell)

    def look(self, cell: Cell) -> None:
        self.best = self.best.max(self.pair.attained(cell))
        high = self.pair.log_ratio(cell)[1]
        heapq.heappush(self.open, (-float(high), next(self.number), high, cell))

    def is_settled(self) -> bool:
        if not self.best.is_finite():
            return True
        top = self.open[0][2]
        blur = 4 * (top.rad() + self.best.rad())
        return bool(top.upper() - self.best.lower() <= _GOAL * (1 + abs(self.best)) + blur)

    def climb(self) -> None:
        for _ in range(_MOST_CUTS):
            if self.is_settled():
                break
            for part in heapq.heappop(self.open)[3].split():
                self.look(part)


def greatest_log_ratio(pair: DensityPair) -> tuple[arb, arb]:
    """Return a lower and an upper bound of the supremum of ``log p/q``; no cell is singular."""
    summit = _Summit(pair)
    summit.climb()
    return summit.best, reduce(arb.max, (each[2] for each in summit.open), summit.best)
