"""Probabilities of intervals of outcomes, from two functions of every distribution with atoms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flint import arb

from sfumato.audit.comparison import Interval
from sfumato.audit.enclosed.candidates import Candidate

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from sfumato.audit.enclosed.forms import Atomic

__all__ = ["event_of", "mass", "merged"]


def mass(distribution: Atomic, interval: Interval) -> arb:
    """Return a ball around the probability of a closed interval of outcomes."""
    up_to = arb(1) if interval.high is None else distribution.cumulative(interval.high)
    if interval.low is None:
        return up_to
    return (up_to - distribution.cumulative(interval.low) + distribution.ball(interval.low)).max(0)


def event_of(p: Atomic, q: Atomic, interval: Interval) -> Candidate:
    """Return an interval as an event, with its probabilities under two distributions."""
    return Candidate((interval,), mass(p, interval), mass(q, interval))


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the same set of outcomes as disjoint intervals, in order."""
    whole: list[Interval] = []
    for each in sorted(intervals, key=_start):
        if whole and _start(each) <= _stop(whole[-1]):
            last = whole.pop()
            whole.append(Interval(last.low, max(last, each, key=_stop).high))
        else:
            whole.append(each)
    return whole


def _start(interval: Interval) -> Fraction | float:
    return -math.inf if interval.low is None else interval.low


def _stop(interval: Interval) -> Fraction | float:
    return math.inf if interval.high is None else interval.high
