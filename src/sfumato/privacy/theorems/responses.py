"""The answers of composed randomized response: their probabilities, and what they guarantee.

A step with guarantee ε answers truly with odds e^ε.  Of two neighbouring tables, one makes the true
answer 'yes' everywhere and the other 'no', so an outcome with loss l has a probability p under the
first and p e^{-l} under the second, and

    δ(ε) = Σ max(0, p - e^ε q) = max over sets of outcomes of P(set) - e^ε Q(set).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import Enclosure, as_ball
from sfumato.privacy.theorems.certified import enclosed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import fmpq

    from sfumato.privacy.parameters import Epsilon

__all__ = ["RepeatedResponse"]


@dataclass(frozen=True)
class RepeatedResponse:
    """Randomized response with one ε, ``count`` times."""

    epsilon: Epsilon
    count: int

    def outcomes(self) -> Iterator[tuple[arb, arb]]:
        """Yield both probabilities of 0, 1, 2, … answers that speak against the first table."""
        odds = as_ball(self.epsilon).exp()
        p, q = (1 / (1 + 1 / odds)) ** self.count, (1 / (1 + odds)) ** self.count
        for against in range(self.count + 1):
            yield p, q
            ways = self.count - against
            p, q = p * ways / ((against + 1) * odds), q * ways * odds / (against + 1)

    def delta(self, level: arb) -> arb:
        """Return δ at ε; only the outcomes with a greater loss are visited."""
        total, factor = arb(0), level.exp()
        for p, q in self.outcomes():
            excess = p - factor * q
            if excess < 0:
                break
            total += excess.max(arb(0))
        return total

    def least_epsilon(self, delta: fmpq) -> Enclosure:
        """Return the least ε at δ: the greatest ln((P - δ)/Q) over the sets of greatest loss."""
        return enclosed(lambda: self._greatest_factor(arb(delta)).log())

    def _greatest_factor(self, delta: arb) -> arb:
        greatest, first, second = arb(1), arb(0), arb(0)
        for against, (p, q) in enumerate(self.outcomes()):
            if 2 * against > self.count:
                break
            first, second = first + p, second + q
            greatest = greatest.max((first - delta) / second)
        return greatest
