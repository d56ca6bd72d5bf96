"""Sums over all whole numbers of one distribution's odds to a power and another's to one less."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from flint import arb, ctx

from sfumato.numeric import as_ball

if TYPE_CHECKING:
    from sfumato.audit.enclosed.forms import Shape
    from sfumato.audit.enclosed.runs import Run

__all__ = ["log_power_sum"]

_MOST_TERMS = 1 << 18


def log_power_sum(p: Shape, q: Shape, runs: list[Run], order: Fraction) -> arb:
    """Return log Σ e^{α·level_p(k) + (1-α)·level_q(k)}, not finite where it is not known."""
    sums = _Sums(p, q, order)
    return sum((sums.over(run) for run in runs), arb(0)).log()


class _Sums:
    """The terms of the sum, stretch by stretch."""

    def __init__(self, p: Shape, q: Shape, order: Fraction) -> None:
        self._p, self._q, self._order = p, q, order

    def over(self, run: Run) -> arb:
        if run.first is not None and run.last is not None:
            once = self._between(run.first, run.last)
            return self._repeated(once) if run.period else once
        start, direction = _outwards(run)
        if self._p.bend:
            return self._bent(start, direction)
        if self._period > 1:
            ends = sorted((start, start + direction * (self._period - 1)))
            return self._repeated(self._between(*ends))
        rate = self._exponent(start + direction) - self._exponent(start)
        return arb.pos_inf() if rate >= 0 else self._term(start) / -as_ball(rate).expm1()

    @property
    def _period(self) -> int:
        return math.lcm(self._p.period, self._q.period)

    def _repeated(self, once: arb) -> arb:
        """Return the sum over all periods from that over the first."""
        fall = self._p.fall * (self._period // self._p.period)
        return once / -as_ball(-fall).expm1()

    def _between(self, first: int, last: int) -> arb:
        """Return a finite sum: geometric between turns, or term by term where odds are bent."""
        if self._p.bend:
            if last - first > _MOST_TERMS:
                return arb.nan()
            return sum((self._term(k) for k in range(first, last + 1)), arb(0))
        turns = {*self._p.turns(first, last), *self._q.turns(first, last)}
        cuts = [first, *sorted(turns), last + 1]
        return sum((self._geometric(*ends) for ends in pairwise(cuts)), arb(0))

    def _geometric(self, first: int, after: int) -> arb:
        count = after - first
        rate = self._exponent(first + 1) - self._exponent(first) if count > 1 else Fraction(0)
        if rate == 0:
            return count * self._term(first)
        return self._term(first) * as_ball(rate * count).expm1() / as_ball(rate).expm1()

    def _bent(self, k: int, direction: int) -> arb:
        """Return an infinite sum of bent odds: term by term, until the rest is negligible.

        From one term to the next the ratio falls, so that the rest is at most geometric.
        """
        total, term = arb(0), self._term(k)
        for _ in range(_MOST_TERMS):
            total += term
            following = self._term(k + direction)
            if following < term / 2 and following < total * arb(2) ** -ctx.prec:
                return total + arb(0).union(2 * following)
            k, term = k + direction, following
        return arb.nan()

    def _term(self, k: int) -> arb:
        return as_ball(self._exponent(k)).exp()

    def _exponent(self, k: int) -> Fraction:
        return self._order * self._p.level(k) + (1 - self._order) * self._q.level(k)


def _outwards(run: Run) -> tuple[int, int]:
    """Return where an endless run begins, and the direction in which it has no end."""
    if run.first is not None:
        return run.first, 1
    return int(run.last or 0), -1
