"""Two distributions on finitely many outcomes, compared: exactly if they are exact, or by balls."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.comparison import Comparison, Judgement, Least, WitnessEvent
from sfumato.audit.exact.balls import BallComparison
from sfumato.audit.exact.dinkelbach import best_event
from sfumato.audit.exact.distribution import ExactDistribution, read_finite_distribution
from sfumato.audit.exact.pair import ExactPair
from sfumato.audit.exact.ratio import INFINITE, Ratio, least_exact, quotient, share
from sfumato.audit.exact.renyi import exact_renyi, judge_renyi
from sfumato.audit.exact.weights import Exact, ball_of, exponential, sign_of_difference
from sfumato.numeric import working_precision
from sfumato.translation import mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.audit.claim import Claim
    from sfumato.privacy.parameters import Epsilon

    Mask = NDArray[np.bool_]

__all__ = ["EFFORT", "ExactComparison", "compare_finite"]

#: Up to how many bits a distribution that is known by balls only is refined.
EFFORT = 4096

_BITS = 192


def compare_finite(p: Any, q: Any, *, effort: int = EFFORT) -> Comparison:
    """Return the comparison of two distributions on finitely many outcomes, one way."""
    left = read_finite_distribution(p, mark("the first input"))
    right = read_finite_distribution(q, mark("the second input"))
    if isinstance(left, ExactDistribution) and isinstance(right, ExactDistribution):
        return ExactComparison(ExactPair(left, right))
    return BallComparison(left, right, effort)


class ExactComparison(Comparison):
    """Two exact distributions: every answer is decided, ties included."""

    def __init__(self, pair: ExactPair) -> None:
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
            return least_exact(shares[0] - shares[1])
        with working_precision(_BITS):
            excess = ball_of(p) / ball_of(whole_p) - ball_of(factor * q) / ball_of(whole_q)
            return Least(share(excess))

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
