"""Two finite distributions, exact or known by balls: where one is likelier, and by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from sfumato.audit.comparison import (
    Claim,
    Comparison,
    Judgement,
    Least,
    WitnessEvent,
    at_least_zero,
    precisions,
    probability_bounds,
)
from sfumato.audit.exact.weights import SURE, Exact, exact_sum, exactly, logarithms
from sfumato.numeric import Enclosure, as_ball, float_above, float_below, working_precision

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.audit.exact.distribution import ExactDistribution, FiniteDistribution
    from sfumato.privacy import Epsilon

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]
    Balls = list[arb]

#: How closely a least value is enclosed before the precision is no longer raised.
_KNOWN = 2.0**-48


def best_event(p: Floats, q: Floats, delta: float) -> Mask:
    """Return, nearly, the event at which (P(S) - δ) / Q(S) is greatest."""
    event, ratio = p > 0, 0.0
    while True:
        mass_p, mass_q = float(p[event].sum()), float(q[event].sum())
        if mass_q == 0 or (mass_p - delta) / mass_q <= ratio:
            return event
        ratio = (mass_p - delta) / mass_q
        event = p > ratio * q


class FinitePair:
    """Two exact distributions over the union of their outcomes; an event is a mask over these.

    Floats settle what lies clearly on one side of a threshold; exact numbers settle the rest.
    """

    def __init__(self, p: ExactDistribution, q: ExactDistribution) -> None:
        self.outcomes, left, right = aligned(p.outcomes, q.outcomes)
        self.p, self.q = _over(p.values, left), _over(q.values, right)
        self.totals = p.total, q.total
        self._logs = _over_logs(p.logs, left), _over_logs(q.logs, right)
        #: The event that holds whatever can come out under the first distribution.
        self.possible, self._shared = self._logs[0] > -np.inf, self._logs[1] > -np.inf

    @property
    def impossible(self) -> Mask:
        """The event that holds what can come out under the first distribution only."""
        return self.possible & ~self._shared

    def is_equal(self) -> bool:
        """Tell whether the two distributions are the same."""
        if self.impossible.any() or np.ptp(self._gaps()[self.possible]) > 1:
            return False
        pairs, (whole_p, whole_q) = set(zip(self.p, self.q, strict=True)), self.totals
        return all(exactly(p) * whole_q == exactly(q) * whole_p for p, q in pairs)

    def weights(self, place: int) -> tuple[Exact, Exact]:
        """Return the two weights of an outcome."""
        return exactly(self.p[place]), exactly(self.q[place])

    def masses(self, event: Mask) -> tuple[Exact, Exact]:
        """Return the weights of an event under the two distributions."""
        places = np.flatnonzero(event).tolist()
        return exact_sum(self.p[i] for i in places), exact_sum(self.q[i] for i in places)

    def named(self, event: Mask) -> tuple[Hashable, ...]:
        """Return the outcomes in an event."""
        return tuple(self.outcomes[i] for i in np.flatnonzero(event).tolist())

    def beyond(self, top: Exact, bottom: Exact) -> Mask:
        """Return the event p·bottom > top·q, by the weights; top and bottom are positive."""
        threshold = logarithms([top, bottom])
        gap = self._gaps() - (threshold[0] - threshold[1])
        slack = self._slack(float(np.abs(threshold).sum()))
        event: Mask = (gap > slack) | self.impossible
        seen: dict[tuple[Any, Any], bool] = {}
        for i in np.flatnonzero(np.abs(gap) <= slack).tolist():
            key = self.p[i], self.q[i]
            if key not in seen:
                p, q = self.weights(i)
                seen[key] = bool(_is_greater(p * bottom, top * q))
            event[i] = seen[key]
        return event

    def likeliest(self) -> int:
        """Return an outcome at which p/q is greatest; of equal ones the likeliest, roughly."""
        if self.impossible.any():
            return int(np.argmax(np.where(self.impossible, self._logs[0], -np.inf)))
        gap, slack = self._gaps(), self._slack(0.0)
        near = np.flatnonzero(gap + slack >= (gap - slack).max()).tolist()
        return self._greatest_of(sorted(near, key=lambda i: -self._logs[0][i]))

    def floats(self) -> tuple[Floats, Floats]:
        """Return the probabilities, nearly."""
        return _normal(self._logs[0]), _normal(self._logs[1])

    def _greatest_of(self, places: Sequence[int]) -> int:
        best, seen = places[0], {(self.p[places[0]], self.q[places[0]])}
        for i in places[1:]:
            if (self.p[i], self.q[i]) in seen:
                continue
            seen.add((self.p[i], self.q[i]))
            (p, q), (best_p, best_q) = self.weights(i), self.weights(best)
            best = i if _is_greater(p * best_q, best_p * q) else best
        return best

    def _gaps(self) -> Floats:
        """Return log p - log q where both are possible, and -∞ elsewhere."""
        both = self.possible & self._shared
        gaps = np.full(both.shape, -np.inf)
        gaps[both] = self._logs[0][both] - self._logs[1][both]
        return gaps

    def _slack(self, more: float) -> Floats:
        """Return a bound on the error of each gap, and of a threshold with logarithms ``more``."""
        finite = [np.where(np.isfinite(each), np.abs(each), 0.0) for each in self._logs]
        slack: Floats = SURE * (1.0 + finite[0] + finite[1] + more)
        return slack


def aligned(
    left: tuple[Hashable, ...], right: tuple[Hashable, ...]
) -> tuple[tuple[Hashable, ...], NDArray[np.int64] | None, NDArray[np.int64] | None]:
    """Return the union of two lists of outcomes, and the place of each in both; -1 for nowhere.

    None stands for places that are those of the union.
    """
    if left == right:
        return left, None, None
    union = tuple(dict.fromkeys((*left, *right)))
    return union, _places(left, union), _places(right, union)


def _places(outcomes: tuple[Hashable, ...], union: tuple[Hashable, ...]) -> NDArray[np.int64]:
    known = {outcome: place for place, outcome in enumerate(outcomes)}
    return np.array([known.get(each, -1) for each in union], dtype=np.int64)


def _over(values: Sequence[Any], places: NDArray[np.int64] | None) -> Sequence[Any]:
    if places is None:
        return values
    longer = (*values, 0)
    return tuple(longer[i] for i in places.tolist())


def _over_logs(logs: Floats, places: NDArray[np.int64] | None) -> Floats:
    return logs if places is None else np.append(logs, -np.inf)[places]


def _is_greater(left: Exact, right: Exact) -> bool:
    return left > right


def _normal(logs: Floats) -> Floats:
    scaled = np.exp(logs - logs.max())
    probabilities: Floats = scaled / scaled.sum()
    return probabilities


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
        for bits in precisions(self._effort):
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
        masses = [probability_bounds(sum((side[i] for i in places), arb(0))) for side in (p, q)]
        return WitnessEvent(tuple(self._outcomes[i] for i in places), *masses)

    def _enclosed(self, measure: Callable[[Balls, Balls], Enclosure]) -> Least:
        found = Enclosure(0.0, math.inf)
        for bits in precisions(self._effort):
            with working_precision(bits):
                found = measure(*self._balls())
            if found.width <= _KNOWN * max(1.0, found.lower):
                break
        return Least(found)

    def _balls(self) -> tuple[Balls, Balls]:
        """Return the probabilities over all outcomes, at the precision in force."""
        p, q = (
            _balls_over(each.balls(), places)
            for each, places in zip(self._distributions, self._places, strict=True)
        )
        return p, q


def _balls_over(balls: Balls, places: NDArray[np.int64] | None) -> Balls:
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
    return probability_bounds(_total(_gaps(p, q, factor)))


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
    found = total.log() / (power - 1)
    return at_least_zero(found, found)


def _compared(found: Enclosure, limit: arb) -> bool | None:
    if found.lower == math.inf or as_ball(found.lower) > limit:
        return False
    return True if as_ball(found.upper) <= limit else None
