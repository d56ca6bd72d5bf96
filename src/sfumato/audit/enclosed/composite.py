"""Distributions made of others: one of several branches, or a function of another's output."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.audit.comparison import Claim, Interval, Judgement, Least, at_least_zero
from sfumato.audit.enclosed.enclosure import CandidateEvent, EnclosedComparison, between, union
from sfumato.audit.enclosed.forms import Branched, Processed, event_of, merged
from sfumato.errors import InputError, NoEnclosureError
from sfumato.numeric import (
    Enclosure,
    Ln,
    as_ball,
    cached_property,
    float_below,
    shown,
    working_precision,
)
from sfumato.privacy import written
from sfumato.translation import mark

if TYPE_CHECKING:
    from fractions import Fraction

    Compare = Callable[[Any, Any], EnclosedComparison]
    Alternative = tuple[Hashable, arb, Any]

_BITS = 192
#: At so many landmarks the source is checked against the distribution.
_CHECKED = 6


def read_branches(distribution: Branched) -> list[Alternative]:
    """Return the alternatives of a distribution, with balls at the precision in force."""
    given: Any = distribution.branches
    found = [_read_branch(each) for each in (given if isinstance(given, Iterable) else [given])]
    if len({name for name, _, _ in found}) < len(found):
        raise InputError(
            "E-DISTRIBUTION-BRANCHES",
            "two branches of a distribution have one name",
            "give every alternative a name of its own",
        )
    total = sum((chance for _, chance, _ in found), arb(0))
    if not total.overlaps(arb(1)):
        raise InputError(
            "E-PROBABILITIES-SUM",
            "the branches of a distribution have probabilities that sum to {total:.10g}, not to 1",
            "name every alternative, and write Fraction(1, 3) or '1/3' where no decimal is exact",
            total=float(total),
        )
    return found


def _read_branch(branch: Any) -> Alternative:
    parts = branch if isinstance(branch, (tuple, list)) else ()
    if len(parts) != len(("name", "chance", "distribution")) or not isinstance(parts[0], Hashable):
        raise InputError(
            "E-DISTRIBUTION-BRANCHES",
            "a branch is a name, a probability and a distribution or None, not {branch}",
            "write ('released', 0.9, distribution), say",
            branch=shown(branch),
        )
    name, given, distribution = parts
    chance = (
        given if isinstance(given, arb) else as_ball(written(given, mark("a branch's probability")))
    )
    if not chance.is_finite() or chance < 0:
        raise InputError(
            "E-DISTRIBUTION-BRANCHES",
            "the branch {name} has the probability {given}",
            "write 0 to 1",
            name=shown(name),
            given=shown(given),
        )
    return name, chance, distribution


class _Branch:
    """One alternative: its two probabilities, and what follows it."""

    def __init__(self, name: Hashable, p: arb, q: arb, rest: EnclosedComparison | None) -> None:
        self.name, self.p, self.q, self.rest = name, p, q, rest

    @property
    def shift(self) -> arb:
        """The logarithm of the ratio of the two probabilities."""
        return arb.pos_inf() if self.q.is_zero() else (self.p / self.q).log()

    def greatest(self) -> tuple[arb, arb]:
        if self.p.is_zero():
            return arb.neg_inf(), arb.neg_inf()
        low, high = (arb(0), arb(0)) if self.rest is None else self.rest.greatest()
        return low + self.shift, high + self.shift

    def excess(self, level: arb) -> arb:
        rest = self._follows
        return self._alone(level) if rest is None else self.p * rest.excess(level - self.shift)

    def most_excess(self, level: arb) -> arb:
        rest = self._follows
        return self._alone(level) if rest is None else self.p * rest.most_excess(level - self.shift)

    @property
    def _follows(self) -> EnclosedComparison | None:
        """What follows and matters: nothing, where one of the two never comes so far."""
        return None if self.p.is_zero() or self.q.is_zero() else self.rest

    def _alone(self, level: arb) -> arb:
        return (self.p - level.exp() * self.q).max(0)

    def best_event(self, level: arb) -> CandidateEvent | None:
        """Return the event of this alternative that exceeds the level by most, if one does."""
        found = max(self._events(level), key=lambda each: float(each.excess(level)), default=None)
        return found if found is not None and found.excess(level) > 0 else None

    def _events(self, level: arb) -> Iterator[CandidateEvent]:
        if self.rest is None:
            yield CandidateEvent((self.name,), self.p, self.q)
        elif self._follows is None:
            yield CandidateEvent((Interval(None, None),), self.p, self.q)
        else:
            for each in self._follows.events(level - self.shift):
                yield CandidateEvent(each.outcomes, self.p * each.p, self.q * each.q)

    def power(self, order: Fraction) -> tuple[arb, arb]:
        """Return bounds on the sum of p^α q^(1-α) over this alternative."""
        if self.p.is_zero():
            return arb(0), arb(0)
        if self.q.is_zero():
            return arb.pos_inf(), arb.pos_inf()
        weight = self.p ** as_ball(order) * self.q ** as_ball(1 - order)
        if self.rest is None:
            return weight, weight
        bounds = self.rest.renyi(order).bounds
        low, high = (arb(end) * as_ball(order - 1) for end in (bounds.lower, bounds.upper))
        return weight * low.exp(), weight * high.exp()


class BranchedComparison(EnclosedComparison):
    """Events split by alternative: excesses add up, and the greatest ratio is one alternative's."""

    def __init__(self, p: Branched, q: Branched, compare: Compare, *, effort: int) -> None:
        super().__init__(effort=effort)
        self._distributions = p, q
        with working_precision(_BITS):
            both = list(zip(read_branches(p), read_branches(q), strict=True))
        self._rests = {
            name: None if one is None else compare(one, other)
            for (name, _, one), (_, _, other) in both
        }
        told = (rest.assumption for rest in self._rests.values() if rest is not None)
        self.assumption = next(filter(None, told), "")

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``."""
        low, high = arb.neg_inf(), arb.neg_inf()
        for branch in self._branches():
            ends = branch.greatest()
            low, high = low.max(ends[0]), high.max(ends[1])
        return low, high

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        return sum((branch.excess(level) for branch in self._branches()), arb(0))

    def most_excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        return sum((branch.most_excess(level) for branch in self._branches()), arb(0))

    def events(self, level: arb) -> Iterator[CandidateEvent]:
        """See ``EnclosedComparison``."""
        found = [branch.best_event(level) for branch in self._branches()]
        kept = [each for each in found if each is not None]
        yield from kept
        if len(kept) > 1:
            yield union(kept)

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        with working_precision(_BITS):
            powers = [branch.power(order) for branch in self._branches()]
            low, high = (sum(ends, arb(0)) for ends in zip(*powers, strict=True))
            ends = (each.log() / as_ball(order - 1) for each in (low, high))
            return Least(at_least_zero(*ends))

    def _branches(self) -> list[_Branch]:
        """Return the alternatives, at the precision in force."""
        both = zip(*map(read_branches, self._distributions), strict=True)
        return [
            _Branch(name, one, other, self._rests[name]) for (name, one, _), (_, other, _) in both
        ]


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

    def events(self, level: arb) -> Iterator[CandidateEvent]:
        """See ``EnclosedComparison``: what the source's best events become."""
        for each in self._source.events(level):
            moved = [self._moved(one) for one in each.outcomes if isinstance(one, Interval)]
            whole = merged(moved)
            yield union([self.event(one) for one in whole])
            if len(whole) == 1 and None in (whole[0].low, whole[0].high):
                inside = _half_lines_inside(whole[0], self.landmarks)
                yield from map(self.event, islice(inside, 1))

    def event(self, interval: Interval) -> CandidateEvent:
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
