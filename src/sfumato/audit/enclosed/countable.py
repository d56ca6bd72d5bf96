"""Two distributions on numbers by the probabilities of these alone: sums and tails, or stretches.

Within a stretch of both the ratio is the same, so that a whole stretch counts as one outcome.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from flint import arb, ctx

from sfumato.audit.comparison import Comparison, Interval, Least
from sfumato.audit.enclosed.enclosure import CandidateEvent, EnclosedComparison, between, union
from sfumato.audit.enclosed.forms import Atomic, Stretched, event_of
from sfumato.audit.exact.finite import compare_finite
from sfumato.errors import InputError
from sfumato.numeric import Enclosure, Exponentials, cached_property

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction


#: The window has so many outcomes at most, and else leaves out what a few bits do not tell.
_MOST_OUTCOMES = 1 << 12
_SPARE_BITS = 16
_REACHES = [1 << doublings for doublings in range(_MOST_OUTCOMES.bit_length() - 1)]
#: A median beyond so many doublings of the step is not looked for.
_MOST_DOUBLINGS = 1100
#: More bits would not tell more, since the tails are bounded no better.
_MOST_BITS = 256


class SummedComparison(EnclosedComparison):
    """What the probabilities of a window of outcomes say, and those of what lies outside.

    Parameters
    ----------
    p, q
        The distributions.
    step
        Outcomes are looked at that are multiples of it; others count as outside.
    """

    def __init__(self, p: Atomic, q: Atomic, step: Fraction, *, effort: int) -> None:
        super().__init__(effort=min(effort, _MOST_BITS))
        self._distributions, self._step = (p, q), step
        self._windows: dict[int, list[CandidateEvent]] = {}

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``: nothing bounds the ratio far outside."""
        likely = (each for each in (*self._window(), *self._half_lines()) if each.p > 0)
        known = (ratio for each in likely if not (ratio := each.least_level(arb(0))).is_nan())
        return max(known, key=float, default=arb.neg_inf()), arb.pos_inf()

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        window = self._window()
        inside = sum((each.excess(level).max(0) for each in window), arb(0))
        outside = (1 - sum((each.p for each in window), arb(0))).max(0)
        return between(inside, inside + outside)

    def events(self, level: arb) -> Iterator[CandidateEvent]:
        """See ``EnclosedComparison``: half lines, an outcome, and all that are likelier."""
        yield from self._half_lines()
        likelier = [each for each in self._window() if each.excess(level) > 0]
        if likelier:
            yield max(likelier, key=lambda each: float(each.excess(level)))
            yield union(likelier)

    def event(self, interval: Interval) -> CandidateEvent:
        """See ``EnclosedComparison``."""
        return event_of(*self._distributions, interval)

    def renyi(self, order: Fraction) -> Least:  # noqa: ARG002 - nothing bounds the tails
        """See ``Comparison``."""
        return Least(Enclosure(0.0, math.inf))

    def _window(self) -> list[CandidateEvent]:
        """Return the outcomes around the middle of both distributions, one by one."""
        if ctx.prec not in self._windows:
            first, last = self._ends()
            outcomes = (k * self._step for k in range(first, last + 1))
            p, q = self._distributions
            found = [CandidateEvent((each,), p.ball(each), q.ball(each)) for each in outcomes]
            _refuse_too_much(found)
            self._windows[ctx.prec] = found
        return self._windows[ctx.prec]

    def _half_lines(self) -> Iterator[CandidateEvent]:
        """Yield half lines on both sides of the middles, the nearest first."""
        low, high = self._middles
        for reach in _REACHES:
            yield self.event(Interval(None, (low - reach) * self._step))
            yield self.event(Interval((high + reach) * self._step, None))

    @cached_property
    def _middles(self) -> tuple[int, int]:
        """The numbers near the two medians, in order."""
        low, high = sorted(self._middle(each) for each in self._distributions)
        return low, high

    def _ends(self) -> tuple[int, int]:
        low, high = self._middles
        reach = 1
        while not self._covers(low - reach, high + reach):
            if high - low + 4 * reach > _MOST_OUTCOMES:
                break
            reach *= 2
        return low - reach, high + reach

    def _covers(self, first: int, last: int) -> bool:
        inside = self.event(Interval(first * self._step, last * self._step))
        return bool(1 - inside.p < arb(2) ** (_SPARE_BITS - ctx.prec))

    def _middle(self, distribution: Atomic) -> int:
        """Return a number near the median, by doubling and halving."""
        low = self._doubled(-1, lambda at: distribution.cumulative(at) > 0.5)
        high = self._doubled(1, lambda at: distribution.cumulative(at) < 0.5)
        while high - low > 1:
            middle = (low + high) // 2
            below = distribution.cumulative(middle * self._step) < 0.5
            low, high = (middle, high) if below else (low, middle)
        return high

    def _doubled(self, start: int, too_near: Callable[[Fraction], bool]) -> int:
        """Return a number doubled until it is no longer too near, but not for ever."""
        for doublings in range(_MOST_DOUBLINGS):
            if not too_near((start << doublings) * self._step):
                return start << doublings
        raise InputError(
            "E-DISTRIBUTION-INCONSISTENT",
            "the cumulative probability of a distribution stays on one side of 1/2 however far one "
            "goes",
            "cumulative(x) must be the probability of all outcomes up to x, from 0 to 1",
        )


def _refuse_too_much(window: list[CandidateEvent]) -> None:
    """Refuse probabilities of outcomes that sum to more than one."""
    for side in ("p", "q"):
        if sum((getattr(each, side) for each in window), arb(0)) > 1:
            raise InputError(
                "E-PROBABILITIES-SUM",
                "the probabilities of a distribution sum to more than 1",
                "ball(x) must be the probability of the outcome x",
            )


def compare_stretches(p: Stretched, q: Stretched, *, effort: int) -> Comparison:
    """Return the exact comparison of the stretches, with events told as intervals of numbers."""
    cuts = sorted({edge for one in (p, q) for a, b, _ in one.stretches for edge in (a, b + 1)})
    stretches = list(pairwise(cuts))
    names = [Interval(a * p.step, (b - 1) * p.step) for a, b in stretches]
    tables = [dict(zip(names, _weights(each, stretches), strict=True)) for each in (p, q)]
    return compare_finite(*tables, effort=effort)


def _weights(distribution: Stretched, stretches: list[tuple[int, int]]) -> list[Exponentials]:
    """Return the odds of whole stretches, each within one of the distribution's or outside all."""
    firsts = [first for first, _, _ in distribution.stretches]
    found = []
    for start, after in stretches:
        place = bisect_right(firsts, start) - 1
        inside = place >= 0 and start <= distribution.stretches[place][1]
        odds = distribution.stretches[place][2] if inside else Exponentials(0)
        found.append((after - start) * odds)
    return found
