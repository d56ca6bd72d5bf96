"""The max divergence: the supremum of the log-likelihood ratio, by branch and bound."""

from __future__ import annotations

import heapq
from functools import reduce
from itertools import count
from typing import TYPE_CHECKING

from flint import arb

if TYPE_CHECKING:
    from sfumato.information.continuous.cells import Cell
    from sfumato.information.continuous.pairs import Pair

__all__ = ["greatest_log_ratio"]

_GOAL = 2.0**-64
_MOST_CUTS = 6000


class _Summit:
    """The greatest value seen, and the cells that might still exceed it."""

    def __init__(self, pair: Pair) -> None:
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


def greatest_log_ratio(pair: Pair) -> tuple[arb, arb]:
    """Return a lower and an upper bound of the supremum of ``log p/q``; no cell is singular."""
    summit = _Summit(pair)
    summit.climb()
    return summit.best, reduce(arb.max, (each[2] for each in summit.open), summit.best)
