"""How the log-ratio of two shaped distributions runs over whole numbers: linear by stretches."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.audit.enclosed.forms import Shape

__all__ = ["Run", "gap_runs"]

#: More stretches than this are not looked at.
_MOST_RUNS = 1 << 14


@dataclass(frozen=True)
class Run:
    """Whole numbers from ``first`` to ``last`` (None is no end) on which the log-ratio is linear.

    Attributes
    ----------
    at, gap
        A number in it, and the log-ratio there.
    slope
        By how much the log-ratio grows with every step.
    period
        Where not 0, the run is repeated outwards, at every so many steps, with the same log-ratio;
        its sign is the direction.
    """

    first: int | None
    last: int | None
    at: int
    gap: Fraction
    slope: Fraction
    period: int = 0

    def greatest(self) -> Fraction | float:
        """Return the supremum of the log-ratio."""
        if self.slope == 0:
            return self.gap
        end = self.last if self.slope > 0 else self.first
        return math.inf if end is None else self.gap + (end - self.at) * self.slope

    def above(self, level: Fraction) -> Run | None:
        """Return the part on which the log-ratio exceeds a level, if any."""
        if self.slope == 0:
            return self if self.gap > level else None
        crossing = self.at + (level - self.gap) / self.slope
        if self.slope > 0:
            start = math.floor(crossing) + 1
            part = replace(self, first=start if self.first is None else max(start, self.first))
        else:
            stop = math.ceil(crossing) - 1
            part = replace(self, last=stop if self.last is None else min(stop, self.last))
        empty = part.first is not None and part.last is not None and part.first > part.last
        return None if empty else part

    def shifted(self, periods: int) -> Run:
        """Return a run that is repeated, so many periods further out."""
        by = periods * self.period
        first, last = (None if end is None else end + by for end in (self.first, self.last))
        return replace(self, first=first, last=last, at=self.at + by)


def gap_runs(p: Shape, q: Shape) -> list[Run] | None:
    """Return log p/q, but for a constant, over all whole numbers; None where it is not linear."""
    if p.step != q.step or p.bend != q.bend:
        return None
    low, high = min(p.core[0], q.core[0]), max(p.core[1], q.core[1])
    tails = [_tail(p, q, low - 1, -1), _tail(p, q, high + 1, 1)]
    inner = _between(p, q, low, high)
    if tails[0] is None or tails[1] is None or inner is None:
        return None
    return [*tails[0], *inner, *tails[1]]


def _between(p: Shape, q: Shape, low: int, high: int) -> list[Run] | None:
    """Return the runs from one number to another, both included."""
    starts: set[int] = {low}
    for turn in _turns(p, q, low, high):
        starts.add(turn)
        if len(starts) > _MOST_RUNS:
            return None
    cuts = [*sorted(starts), high + 1]
    return [_run(p, q, first, after - 1) for first, after in pairwise(cuts)]


def _turns(p: Shape, q: Shape, low: int, high: int) -> Iterator[int]:
    yield from p.turns(low, high)
    yield from q.turns(low, high)


def _run(p: Shape, q: Shape, first: int, last: int) -> Run:
    gap = _gap(p, q, first)
    slope = _gap(p, q, first + 1) - gap if last > first else Fraction(0)
    return Run(first, last, first, gap, slope)


def _gap(p: Shape, q: Shape, k: int) -> Fraction:
    return p.level(k) - q.level(k)


def _tail(p: Shape, q: Shape, start: int, direction: int) -> list[Run] | None:
    """Return the runs from a number outwards."""
    period = math.lcm(p.period, q.period)
    if period == 1:
        gap = _gap(p, q, start)
        slope = direction * (_gap(p, q, start + direction) - gap)
        return [_endless(start, direction, gap, slope)]
    if p.fall * (period // p.period) != q.fall * (period // q.period):
        return None
    ends = sorted((start, start + direction * (period - 1)))
    runs = _between(p, q, *ends)
    if runs is None:
        return None
    if len({(run.gap, run.slope) for run in runs}) == 1 and runs[0].slope == 0:
        return [_endless(start, direction, runs[0].gap, Fraction(0))]
    return [replace(run, period=direction * period) for run in runs]


def _endless(start: int, direction: int, gap: Fraction, slope: Fraction) -> Run:
    first, last = (start, None) if direction > 0 else (None, start)
    return Run(first, last, start, gap, slope)
