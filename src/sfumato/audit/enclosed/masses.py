"""Probabilities of intervals of outcomes, from the two functions that every law with atoms has."""

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


def mass(law: Atomic, interval: Interval) -> arb:
    """Return a ball around the probability of a closed interval of outcomes.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.audit.comparison import Interval
    >>> from sfumato.audit.enclosed.masses import mass
    >>> from sfumato.mechanisms import DiscreteLaplace
    >>> law = DiscreteLaplace(epsilon=1).law(0)
    >>> round(float(mass(law, Interval(Fraction(0), None))), 12)
    0.73105857863
    """
    up_to = arb(1) if interval.high is None else law.cumulative(interval.high)
    if interval.low is None:
        return up_to
    return (up_to - law.cumulative(interval.low) + law.ball(interval.low)).max(0)


def event_of(p: Atomic, q: Atomic, interval: Interval) -> Candidate:
    """Return an interval as an event, with its probabilities under two laws.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.audit.comparison import Interval
    >>> from sfumato.audit.enclosed.masses import event_of
    >>> from sfumato.mechanisms import DiscreteLaplace
    >>> one, other = (DiscreteLaplace(epsilon=1).law(at) for at in (0, 1))
    >>> round(float(event_of(one, other, Interval(None, Fraction(0))).q), 12)
    0.26894142137
    """
    return Candidate((interval,), mass(p, interval), mass(q, interval))


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the same set of outcomes as disjoint intervals, in order.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.audit.comparison import Interval
    >>> from sfumato.audit.enclosed.masses import merged
    >>> parts = [Interval(Fraction(1), Fraction(3)), Interval(None, Fraction(1))]
    >>> [str(each) for each in merged(parts)]
    ['at most 3']
    """
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
