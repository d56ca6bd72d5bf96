"""One part of several that differs: its comparison, with its place in what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.audit.comparison import Comparison, Judgement, Least, WitnessEvent
from sfumato.audit.exact.independent import Parts

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.audit.claim import Claim
    from sfumato.privacy.parameters import Epsilon

__all__ = ["PlacedComparison"]


class PlacedComparison(Comparison):
    """The comparison of the one part that differs, at its place among all parts."""

    def __init__(self, place: int, part: Comparison) -> None:
        self._place, self._part, self.assumption = place, part, part.assumption

    def least_epsilon(self, delta: Fraction) -> Least:
        """See ``Comparison``."""
        return self._part.least_epsilon(delta)

    def least_delta(self, epsilon: Epsilon) -> Least:
        """See ``Comparison``."""
        return self._part.least_delta(epsilon)

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        return self._part.renyi(order)

    def judge(self, claim: Claim) -> Judgement:
        """See ``Comparison``."""
        found = self._part.judge(claim)
        if found.event is None:
            return found
        named = (Parts({self._place: found.event.outcomes}),)
        return Judgement(found.holds, WitnessEvent(named, found.event.p, found.event.q))
