"""Membership inference: how well the scores of an attack tell members from others."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.claim import read_claim
from sfumato.audit.membership_inference.curve import RocCurve, roc_curve
from sfumato.audit.membership_inference.report import LowRate, MembershipReport, allowed_rate
from sfumato.audit.membership_inference.scores import are_labels, read_scores, read_seed
from sfumato.audit.membership_inference.threshold import best_threshold
from sfumato.privacy.theorems.reading import read_probability

if TYPE_CHECKING:
    from sfumato.audit.claim import Claim
    from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike

__all__ = ["membership"]

_LOW_RATES = (Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000))


def membership(
    member_scores: Any,
    other_scores: Any,
    *,
    epsilon: EpsilonLike,
    delta: NumberLike = 0,
    alpha: NumberLike = 1e-6,
    seed: int = 0,
    smaller: bool = False,
) -> MembershipReport:
    """Compare what an attack on a model finds with what (ε, δ)-differential privacy allows.

    Whoever is in the training data is said to be there with probability at most
    e^ε·(the probability for someone who is not) + δ, and so for "not there"
    :cite:p:`kairouz2015composition`.  The scores are halved at random: one half chooses a threshold
    for each of the two sayings, the other proves with Clopper–Pearson bounds how great ε must be.

    The bound is about the training algorithm when the trials are independent: for each score a
    model was trained anew, with the person or without.  Scores of many people under one trained
    model depend on each other, and say only how that one model behaves; for a bound from one model
    see :func:`one_run`.

    Parameters
    ----------
    member_scores
        A score for each trial with the person in the training data.
    other_scores
        A score for each trial without the person.
    epsilon, delta
        What is claimed.
    alpha
        The probability with which the bound on ε may exceed the truth.
    seed
        Divides the scores into halves, so that a report can be repeated.
    smaller
        Whether a smaller score says "was in it", as a loss does; otherwise a greater one says it.

    Examples
    --------
    >>> from sfumato.audit import membership
    >>> memorised, unseen = [0.99] * 300, [0.2, 0.4, 0.6] * 100
    >>> print(membership(memorised, unseen, epsilon=1).lines()[0])
    violated: the attack proves ε ≥ 2.2381, and 1-DP was claimed
    """
    claim, chance = read_claim(epsilon, delta), read_probability(alpha, "alpha")
    members = _turned(read_scores(member_scores, "member_scores"), smaller=smaller)
    others = _turned(read_scores(other_scores, "other_scores"), smaller=smaller)
    curve, start = roc_curve(members, others), read_seed(seed)
    tested = best_threshold(members, others, delta=claim.delta, alpha=chance, seed=start)
    return MembershipReport(
        claim=claim,
        tested=replace(
            tested, value=float(_turned(tested.value, smaller=smaller)), smaller=smaller
        ),
        alpha=float(chance),
        curve=replace(curve, thresholds=_turned(curve.thresholds, smaller=smaller)),
        low_rates=tuple(_low_rate(curve, claim, rate) for rate in _LOW_RATES),
        labels=are_labels(others) and not are_labels(members),
    )


def _turned(scores: Any, *, smaller: bool) -> Any:
    """Return scores of which a greater one says "member", or back; 0 has no sign."""
    return 0.0 - scores if smaller else scores


def _low_rate(curve: RocCurve, claim: Claim, rate: Fraction) -> LowRate:
    return LowRate(float(rate), curve.found_at(float(rate)), allowed_rate(claim, rate))
