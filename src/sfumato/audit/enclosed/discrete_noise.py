"""Two distributions on whole numbers with rational log-odds: noise of one shape around two numbers.

Between the turns the log-ratio is linear with a rational slope, and outside it repeats itself: so
its greatest value is found among finitely many outcomes, exactly, and the outcomes at which it
exceeds a level are stretches, whose probabilities are differences of cumulative ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from flint import arb, ctx

from sfumato.audit.comparison import Interval, Least, at_least_zero, known_least
from sfumato.audit.enclosed.enclosure import (
    SPREAD,
    CandidateEvent,
    EnclosedComparison,
    between,
    with_union,
)
from sfumato.audit.enclosed.forms import OddsShape, Shaped, event_of
from sfumato.errors import InputError
from sfumato.numeric import as_ball, cached_property, fraction_below, working_precision

if TYPE_CHECKING:
    from collections.abc import Iterator


#: More stretches than this are not looked at.
_MOST_RUNS = 1 << 14
_MOST_TERMS = 1 << 18
#: How often a run that is repeated for ever is told of in an event.
_PERIODS = 48
_BITS = 192


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


def gap_runs(p: OddsShape, q: OddsShape) -> list[Run] | None:
    """Return log p/q, but for a constant, over all whole numbers; None where it is not linear."""
    if p.step != q.step or p.bend != q.bend:
        return None
    low, high = min(p.core[0], q.core[0]), max(p.core[1], q.core[1])
    tails = [_tail(p, q, low - 1, -1), _tail(p, q, high + 1, 1)]
    inner = _between(p, q, low, high)
    if tails[0] is None or tails[1] is None or inner is None:
        return None
    return [*tails[0], *inner, *tails[1]]


def _between(p: OddsShape, q: OddsShape, low: int, high: int) -> list[Run] | None:
    """Return the runs from one number to another, both included."""
    starts: set[int] = {low}
    for turn in chain(p.turns(low, high), q.turns(low, high)):
        starts.add(turn)
        if len(starts) > _MOST_RUNS:
            return None
    cuts = [*sorted(starts), high + 1]
    return [_run(p, q, first, after - 1) for first, after in pairwise(cuts)]


def _run(p: OddsShape, q: OddsShape, first: int, last: int) -> Run:
    gap = _gap(p, q, first)
    slope = _gap(p, q, first + 1) - gap if last > first else Fraction(0)
    return Run(first, last, first, gap, slope)


def _gap(p: OddsShape, q: OddsShape, k: int) -> Fraction:
    return p.level(k) - q.level(k)


def _tail(p: OddsShape, q: OddsShape, start: int, direction: int) -> list[Run] | None:
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


def log_power_sum(p: OddsShape, q: OddsShape, runs: list[Run], order: Fraction) -> arb:
    """Return log Σ e^{α·level_p(k) + (1-α)·level_q(k)}, not finite where it is not known."""
    sums = _Sums(p, q, order)
    return sum((sums.over(run) for run in runs), arb(0)).log()


class _Sums:
    """The terms of the sum, stretch by stretch."""

    def __init__(self, p: OddsShape, q: OddsShape, order: Fraction) -> None:
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


class ShapedComparison(EnclosedComparison):
    """Two distributions of known shape, and the runs of their log-ratio."""

    def __init__(self, p: Shaped, q: Shaped, runs: list[Run], *, effort: int) -> None:
        super().__init__(effort=effort)
        self._distributions, self._runs = (p, q), runs
        self._same_family = p.shape.family == q.shape.family
        with working_precision(_BITS):
            self._refuse_another_shape()

    @cached_property
    def exact_greatest(self) -> Fraction | None:
        """See ``EnclosedComparison``."""
        most = self._greatest_gap
        return most if isinstance(most, Fraction) and self._same_family else None

    @property
    def half_line(self) -> Interval | None:
        """See ``EnclosedComparison``."""
        for run in self._runs:
            endless = run.first is None or run.last is None
            if endless and run.slope == 0 and run.gap == self.exact_greatest:
                return self._interval(run)
        return None

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``."""
        most = self._greatest_gap
        found = arb.pos_inf() if isinstance(most, float) else as_ball(most) + self._constant()
        return found, found

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``: where the level is not told from the ratio, little is lost.

        There P exceeds e^level Q by a factor of at most e to twice the radius of the threshold.
        """
        threshold = level - self._constant()
        parts = self._parts_above(threshold)
        sure = sum((self._excess_over(part, level) for part in parts), arb(0)).max(0)
        return between(sure, sure + (2 * threshold.rad()).expm1())

    def events(self, level: arb) -> Iterator[CandidateEvent]:
        """See ``EnclosedComparison``."""
        parts = self._parts_above(level - self._constant())
        seen = (part.shifted(i) for part in parts for i in range(_PERIODS if part.period else 1))
        yield from with_union([self._event_of(part) for part in seen])

    def event(self, interval: Interval) -> CandidateEvent:
        """See ``EnclosedComparison``."""
        return event_of(*self._distributions, interval)

    @property
    def landmarks(self) -> list[Fraction]:
        """See ``EnclosedComparison``."""
        shapes = [each.shape for each in self._distributions]
        low, high = min(each.core[0] for each in shapes), max(each.core[1] for each in shapes)
        unit = max(1, high - low, *(each.period for each in shapes))
        return sorted({math.floor(low + unit * each) * shapes[0].step for each in SPREAD})

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        p, q = self._distributions
        known = Fraction(0) if p == q else self._exact_renyi(order)
        if known is not None:
            return known_least(known)
        with working_precision(_BITS):
            total = log_power_sum(p.shape, q.shape, self._runs, order)
            scaled = total + as_ball(order) * _log_share(p) + as_ball(1 - order) * _log_share(q)
            found = scaled / as_ball(order - 1)
            return Least(at_least_zero(found, found))

    def _exact_renyi(self, order: Fraction) -> Fraction | None:
        """Return α·bend·Δ²/2 for bent odds without turns, where α times the shift Δ is whole.

        Then the tilted odds are those of the family around a whole number, with the same sum.
        """
        p, q = (each.shape for each in self._distributions)
        low, high = sorted((p.core[0], q.core[0]))
        turns = (turn for shape in (p, q) for turn in shape.turns(low - 1, high))
        smooth = self._same_family and p.bend > 0 and next(iter(turns), None) is None
        whole = (order * (high - low)).denominator == 1
        return order * p.bend * (high - low) ** 2 / 2 if smooth and whole else None

    @cached_property
    def _greatest_gap(self) -> Fraction | float:
        return max(run.greatest() for run in self._runs)

    def _refuse_another_shape(self) -> None:
        one, other = map(_log_share, self._distributions)
        shifted = one.overlaps(other) or not self._same_family
        if not (shifted and all(map(_fits, self._distributions))):
            raise InputError(
                "E-DISTRIBUTION-INCONSISTENT",
                "the distribution's shape does not fit its probabilities: neighbouring outcomes "
                "must have the ratio e^(level(k + 1) - level(k)), cumulative must add them up, "
                "and distributions of one family must be shifts of each other",
            )

    def _constant(self) -> arb:
        """Return what log p/q is above the gap everywhere: 0 within a family."""
        if self._same_family:
            return arb(0)
        p, q = self._distributions
        return _log_share(p) - _log_share(q)

    def _parts_above(self, threshold: arb) -> list[Run]:
        """Return the parts of the runs on which the gap exceeds a threshold."""
        if not threshold.is_finite():
            return []
        level = fraction_below(threshold.mid())
        return [part for run in self._runs if (part := run.above(level)) is not None]

    def _excess_over(self, part: Run, level: arb) -> arb:
        """Return P - e^level Q over a part, and over all its repetitions, ever less likely."""
        once = self._event_of(part).excess(level)
        if not part.period:
            return once
        p = self._distributions[0].shape
        return once / -as_ball(-p.fall * (abs(part.period) // p.period)).expm1()

    def _event_of(self, part: Run) -> CandidateEvent:
        return self.event(self._interval(part))

    def _interval(self, run: Run) -> Interval:
        step = self._distributions[0].shape.step
        low, high = (None if end is None else end * step for end in (run.first, run.last))
        return Interval(low, high)


def _fits(distribution: Shaped) -> bool:
    """Tell whether a few probabilities may have the log-odds that the shape tells."""
    low, high = distribution.shape.core
    return all(_fits_at(distribution, k) for k in (low - 1, high, high + distribution.shape.period))


def _fits_at(distribution: Shaped, k: int) -> bool:
    shape = distribution.shape
    step, gap = shape.step, as_ball(shape.level(k + 1) - shape.level(k))
    here, after = distribution.ball(k * step), distribution.ball((k + 1) * step)
    added = distribution.cumulative((k + 1) * step) - distribution.cumulative(k * step)
    return bool(after.overlaps(here * gap.exp()) and after.overlaps(added))


def _log_share(distribution: Shaped) -> arb:
    """Return the logarithm of what odds are multiplied by to become probabilities."""
    shape = distribution.shape
    k = shape.core[0]
    return distribution.ball(k * shape.step).log() - as_ball(shape.level(k))
