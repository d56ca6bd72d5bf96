"""Events that may refute a claim, and where to look for them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

__all__ = ["SPREAD", "Candidate", "union", "with_union"]

#: Landmarks in units of the width of two distributions: near ones are dense, far ones double.
_NEAR = {Fraction(i, 64) for i in range(-256, 257)} | {Fraction(i, 8) for i in range(-96, 97)}
_FAR = {sign * Fraction(2) ** power for power in range(4, 40) for sign in (-1, 1)}
SPREAD = sorted(_NEAR | _FAR)


@dataclass(frozen=True)
class Candidate:
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


def with_union(parts: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield disjoint events of positive probability one by one, then all of them together."""
    likely = [each for each in parts if each.p > 0]
    yield from likely
    if len(likely) > 1:
        yield union(likely)


def union(parts: Sequence[Candidate]) -> Candidate:
    """Return the union of disjoint events."""
    outcomes = tuple(outcome for each in parts for outcome in each.outcomes)
    p, q = sum((each.p for each in parts), arb(0)), sum((each.q for each in parts), arb(0))
    return Candidate(outcomes, p, q)
