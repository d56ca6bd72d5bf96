"""Two finite distributions, at least one known by balls only: decided, or left undecided."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from flint import arb

from sfumato.audit.comparison import Comparison, Judgement, Least, WitnessEvent
from sfumato.audit.exact.dinkelbach import best_event
from sfumato.audit.exact.pair import aligned
from sfumato.audit.exact.ratio import share
from sfumato.numeric import Enclosure, as_ball, float_above, float_below, working_precision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.audit.claim import Claim
    from sfumato.audit.exact.distribution import FiniteDistribution
    from sfumato.privacy.parameters import Epsilon

    Balls = list[arb]

__all__ = ["BallComparison"]

_FIRST_BITS = 128
#: How closely a least value is enclosed before the precision is no longer raised.
_KNOWN = 2.0**-48


class BallComparison(Comparison):
    """Two finite distributions in balls, which are refined up to ``effort`` bits."""

    def __init__(self, p: FiniteDistribution, q: FiniteDistribution, effort: int) -> None:
        self._distributions, self._effort = (p, q), effort
        self._outcomes, *self._places = aligned(p.outcomes, q.outcomes)

    def least_epsilon(self, delta: Fraction) -> Least:
        """Return the least ε at a δ."""
        if not delta:
            return self._enclosed(_max_divergence)
        return self._enclosed(lambda p, q: _least_epsilon(p, q, delta))

    def least_delta(self, epsilon: Epsilon) -> Least:
        """Return the least δ at an ε."""
        return self._enclosed(lambda p, q: _excess(p, q, as_ball(epsilon).exp()))

    def renyi(self, order: Fraction) -> Least:
        """Return the Rényi divergence of an order above 1."""
        return self._enclosed(lambda p, q: _renyi(p, q, order))

    def judge(self, claim: Claim) -> Judgement:
        """Decide a claim where balls tell."""
        judged = Judgement(holds=None)
        for bits in self._precisions():
            with working_precision(bits):
                judged = self._judged(claim, *self._balls())
            if judged.holds is not None:
                break
        return judged

    def _judged(self, claim: Claim, p: Balls, q: Balls) -> Judgement:
        """Judge at the precision in force."""
        if claim.order is not None:
            found = _renyi(p, q, claim.order)
            return Judgement(_compared(found, as_ball(claim.epsilon)))
        gaps = _gaps(p, q, as_ball(claim.epsilon).exp())
        places = [i for i, gap in enumerate(gaps) if gap > 0]
        event = self._event(p, q, places if claim.delta else _greatest(p, q, places))
        if sum((gaps[i] for i in places), arb(0)) > as_ball(claim.delta):
            return Judgement(holds=False, event=event)
        return Judgement(holds=True if _total(gaps) <= as_ball(claim.delta) else None, event=event)

    def _event(self, p: Balls, q: Balls, places: Sequence[int]) -> WitnessEvent | None:
        if not places:
            return None
        masses = [share(sum((side[i] for i in places), arb(0))) for side in (p, q)]
        return WitnessEvent(tuple(self._outcomes[i] for i in places), *masses)

    def _enclosed(self, measure: Callable[[Balls, Balls], Enclosure]) -> Least:
        found = Enclosure(0.0, math.inf)
        for bits in self._precisions():
            with working_precision(bits):
                found = measure(*self._balls())
            if found.width <= _KNOWN * max(1.0, found.lower):
                break
        return Least(found)

    def _precisions(self) -> Iterator[int]:
        bits = _FIRST_BITS
        while bits <= max(self._effort, _FIRST_BITS):
            yield bits
            bits *= 2

    def _balls(self) -> tuple[Balls, Balls]:
        """Return the probabilities over all outcomes, at the precision in force."""
        p, q = (
            _over(each.balls(), places)
            for each, places in zip(self._distributions, self._places, strict=True)
        )
        return p, q


def _over(balls: Balls, places: NDArray[np.int64] | None) -> Balls:
    if places is None:
        return balls
    longer = [*balls, arb(0)]
    return [longer[i] for i in places.tolist()]


def _gaps(p: Balls, q: Balls, factor: arb) -> Balls:
    return [a - factor * b for a, b in zip(p, q, strict=True)]


def _total(gaps: Iterable[arb]) -> arb:
    """Return a ball around the sum of the positive ones."""
    total = arb(0)
    for gap in gaps:
        if gap > 0:
            total += gap
        elif not gap <= 0:
            total += arb(0).union(gap.upper())
    return total


def _excess(p: Balls, q: Balls, factor: arb) -> Enclosure:
    return share(_total(_gaps(p, q, factor)))


def _greatest(p: Balls, q: Balls, places: Sequence[int]) -> Sequence[int]:
    """Return the one place at which p/q is greatest, as far as is seen."""
    return [max(places, key=lambda i: _log_ratio(p[i], q[i])[0])] if places else []


def _log_ratio(p: arb, q: arb) -> tuple[float, float]:
    """Return bounds on ln(p/q), for what may be 0 as well; -∞ where p is 0."""
    low, high = -math.inf, math.inf
    if p > 0:
        low = math.inf if q <= 0 else float_below((p.lower() / q.upper()).log())
    if p <= 0:
        high = -math.inf
    elif q > 0:
        high = float_above((p.upper() / q.lower()).log())
    return low, high


def _max_divergence(p: Balls, q: Balls) -> Enclosure:
    bounds = [_log_ratio(a, b) for a, b in zip(p, q, strict=True)]
    lower, upper = max(low for low, _ in bounds), max(high for _, high in bounds)
    return Enclosure(max(lower, 0.0), max(upper, 0.0))


def _least_epsilon(p: Balls, q: Balls, delta: Fraction) -> Enclosure:
    """Return bounds on the least ε: below by an event, above by a greater ε that is enough."""
    near_p, near_q = (np.array([float(each.mid()) for each in side]) for side in (p, q))
    places = np.flatnonzero(best_event(near_p, near_q, float(delta))).tolist()
    over = sum((p[i] for i in places), arb(0)) - as_ball(delta)
    lower, _ = _log_ratio(over, sum((q[i] for i in places), arb(0)))
    lower = max(lower, 0.0)
    step = 2.0**-50
    while lower + step < math.inf and step < math.inf:
        if _total(_gaps(p, q, as_ball(lower + step).exp())) <= as_ball(delta):
            return Enclosure(lower, lower + step)
        step *= 4
    return Enclosure(lower, math.inf)


def _renyi(p: Balls, q: Balls, order: Fraction) -> Enclosure:
    power = as_ball(order)
    total = arb(0)
    for a, b in zip(p, q, strict=True):
        if a > 0 and b <= 0:
            return Enclosure(math.inf, math.inf)
        if not a <= 0:
            total += (power * a.log() + (1 - power) * b.log()).exp()
    found = Enclosure.of_ball(total.log() / (power - 1))
    return Enclosure(max(found.lower, 0.0), max(found.upper, 0.0))


def _compared(found: Enclosure, limit: arb) -> bool | None:
    if found.lower == math.inf or as_ball(found.lower) > limit:
        return False
    return True if as_ball(found.upper) <= limit else None
