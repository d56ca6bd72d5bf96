"""Two distributions on finitely many outcomes, compared, with their Rényi divergences."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, fmpz

from sfumato.audit.comparison import (
    Claim,
    Comparison,
    Judgement,
    Least,
    WitnessEvent,
    at_least_zero,
    known_least,
    precisions,
    probability_bounds,
)
from sfumato.audit.exact.distribution import ExactDistribution, read_finite_distribution
from sfumato.audit.exact.pair import BallComparison, FinitePair, best_event
from sfumato.audit.exact.weights import (
    INFINITE,
    Exact,
    Ratio,
    ball_of,
    exact_sum,
    exactly,
    exponential,
    log_of,
    quotient,
    rational,
    sign_of_difference,
)
from sfumato.numeric import Exponentials, Ln, as_ball, working_precision
from sfumato.translation import mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy import Epsilon

    Mask = NDArray[np.bool_]

#: Up to how many bits a distribution that is known by balls only is refined.
EFFORT = 4096
_BITS = 192
#: Sums of so high an order are not expanded exactly.
_HIGHEST_ORDER = 256


def exact_renyi(pair: FinitePair, order: Fraction) -> Least:
    """Return the divergence: ln Σ p^α q^(1-α) over α - 1, exactly where that has a name."""
    if pair.impossible.any():
        return INFINITE
    if pair.is_equal():
        return known_least(Fraction(0))
    if (total := _rational_sum(pair, order)) is not None:
        root = _root(total, int(order) - 1)
        if root is not None:
            return known_least(Ln(root) if root != 1 else Fraction(0))
    with working_precision(_BITS):
        found = _divergence(pair, order)
        return Least(at_least_zero(found, found))


def judge_renyi(pair: FinitePair, order: Fraction, epsilon: Epsilon) -> bool | None:
    """Decide whether the divergence is at most ε; None where balls do not tell."""
    if pair.impossible.any():
        return False
    if pair.is_equal():
        return True
    if (total := _rational_sum(pair, order)) is not None:
        return bool(total <= _power(epsilon, int(order) - 1))
    for bits in precisions(EFFORT):
        with working_precision(bits):
            gap = _divergence(pair, order) - as_ball(epsilon)
        if gap > 0 or gap < 0:
            return bool(gap < 0)
    return None


def _power(epsilon: Epsilon, times: int) -> Exact:
    """Return e to so many times ε."""
    if isinstance(epsilon, Ln):
        return epsilon.argument**times
    return Exponentials.exp(epsilon * times)


def _rational_sum(pair: FinitePair, order: Fraction) -> Fraction | None:
    """Return Σ p^α q^(1-α) for two rational distributions at a whole order, else None."""
    whole_p, whole_q = pair.totals
    if isinstance(whole_p, Exponentials) or isinstance(whole_q, Exponentials):
        return None
    if order.denominator != 1 or order > _HIGHEST_ORDER:
        return None
    power, parts = int(order), []
    for (p, q), count in _counted(pair):
        share_p, share_q = rational(p) / whole_p, rational(q) / whole_q
        parts.append(count * share_p**power * share_q ** (1 - power))
    return rational(exact_sum(parts))


def _counted(pair: FinitePair) -> list[tuple[tuple[Exact, Exact], int]]:
    """Return the distinct pairs of weights with a positive first, and how often each occurs."""
    found = Counter(zip(pair.p, pair.q, strict=True))
    return [((exactly(p), exactly(q)), count) for (p, q), count in found.items() if exactly(p)]


def _divergence(pair: FinitePair, order: Fraction) -> arb:
    """Return a ball around the divergence, at the precision in force."""
    power, (whole_p, whole_q) = as_ball(order), pair.totals
    parts = (
        count * (power * log_of(p) + (1 - power) * log_of(q)).exp()
        for (p, q), count in _counted(pair)
    )
    scale = power * log_of(whole_p) + (1 - power) * log_of(whole_q)
    return (sum(parts, arb(0)).log() - scale) / (power - 1)


def _root(value: Fraction, degree: int) -> Fraction | None:
    """Return the root of a degree where it is rational, else None."""
    roots = [int(fmpz(part).root(degree)) for part in (value.numerator, value.denominator)]
    return Fraction(*roots) if Fraction(*roots) ** degree == value else None


def compare_finite(p: Any, q: Any, *, effort: int = EFFORT) -> Comparison:
    """Return the comparison of two distributions on finitely many outcomes, one way."""
    left = read_finite_distribution(p, mark("the first input"))
    right = read_finite_distribution(q, mark("the second input"))
    if isinstance(left, ExactDistribution) and isinstance(right, ExactDistribution):
        return ExactComparison(FinitePair(left, right))
    return BallComparison(left, right, effort)


class ExactComparison(Comparison):
    """Two exact distributions: every answer is decided, ties included."""

    def __init__(self, pair: FinitePair) -> None:
        self._pair = pair

    def least_epsilon(self, delta: Fraction) -> Least:
        """Return the least ε at a δ: the logarithm of the greatest (P(S) - δ) / Q(S)."""
        found = self._greatest(delta)
        return INFINITE if found is None else found.least_logarithm()

    def least_delta(self, epsilon: Epsilon) -> Least:
        """Return the least δ at an ε: the greatest P(S) - e^ε Q(S)."""
        factor = exponential(epsilon)
        (p, q), (whole_p, whole_q) = self._pair.masses(self._beyond(factor)), self._pair.totals
        shares = quotient(p, whole_p), quotient(factor * q, whole_q)
        if isinstance(shares[0], Fraction) and isinstance(shares[1], Fraction):
            return known_least(shares[0] - shares[1])
        with working_precision(_BITS):
            excess = ball_of(p) / ball_of(whole_p) - ball_of(factor * q) / ball_of(whole_q)
            return Least(probability_bounds(excess))

    def renyi(self, order: Fraction) -> Least:
        """Return the Rényi divergence of an order above 1."""
        return exact_renyi(self._pair, order)

    def judge(self, claim: Claim) -> Judgement:
        """Decide a claim; the event is the one that refutes it or comes closest to that."""
        if claim.order is not None:
            return Judgement(judge_renyi(self._pair, claim.order, claim.epsilon))
        factor = exponential(claim.epsilon)
        event = self._beyond(factor) if claim.delta else self._single()
        if not event.any():
            return Judgement(holds=True)
        (p, q), (whole_p, whole_q) = self._pair.masses(event), self._pair.totals
        over = sign_of_difference((p - claim.delta * whole_p, whole_q), (factor * q, whole_p))
        return Judgement(holds=over <= 0, event=self._event(event))

    def _event(self, event: Mask) -> WitnessEvent:
        (p, q), (whole_p, whole_q) = self._pair.masses(event), self._pair.totals
        return WitnessEvent(self._pair.named(event), quotient(p, whole_p), quotient(q, whole_q))

    def _beyond(self, factor: Exact) -> Mask:
        """Return the event P > factor · Q."""
        whole_p, whole_q = self._pair.totals
        return self._pair.beyond(factor * whole_p, whole_q)

    def _single(self) -> Mask:
        """Return the event of one outcome, at which P/Q is greatest."""
        event = np.zeros(len(self._pair.outcomes), dtype=np.bool_)
        event[self._pair.likeliest()] = True
        return event

    def _greatest(self, delta: Fraction) -> Ratio | None:
        """Return the greatest (P(S) - δ) / Q(S) with P(S) > δ; None where it is infinite.

        Dinkelbach's iteration :cite:p:`dinkelbach1967`: at a ratio r the best event is {P > r Q};
        its own ratio is the next r, until r stays.
        """
        event = self._start(delta) if delta else self._single()
        best: Ratio | None = None
        while True:
            (p, q), (whole_p, whole_q) = self._pair.masses(event), self._pair.totals
            over = p - delta * whole_p
            if not q:
                return best if not over else None
            found = Ratio((over, whole_q), (q, whole_p))
            if best is not None and not found.exceeds(best):
                return best
            before, best, event = event, found, self._pair.beyond(over, q)
            if not event.any() or np.array_equal(event, before):
                return best

    def _start(self, delta: Fraction) -> Mask:
        """Return an event with P(S) > δ, near the best as far as floats can tell."""
        event = best_event(*self._pair.floats(), float(delta))
        p, _ = self._pair.masses(event)
        return event if p - delta * self._pair.totals[0] > 0 else self._pair.possible
