"""Distributions of a function of another's output: proved by the source, refuted by themselves."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from flint import arb

from sfumato.audit.comparison import Interval, Judgement, Least
from sfumato.audit.enclosed.bounds import between
from sfumato.audit.enclosed.candidates import Candidate, union
from sfumato.audit.enclosed.enclosed import EnclosedComparison
from sfumato.audit.enclosed.masses import event_of, merged
from sfumato.errors import InputError, NoEnclosureError
from sfumato.numeric import Enclosure, as_ball, float_below, working_precision
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from sfumato.audit.claim import Claim
    from sfumato.audit.enclosed.forms import Processed
    from sfumato.numeric import Ln

__all__ = ["ProcessedComparison"]

_BITS = 192
#: At so many landmarks the source is checked against the distribution.
_CHECKED = 6


class ProcessedComparison(EnclosedComparison):
    """What is proved of the sources holds after any processing :cite:p:`dwork2014`."""

    def __init__(
        self, p: Processed, q: Processed, source: EnclosedComparison, *, effort: int
    ) -> None:
        super().__init__(effort=effort)
        self._distributions, self._source = (p, q), source
        self.assumption = source.assumption
        with suppress(NoEnclosureError), working_precision(_BITS):
            self._refuse_another_source()

    @cached_property
    def exact_greatest(self) -> Fraction | Ln | None:
        """See ``EnclosedComparison``: the source's, where a half line of outputs attains it."""
        known = self._source.exact_greatest
        return known if known == 0 or self.half_line is not None else None

    @cached_property
    def half_line(self) -> Interval | None:
        """See ``EnclosedComparison``: outputs that come from the source's half line alone."""
        half = self._source.half_line
        if half is None:
            return None
        with working_precision(_BITS):
            limit = self._source.event(half).p
            inner = map(self._moved, _half_lines_inside(half, self._source.landmarks))
            return next((each for each in inner if 0 < self.event(each).p < limit), None)

    @cached_property
    def landmarks(self) -> list[Fraction]:
        """See ``EnclosedComparison``."""
        return sorted({self._processing(each) for each in self._source.landmarks})

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``."""
        low, high = self._source.greatest()
        level = low * (1 - arb(2) ** -20) if low.is_finite() else arb(0)
        ratios = [(each.p / each.q).log() for each in self.events(level)]
        known = [each for each in ratios if not each.is_nan()]
        return max(known, key=float, default=arb.neg_inf()), high

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        own = [each.excess(level) for each in self.events(level)]
        return between(max(own, key=float, default=arb(0)).max(0), self._source.excess(level))

    def most_excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        return self._source.most_excess(level)

    def events(self, level: arb) -> Iterator[Candidate]:
        """See ``EnclosedComparison``: what the source's best events become."""
        for each in self._source.events(level):
            moved = [self._moved(one) for one in each.outcomes if isinstance(one, Interval)]
            whole = merged(moved)
            yield union([self.event(one) for one in whole])
            if len(whole) == 1 and None in (whole[0].low, whole[0].high):
                inside = _half_lines_inside(whole[0], self.landmarks)
                yield from map(self.event, islice(inside, 1))

    def event(self, interval: Interval) -> Candidate:
        """See ``EnclosedComparison``."""
        return event_of(*self._distributions, interval)

    def epsilon_bounds(self, delta: Fraction) -> Enclosure:
        """See ``EnclosedComparison``: at most the source's, at least what the best events ask."""
        if delta == 0:
            return super().epsilon_bounds(delta)
        most = self._source.least_epsilon(delta).bounds
        with working_precision(_BITS):
            events = self.events(arb(most.lower))
            asked = [each.least_level(as_ball(delta)) for each in events]
            known = [float_below(each) for each in asked if not each.is_nan()]
        return Enclosure(min(max([0.0, *known]), most.upper), most.upper)

    def judge(self, claim: Claim) -> Judgement:
        """See ``Comparison``: a claim that holds of the sources is proved."""
        if self._source.judge(claim).holds:
            return Judgement(holds=True)
        return super().judge(claim)

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``: at most the source's, and at least that of cells of outputs."""
        found = self._source.renyi(order)
        if found.exact == 0:
            return found
        with working_precision(_BITS):
            powers = (p ** as_ball(order) * q ** as_ball(1 - order) for p, q in self._cells())
            total = sum((each for each in powers if each.is_finite()), arb(0))
            least = float_below(total.log() / as_ball(order - 1))
        return Least(Enclosure(min(max(0.0, least), found.bounds.upper), found.bounds.upper))

    def _refuse_another_source(self) -> None:
        """Refuse where what comes from a half line is less likely than the half line itself."""
        for point in _a_few(self._source.landmarks):
            for half in (Interval(None, point), Interval(point, None)):
                inner, outer = self._source.event(half), self.event(self._moved(half))
                if outer.p < inner.p or outer.q < inner.q:
                    raise InputError(
                        "E-DISTRIBUTION-INCONSISTENT",
                        "the distribution's source does not fit its probabilities: the outputs "
                        "that come from {half} are less likely than the source is to be there",
                        "give the distribution whose output is processed, and a processing that "
                        "does not fall",
                        half=half,
                    )

    def _cells(self) -> Iterator[tuple[arb, arb]]:
        """Yield the probabilities of cells that end with the landmarks."""
        edges = self.landmarks
        below = [[arb(0), *map(p.cumulative, edges), arb(1)] for p in self._distributions]
        for (p, p_next), (q, q_next) in zip(*map(pairwise, below), strict=True):
            yield p_next - p, q_next - q

    def _moved(self, interval: Interval) -> Interval:
        low, high = (
            None if end is None else self._processing(end) for end in (interval.low, interval.high)
        )
        return Interval(low, high)

    def _processing(self, point: Fraction) -> Fraction:
        output: Fraction = self._distributions[0].processing(point)
        return output


def _a_few(points: list[Fraction]) -> list[Fraction]:
    """Return some of many points, spread around the one in the middle, the nearest first."""
    spread = points[:: len(points) // (_CHECKED + 1) or 1]
    return sorted(spread, key=lambda each: abs(each - points[len(points) // 2]))[:_CHECKED]


def _half_lines_inside(half: Interval, points: list[Fraction]) -> Iterator[Interval]:
    """Yield half lines within one that end at given points, the greatest first."""
    if half.low is not None:
        yield from (Interval(each, None) for each in points if each > half.low)
    elif half.high is not None:
        limit = half.high
        yield from (Interval(None, each) for each in reversed(points) if each < limit)
