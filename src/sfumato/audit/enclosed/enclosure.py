"""What all comparisons by enclosures share: a claim is proved or refuted by balls, or left open."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from flint import arb

from sfumato.audit.comparison import (
    FIRST_BITS,
    Claim,
    Comparison,
    Interval,
    Judgement,
    Least,
    WitnessEvent,
    at_least_zero,
    known_least,
    precisions,
    probability_bounds,
)
from sfumato.errors import NoEnclosureError
from sfumato.information.continuous import least_level
from sfumato.numeric import (
    Enclosure,
    Ln,
    as_ball,
    cached_property,
    exact,
    float_below,
    fraction_below,
    working_precision,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from sfumato.privacy import Epsilon


_NARROW = 1e-9
#: Nothing below it is told apart.
_LEAST = 1e-300
_UNKNOWN = Enclosure(0.0, 1.0), Enclosure(0.0, math.inf)
#: Landmarks in units of the width of two distributions: near ones are dense, far ones double.
_NEAR = {Fraction(i, 64) for i in range(-256, 257)} | {Fraction(i, 8) for i in range(-96, 97)}
_FAR = {sign * Fraction(2) ** power for power in range(4, 40) for sign in (-1, 1)}
SPREAD = sorted(_NEAR | _FAR)
#: A level beyond which nothing is asked.
_GREATEST_LEVEL = 4096


def between(low: arb, high: arb) -> arb:
    """Return a ball that holds all from the lower end of one to the upper end of another."""
    return low.lower().union(high.upper())


def refined(bounds: Callable[[], Enclosure], effort: int) -> Enclosure:
    """Return bounds at ever more bits, until they are narrow or more bits no longer help."""
    bits, found = FIRST_BITS, _at(FIRST_BITS, bounds)
    while not _is_narrow(found) and 2 * bits <= effort:
        bits, before, found = 2 * bits, found, _at(2 * bits, bounds)
        if not _is_better(found, before):
            break
    return found


def _at(bits: int, bounds: Callable[[], Enclosure]) -> Enclosure:
    with working_precision(bits):
        return bounds()


def _is_narrow(found: Enclosure) -> bool:
    return found.width <= _NARROW * found.lower or found.upper <= _LEAST


def _is_better(found: Enclosure, before: Enclosure) -> bool:
    """Tell whether another look was worth it, or was the first to be so far from telling."""
    return before in _UNKNOWN or before.upper == math.inf or found.width < before.width / 2


def settled(found: Least, epsilon: Epsilon) -> bool | None:
    """Tell whether a value is at most ε, None where its bounds do not say."""
    if found.exact is not None:
        return bool(found.exact <= epsilon)
    if found.bounds.upper < math.inf and exact(found.bounds.upper) <= epsilon:
        return True
    return False if found.bounds.lower > epsilon else None


@dataclass(frozen=True)
class CandidateEvent:
    """An event that may refute a claim, with balls around its two probabilities."""

    outcomes: tuple[Hashable, ...]
    p: arb
    q: arb

    def excess(self, level: arb) -> arb:
        """Return a ball around P(S) - e^level Q(S)."""
        return self.p if self.q.is_zero() else self.p - level.exp() * self.q

    def least_level(self, delta: arb) -> arb:
        """Return a ball around log((P(S) - δ)/Q(S)), the least ε that the event allows."""
        if self.q.is_zero() and self.p > delta:
            return arb.pos_inf()
        return ((self.p - delta) / self.q).log()


def with_union(parts: Sequence[CandidateEvent]) -> Iterator[CandidateEvent]:
    """Yield disjoint events of positive probability one by one, then all of them together."""
    likely = [each for each in parts if each.p > 0]
    yield from likely
    if len(likely) > 1:
        yield union(likely)


def union(parts: Sequence[CandidateEvent]) -> CandidateEvent:
    """Return the union of disjoint events."""
    outcomes = tuple(outcome for each in parts for outcome in each.outcomes)
    p, q = sum((each.p for each in parts), arb(0)), sum((each.q for each in parts), arb(0))
    return CandidateEvent(outcomes, p, q)


class EnclosedComparison(Comparison):
    """A comparison by balls; every method with balls works at the precision in force.

    Parameters
    ----------
    effort
        The most bits that balls are refined to.
    """

    def __init__(self, *, effort: int) -> None:
        self.effort = effort
        self._refuting: list[CandidateEvent] = []

    @property
    def exact_greatest(self) -> Fraction | Ln | None:
        """The greatest log P(S)/Q(S) where it is known exactly, else None."""
        return None

    @property
    def half_line(self) -> Interval | None:
        """A half line on which log p/q is everywhere ``exact_greatest``, where one is known."""
        return None

    @property
    def landmarks(self) -> list[Fraction]:
        """Numbers spread over where the outcomes are; none for outcomes that are no numbers."""
        return []

    @abstractmethod
    def greatest(self) -> tuple[arb, arb]:
        """Return a lower and an upper bound of the greatest log P(S)/Q(S)."""

    @abstractmethod
    def excess(self, level: arb) -> arb:
        """Return a ball around the greatest P(S) - e^level Q(S)."""

    def most_excess(self, level: arb) -> arb:
        """Return a ball not below the greatest P(S) - e^level Q(S), and narrow.

        The ball of ``excess`` may be wide, and then its radius is rounded up to nine digits.
        """
        return self.excess(level)

    @abstractmethod
    def events(self, level: arb) -> Iterator[CandidateEvent]:
        """Yield events likely to have P(S) above e^level Q(S), the plainest first."""

    def event(self, interval: Interval) -> CandidateEvent:
        """Return an interval as an event; refused where its probability is not known."""
        raise NoEnclosureError(
            "E-DISTRIBUTION-UNKNOWN",
            "these distributions do not tell how likely an output {interval} is",
            interval=interval,
        )

    def least_epsilon(self, delta: Fraction) -> Least:
        """See ``Comparison``."""
        if delta == 0 and self.exact_greatest is not None:
            return known_least(max(self.exact_greatest, Fraction(0)))
        found = self.epsilon_bounds(delta)
        with working_precision(FIRST_BITS):
            asked = [each.least_level(as_ball(delta)) for each in self._refuting]
        return Least(_at_least(found, asked))

    def epsilon_bounds(self, delta: Fraction) -> Enclosure:
        """Return bounds on the least ε at a δ, refined until they are narrow."""
        return refined(partial(self._epsilon_bounds, delta), self.effort)

    def least_delta(self, epsilon: Epsilon) -> Least:
        """See ``Comparison``."""
        if self.exact_greatest is not None and self.exact_greatest <= epsilon:
            return known_least(Fraction(0))
        found = refined(partial(self._delta_bounds, epsilon), self.effort)
        with working_precision(FIRST_BITS):
            asked = [each.excess(as_ball(epsilon)) for each in self._refuting]
        return Least(_at_least(found, asked))

    def judge(self, claim: Claim) -> Judgement:
        """See ``Comparison``."""
        if claim.order is not None:
            return Judgement(holds=settled(self.renyi(claim.order), claim.epsilon))
        for bits in precisions(self.effort):
            with working_precision(bits):
                if self._keeps(claim):
                    return Judgement(holds=True)
                event = self._refutation(claim)
            if event is not None:
                return Judgement(holds=False, event=event)
        known = claim.delta == 0 and self.exact_greatest is not None
        return Judgement(holds=False if known else None)

    def excess_at_infinity(self) -> arb:
        """Return a ball around what no level removes: the probability of where Q has none."""
        return between(arb(0), self.excess(arb(_GREATEST_LEVEL)))

    def _epsilon_bounds(self, delta: Fraction) -> Enclosure:
        if delta == 0:
            return at_least_zero(*self.greatest())
        return at_least_zero(*least_level(self._excess, as_ball(delta)))

    def _delta_bounds(self, epsilon: Epsilon) -> Enclosure:
        level = as_ball(epsilon)
        low, high = (probability_bounds(f(level)) for f in (self.excess, self.most_excess))
        return Enclosure(min(low.lower, high.upper), high.upper)

    def _excess(self, level: arb) -> arb:
        return self.excess(level) if level.is_finite() else self.excess_at_infinity()

    def _keeps(self, claim: Claim) -> bool:
        most = self.exact_greatest
        if most is not None and (most <= claim.epsilon or claim.delta == 0):
            return bool(most <= claim.epsilon)
        if claim.delta == 0:
            return bool(self.greatest()[1] <= as_ball(claim.epsilon))
        return bool(self.most_excess(as_ball(claim.epsilon)) <= as_ball(claim.delta))

    def _refutation(self, claim: Claim) -> WitnessEvent | None:
        level, allowed = as_ball(claim.epsilon), as_ball(claim.delta)
        for each in self.events(level):
            if each.excess(level) > allowed:
                self._refuting.append(each)
                return WitnessEvent(
                    each.outcomes, probability_bounds(each.p), probability_bounds(each.q)
                )
        return None


def _at_least(found: Enclosure, asked: list[arb]) -> Enclosure:
    """Return bounds on a least value, not below what events ask for."""
    known = [float_below(each) for each in asked if not each.is_nan()]
    return Enclosure(min(max([found.lower, *known]), found.upper), found.upper)


class AdaptedComparison(EnclosedComparison):
    """What an exact comparison says, in balls."""

    def __init__(self, found: Comparison, *, effort: int) -> None:
        super().__init__(effort=effort)
        self._found, self.assumption = found, found.assumption

    @cached_property
    def exact_greatest(self) -> Fraction | Ln | None:
        """See ``EnclosedComparison``."""
        return self._pure.exact

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``."""
        if self._pure.exact is not None:
            return as_ball(self._pure.exact), as_ball(self._pure.exact)
        return arb(self._pure.bounds.lower), arb(self._pure.bounds.upper)

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        low = self._found.least_delta(-fraction_below(-level)).bounds.lower
        return between(arb(low), arb(self._found.least_delta(fraction_below(level)).bounds.upper))

    def events(self, level: arb) -> Iterator[CandidateEvent]:
        """See ``EnclosedComparison``."""
        event = self._found.judge(Claim(fraction_below(level), self._little(level))).event
        if event is not None:
            yield CandidateEvent(event.outcomes, ball_around(event.p), ball_around(event.q))

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        return self._found.renyi(order)

    @cached_property
    def _pure(self) -> Least:
        return self._found.least_epsilon(Fraction(0))

    def _little(self, level: arb) -> Fraction:
        """Return a δ for which the event is the best there is, and not a single outcome."""
        return fraction_below(self.excess(level).lower()) / 2


def ball_around(value: Fraction | Enclosure) -> arb:
    """Return a ball around a number, or around all between two bounds."""
    return as_ball(value) if isinstance(value, Fraction) else arb(value.lower).union(value.upper)
