"""Two distributions with densities on the line, by roots and balls, or by closed forms."""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb, ctx

from sfumato.audit.comparison import FIRST_BITS, Interval, Least, known_least
from sfumato.audit.enclosed.enclosure import SPREAD, CandidateEvent, EnclosedComparison, with_union
from sfumato.errors import NoEnclosureError
from sfumato.information import max_divergence, renyi_divergence
from sfumato.information.continuous import (
    Cauchy,
    Cell,
    Declared,
    Point,
    as_continuous,
    bits_for,
    cauchy_maximum,
    cauchy_region,
    exact_cauchy_maximum,
    exact_maximum,
    exact_renyi,
    excess_cells,
    excess_of,
    half_line_above,
    half_line_of_maximum,
    mass,
    pair_of,
    refuse_contradictions,
)
from sfumato.numeric import (
    Enclosure,
    Ln,
    as_ball,
    cached_property,
    exact,
    float_above,
    float_below,
    fraction_below,
    working_precision,
)
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator


_UNKNOWN = Enclosure(0.0, math.inf)
_ASSUMPTION = mark(
    "it rests on what was declared of the distributions: that the functions are right to "
    "within their accuracy, and that log p/q is monotone between breakpoints"
)


class RealComparison(EnclosedComparison):
    """Distributions of ``information.continuous``, SciPy's frozen ones, or ``Declared`` ones."""

    def __init__(self, p: Any, q: Any, *, effort: int) -> None:
        self._distributions = (
            as_continuous(p, mark("the first distribution")),
            as_continuous(q, mark("the second distribution")),
        )
        declared = [each for each in self._distributions if isinstance(each, Declared)]
        blurred = any(each.accuracy > 0 for each in declared)
        super().__init__(effort=min(effort, FIRST_BITS) if blurred else effort)
        self._bits = bits_for(*self._distributions)
        if declared:
            self.assumption = _ASSUMPTION
            with working_precision(self._bits):
                refuse_contradictions(*self._distributions)

    @cached_property
    def exact_greatest(self) -> Fraction | None:
        """See ``EnclosedComparison``."""
        return exact_maximum(*self._distributions)

    @property
    def half_line(self) -> Interval | None:
        """See ``EnclosedComparison``."""
        found = half_line_of_maximum(*self._distributions)
        return None if found is None else interval_between(*found)

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``."""
        return arb(self._greatest.lower), arb(self._greatest.upper)

    @cached_property
    def _greatest(self) -> Enclosure:
        try:
            return max_divergence(*self._distributions)
        except NoEnclosureError:
            return Enclosure(self._reached(), math.inf)

    def _reached(self) -> float:
        """Return what log p/q comes to somewhere, where nothing bounds it; 0 at least."""
        with suppress(NoEnclosureError), working_precision(self._bits):
            pair = pair_of(*self._distributions)
            reached = (pair.attained(cell) for cell in pair.cells)
            return max([0.0, *(float_below(each) for each in reached if not each.is_nan())])
        return 0.0

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        with working_precision(max(ctx.prec, self._bits)):
            return excess_of(*self._distributions)(level)

    def excess_at_infinity(self) -> arb:
        """See ``EnclosedComparison``."""
        return self.excess(arb.pos_inf())

    def events(self, level: arb) -> Iterator[CandidateEvent]:
        """See ``EnclosedComparison``: each stretch of the region alone, then all together."""
        known = half_line_above(*self._distributions, fraction_below(level.mid()))
        if known is not None:
            yield self.event(interval_between(*known))
            return
        with working_precision(max(ctx.prec, self._bits)):
            pair = pair_of(*self._distributions)
            cells = excess_cells(pair, level)
            found = [
                CandidateEvent((interval_between(each.low, each.high),), *pair.masses(each))
                for each in cells
            ]
        yield from with_union(found)

    def event(self, interval: Interval) -> CandidateEvent:
        """See ``EnclosedComparison``."""
        p, q = self._distributions
        if isinstance(p, Declared) or isinstance(q, Declared):
            return super().event(interval)
        low = -math.inf if interval.low is None else interval.low
        high = math.inf if interval.high is None else interval.high
        cell = Cell(low, high, Fraction(1), 0)
        return CandidateEvent((interval,), mass(p, cell), mass(q, cell))

    @cached_property
    def landmarks(self) -> list[Fraction]:
        """See ``EnclosedComparison``."""
        points = sorted(exact(each) for p in self._distributions for each in p.breakpoints)
        if not points:
            return []
        centre, reach = (points[0] + points[-1]) / 2, points[-1] - points[0] or Fraction(1)
        return [centre + reach * each for each in SPREAD]

    def epsilon_bounds(self, delta: Fraction) -> Enclosure:
        """See ``EnclosedComparison``."""
        if delta == 0:
            return super().epsilon_bounds(delta)
        found = max_divergence(*self._distributions, delta=delta)
        return Enclosure(max(0.0, found.lower), max(0.0, found.upper))

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        known = exact_renyi(*self._distributions, order)
        if known is not None:
            return known_least(known)
        try:
            return Least(renyi_divergence(*self._distributions, order=order))
        except NoEnclosureError:
            return Least(_UNKNOWN)


def interval_between(low: Point, high: Point) -> Interval:
    """Return the closed interval between two points; infinite ones are no ends."""
    ends = (None if isinstance(each, float) else each for each in (low, high))
    return Interval(*ends)


class CauchyComparison(EnclosedComparison):
    """One Cauchy distribution against another."""

    def __init__(self, p: Cauchy, q: Cauchy, *, effort: int) -> None:
        super().__init__(effort=effort)
        self._distributions = p, q

    @cached_property
    def exact_greatest(self) -> Ln | None:
        """See ``EnclosedComparison``."""
        return exact_cauchy_maximum(*self._distributions)

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``."""
        found = cauchy_maximum(*self._distributions)
        return found, found

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        if self.greatest()[1] <= level:
            return arb(0)
        region = cauchy_region(*self._distributions, level)
        if region is None:
            return arb(0.5, 0.5)
        p, q = (
            sum((_mass(each, *ends) for ends in region), arb(0)) for each in self._distributions
        )
        return (p - level.exp() * q).max(0)

    def events(self, level: arb) -> Iterator[CandidateEvent]:
        """See ``EnclosedComparison``."""
        p, q = self._distributions
        near = [_near(*ends) for ends in cauchy_region(p, q, level) or []]
        yield from with_union([_candidate(p, q, low, high) for low, high in near])

    def event(self, interval: Interval) -> CandidateEvent:
        """See ``EnclosedComparison``."""
        return _candidate(*self._distributions, interval.low, interval.high)

    def renyi(self, order: Fraction) -> Least:  # noqa: ARG002 - no closed form for any order
        """See ``Comparison``: the max divergence is a bound for every order."""
        return Least(Enclosure(0.0, float_above(self.greatest()[1])))


def _near(low: arb, high: arb) -> tuple[Fraction | None, Fraction | None]:
    """Return rational ends near those of an interval."""
    first, last = (
        None if math.isinf(float(end)) else fraction_below(end.mid()) for end in (low, high)
    )
    return first, last


def _candidate(p: Cauchy, q: Cauchy, low: Fraction | None, high: Fraction | None) -> CandidateEvent:
    ends = (
        arb.neg_inf() if low is None else as_ball(low),
        arb.pos_inf() if high is None else as_ball(high),
    )
    return CandidateEvent((Interval(low, high),), _mass(p, *ends), _mass(q, *ends))


def _mass(distribution: Cauchy, low: arb, high: arb) -> arb:
    """Return the probability between two points."""
    below = arb(0) if math.isinf(float(low)) else distribution.cdf(low)
    return (arb(1) if math.isinf(float(high)) else distribution.cdf(high)) - below
