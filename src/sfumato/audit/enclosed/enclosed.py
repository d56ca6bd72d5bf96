"""What all comparisons by enclosures share: a claim is proved or refuted by balls, or left open."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from flint import arb

from sfumato.audit.comparison import Comparison, Interval, Judgement, Least, WitnessEvent
from sfumato.audit.enclosed.bounds import (
    FIRST_BITS,
    at_least_zero,
    between,
    exactly,
    probability_bounds,
    refined,
    settled,
)
from sfumato.errors import NoEnclosureError
from sfumato.information.continuous.threshold import least_level
from sfumato.numeric import Enclosure, as_ball, float_below, working_precision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.audit.claim import Claim
    from sfumato.audit.enclosed.candidates import Candidate
    from sfumato.numeric import Ln
    from sfumato.privacy.parameters import Epsilon

__all__ = ["EnclosedComparison"]

#: A level beyond which nothing is asked.
_GREATEST_LEVEL = 4096


class EnclosedComparison(Comparison):
    """A comparison by balls; every method with balls works at the precision in force.

    Parameters
    ----------
    effort
        The most bits that balls are refined to.
    """

    def __init__(self, *, effort: int) -> None:
        self.effort = effort
        self._refuting: list[Candidate] = []

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
    def events(self, level: arb) -> Iterator[Candidate]:
        """Yield events likely to have P(S) above e^level Q(S), the plainest first."""

    def event(self, interval: Interval) -> Candidate:
        """Return an interval as an event; refused where its probability is not known."""
        raise NoEnclosureError(
            "E-DISTRIBUTION-UNKNOWN",
            "these distributions do not tell how likely an output {interval} is",
            interval=interval,
        )

    def least_epsilon(self, delta: Fraction) -> Least:
        """See ``Comparison``."""
        if delta == 0 and self.exact_greatest is not None:
            return exactly(max(self.exact_greatest, Fraction(0)))
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
            return exactly(Fraction(0))
        found = refined(partial(self._delta_bounds, epsilon), self.effort)
        with working_precision(FIRST_BITS):
            asked = [each.excess(as_ball(epsilon)) for each in self._refuting]
        return Least(_at_least(found, asked))

    def judge(self, claim: Claim) -> Judgement:
        """See ``Comparison``."""
        if claim.order is not None:
            return Judgement(holds=settled(self.renyi(claim.order), claim.epsilon))
        bits = FIRST_BITS
        while bits <= max(self.effort, FIRST_BITS):
            with working_precision(bits):
                if self._keeps(claim):
                    return Judgement(holds=True)
                event = self._refutation(claim)
            if event is not None:
                return Judgement(holds=False, event=event)
            bits *= 2
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
