"""The worst of many comparisons, which makes the verdict."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from sfumato.audit.comparison import Judgement, Least
from sfumato.audit.verdict import Verdict, Witness
from sfumato.numeric import Enclosure, as_ball, float_below, working_precision
from sfumato.privacy.parameters import below

if TYPE_CHECKING:
    from sfumato.audit.claim import Claim
    from sfumato.audit.comparison import Comparison

__all__ = ["Worst", "greater", "raised"]

_BITS = 128

_NOTHING = Least(Enclosure(0.0, 0.0), Fraction(0))
#: From the best to the worst.
_RANK = {True: 0, None: 1, False: 2}
_STATUS: dict[bool | None, Literal["proved", "refuted", "undecided"]] = {
    True: "proved",
    None: "undecided",
    False: "refuted",
}


class Worst:
    """The worst that was found so far, over all comparisons of a claim."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._holds: bool | None = True
        self._epsilon, self._delta = _NOTHING, _NOTHING
        self._witness: Witness | None = None
        self._reached = (-1, -1.0)
        self._assumption = ""

    def add(self, comparison: Comparison, inputs: tuple[Any, Any]) -> None:
        """Take one comparison into account."""
        judgement, claim = comparison.judge(self._claim), self._claim
        epsilon = self._least_epsilon(comparison)
        if judgement.holds is False:
            epsilon = raised(epsilon, below(claim.epsilon), _refuted_epsilon(judgement, claim))
        self._epsilon = greater(self._epsilon, epsilon)
        if claim.order is None and not (judgement.holds and not claim.delta):
            delta = comparison.least_delta(claim.epsilon)
            if judgement.holds is False:
                delta = raised(delta, below(claim.delta))
            self._delta = greater(self._delta, delta)
        self._assumption = self._assumption or comparison.assumption
        self._keep(judgement, epsilon, inputs)

    def verdict(self, *, pairs: int, scope: str) -> Verdict:
        """Return the verdict on all that was added."""
        return Verdict(
            status=_STATUS[self._holds],
            claim=self._claim,
            epsilon=self._epsilon,
            delta=None if self._claim.order is not None else self._delta,
            witness=self._witness,
            pairs=pairs,
            scope=scope,
            note=self._assumption,
        )

    def _least_epsilon(self, comparison: Comparison) -> Least:
        if self._claim.order is not None:
            return comparison.renyi(self._claim.order)
        return comparison.least_epsilon(self._claim.delta)

    def _keep(self, judgement: Judgement, epsilon: Least, inputs: tuple[Any, Any]) -> None:
        """Keep the inputs and the event of the worst comparison, the first of equals."""
        if _RANK[judgement.holds] > _RANK[self._holds]:
            self._holds = judgement.holds
        reached = _RANK[judgement.holds], epsilon.bounds.upper
        if reached > self._reached:
            self._reached, self._witness = reached, Witness(inputs, judgement.event)


def greater(first: Least, second: Least) -> Least:
    """Return the greater of two least values, by name where that is certain."""
    bounds = Enclosure(
        max(first.bounds.lower, second.bounds.lower), max(first.bounds.upper, second.bounds.upper)
    )
    known = [each.exact for each in (first, second) if each.exact is not None]
    if len(known) == 2:
        return Least(bounds, max(known))
    leader = first if first.bounds.upper > second.bounds.upper else second
    settled = leader.bounds.lower >= min(first.bounds.upper, second.bounds.upper)
    return Least(bounds, leader.exact if settled else None)


def raised(least: Least, *bounds: float) -> Least:
    """Return a least value with other lower bounds of it taken into account."""
    if least.exact is not None:
        return least
    upper = least.bounds.upper
    return Least(Enclosure(min(max(least.bounds.lower, *bounds), upper), upper))


def _refuted_epsilon(judgement: Judgement, claim: Claim) -> float:
    """Return a lower bound on ε by the event that refutes: the logarithm of (P - δ) / Q."""
    if judgement.event is None or claim.order is not None:
        return 0.0
    p, q = judgement.event.p, judgement.event.q
    with working_precision(_BITS):
        over = as_ball(p if isinstance(p, Fraction) else p.lower) - as_ball(claim.delta)
        under = as_ball(q if isinstance(q, Fraction) else q.upper)
        if not over > 0:
            return 0.0
        return math.inf if under <= 0 else float_below((over / under).log())
