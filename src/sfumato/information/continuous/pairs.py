"""Two distributions: how their log-likelihood ratio runs on a cell, and what the cell weighs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from flint import acb, arb

from sfumato.information.continuous.cells import Cell, cut_line
from sfumato.information.continuous.pieces import slope_gap
from sfumato.numeric import as_ball, as_fmpq

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.information.continuous.curves import Envelope
    from sfumato.information.continuous.distributions import ContinuousDistribution
    from sfumato.information.continuous.pieces import Piece

__all__ = ["BallPair", "Pair"]


class Pair(Protocol):
    """What the searches need to know of two distributions ``p`` and ``q``."""

    @property
    def cells(self) -> Sequence[Cell]:
        """The cells on which ``p`` has a density."""

    @property
    def noise(self) -> float:
        """A probability so small that cutting a cell of it finer gains nothing."""

    def is_singular(self, cell: Cell) -> bool:
        """Tell whether ``q`` has no density on the cell."""

    def log_ratio(self, cell: Cell) -> tuple[arb, arb]:
        """Return a lower and an upper bound of ``log p/q`` over the cell."""

    def attained(self, cell: Cell) -> arb:
        """Return a lower bound of the supremum of ``log p/q`` over a cell that is not singular."""

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """Return the probability of the cell under ``p`` and under ``q``."""


class BallPair:
    """A pair of distributions that ball arithmetic can evaluate; see ``Pair``."""

    noise = 0.0

    def __init__(self, p: ContinuousDistribution, q: ContinuousDistribution) -> None:
        self._distributions = (p, q)
        self._pieces: dict[int, tuple[Piece, Piece]] = {}
        self.cells: list[Cell] = []
        for cell in cut_line({*p.breakpoints, *q.breakpoints}):
            above, below = p.piece(cell.middle), q.piece(cell.middle)
            if above is not None:
                self.cells.append(cell)
            if above is not None and below is not None:
                self._pieces[cell.stretch] = (above, below)

    def is_singular(self, cell: Cell) -> bool:
        """See ``Pair``."""
        return cell.stretch not in self._pieces

    def pieces(self, cell: Cell) -> tuple[Piece, Piece]:
        """Return the two formulas that hold on a cell that is not singular."""
        return self._pieces[cell.stretch]

    def tails(self, cell: Cell) -> tuple[Envelope, Envelope]:
        """Return the envelopes of both log densities on an infinite cell."""
        end, direction = cell.anchor
        p, q = self.pieces(cell)
        return p.tail(as_fmpq(end), direction), q.tail(as_fmpq(end), direction)

    def log_ratio(self, cell: Cell) -> tuple[arb, arb]:
        """See ``Pair``: by the ends where monotone, by the mean value theorem elsewhere."""
        if self.is_singular(cell):
            return arb.pos_inf(), arb.pos_inf()
        if not cell.is_finite:
            p, q = self.tails(cell)
            return p.lower.minus(q.upper).least(), p.upper.minus(q.lower).greatest()
        return self._log_ratio_between(cell, *cell.ends)

    def attained(self, cell: Cell) -> arb:
        """See ``Pair``."""
        if not cell.is_finite:
            p, q = self.tails(cell)
            return p.lower.minus(q.upper).greatest()
        low, high = cell.ends
        return self._log_ratio_at(cell, low).max(self._log_ratio_at(cell, high))

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """See ``Pair``."""
        p, q = self._distributions
        return mass(p, cell), arb(0) if self.is_singular(cell) else mass(q, cell)

    def _log_ratio_between(self, cell: Cell, low: Fraction, high: Fraction) -> tuple[arb, arb]:
        p, q = self.pieces(cell)
        whole = arb(as_fmpq(low)).union(arb(as_fmpq(high)))
        slope = slope_gap(p, q, whole)
        if slope >= 0 or slope <= 0:
            first, last = self._log_ratio_at(cell, low), self._log_ratio_at(cell, high)
            return first.min(last), first.max(last)
        centre = cell.middle
        near = self._log_ratio_at(cell, centre) + slope * (whole - as_fmpq(centre))
        if not near.is_finite():
            return arb.neg_inf(), arb.pos_inf()
        return near.lower(), near.upper()

    def _log_ratio_at(self, cell: Cell, point: Fraction) -> arb:
        p, q = self.pieces(cell)
        x = acb(as_fmpq(point))
        return (p.log_density(x) - q.log_density(x)).real


def mass(distribution: ContinuousDistribution, cell: Cell) -> arb:
    """Return the probability of a cell, from the side on which nothing cancels."""
    if cell.low == -math.inf:
        return arb(1) if cell.high == math.inf else distribution.cdf(as_ball(cell.high))
    if cell.high == math.inf:
        return distribution.survival(as_ball(cell.low))
    low, high = as_ball(cell.low), as_ball(cell.high)
    below = distribution.cdf(high)
    if below <= 0.5:
        return (below - distribution.cdf(low)).max(0)
    return (distribution.survival(low) - distribution.survival(high)).max(0)
