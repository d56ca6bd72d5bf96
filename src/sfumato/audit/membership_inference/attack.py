"""Attacks: what scores of many trainings prove, and guesses about many people in one.

Each of so many people was put into the training data, or left out, by a fair coin of their own.
The attack sees the model and guesses for some of them.  Their guesses depend on each other, so
binomial bounds on rates do not apply; but under ε-differential privacy the number of right ones
is stochastically below a binomial with success probability e^ε/(1 + e^ε), given the guesses made
:cite:p:`steinke2023auditing`.  Under (ε, δ) the probability of v right ones is at most

    P[W ≥ v] + 2mδ · max over i of P[v - i ≤ W < v]/i

for that binomial W and m people.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from numbers import Real
from typing import Any

from flint import arb

from sfumato.audit.blackbox.bounds import probability_above, probability_below
from sfumato.audit.comparison import Claim, read_claim
from sfumato.audit.membership_inference.report import LowRate, MembershipReport, allowed_rate
from sfumato.audit.membership_inference.threshold import (
    RocCurve,
    are_labels,
    best_threshold,
    read_scores,
    roc_curve,
)
from sfumato.errors import InputError
from sfumato.numeric import Ln, as_ball, float_below, read_count, shown, working_precision
from sfumato.privacy import read_delta
from sfumato.privacy.theorems import EpsilonLike, NumberLike, read_probability
from sfumato.refusal import Argument

_LOW_RATES = (Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000))
_BITS = 128
_STEPS = 60


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
    curve, start = roc_curve(members, others), read_count(seed, "seed", least=0)
    tested = best_threshold(members, others, delta=claim.delta, alpha=chance, seed=start)
    return MembershipReport(
        claim=claim,
        tested=replace(
            tested, value=float(_turned(tested.value, smaller=smaller)), smaller=smaller
        ),
        alpha=float(chance),
        curve=replace(curve, thresholds=_turned(curve.thresholds, smaller=smaller)),
        low_rates=tuple(_low_rate(curve, claim, rate, chance) for rate in _LOW_RATES),
        labels=are_labels(others) and not are_labels(members),
    )


def _turned(scores: Any, *, smaller: bool) -> Any:
    """Return scores of which a greater one says "member", or back; 0 has no sign."""
    return 0.0 - scores if smaller else scores


def _low_rate(curve: RocCurve, claim: Claim, rate: Fraction, chance: Fraction) -> LowRate:
    """Return what was found at a false positive rate, and its limits, which all rates share.

    The others' scores alone choose the threshold: above it there are m of them, the greatest number
    that the rate admits.  Given those, the members above it are binomial; and the probability that
    an other is above the (m+1)th highest of them has a distribution at most Beta(m+1, n-m), of
    which the bound of :cite:p:`clopper1934` for m of n is a quantile.
    """
    level = float_below(chance / (2 * len(_LOW_RATES)))
    found = curve.count_at(float(rate))
    wrong = math.floor(rate * curve.other_count)
    most = Fraction(probability_above(wrong, curve.other_count, level))
    return LowRate(
        float(rate),
        found / curve.member_count,
        allowed_rate(claim, rate),
        low=probability_below(found, curve.member_count, level),
        allowed_at_most=allowed_rate(claim, most),
    )


def one_run(
    guesses: int,
    right: int,
    *,
    alpha: NumberLike = 1e-6,
    delta: NumberLike = 0,
    people: int | None = None,
) -> float:
    """Return a lower bound on ε from guesses about people of one training run.

    The bound exceeds the true ε with probability at most alpha.  It assumes that a fair coin of
    each person's own decided who was in the training data, and that the relation is adding or
    removing that person.

    Parameters
    ----------
    guesses
        For how many people the attack said "in" or "out"; it may leave out any it is unsure of.
    right
        How many of these guesses were right.
    alpha
        The probability with which the bound may be wrong.
    delta
        The δ at which ε is bounded.
    people
        About how many people a coin was tossed, guessed or not; needed where delta is above 0.

    Examples
    --------
    >>> from sfumato.audit import one_run
    >>> round(one_run(1000, 900, alpha=0.05), 4)
    2.0212
    >>> round(one_run(1000, 900, alpha=0.05, delta=1e-5, people=1000), 4)
    2.0206
    """
    tried, hits = _read_guesses(guesses, right)
    level, slip = read_probability(alpha, "alpha"), read_delta(delta)
    share = probability_below(hits, tried, float_below(level))
    if not slip:
        return _log_odds(share)
    tosses = _read_people(people, tried)
    return _log_odds(_lowered(share, tried, hits, level, 2 * tosses * slip))


def _lowered(share: float, tried: int, hits: int, level: Fraction, weight: Fraction) -> float:
    """Return a share, at most the given one, at which the probability is proved small enough.

    Any such share will do: it is the probability at that ε, not a search, that proves the bound.
    """
    low, high = 0.5, share
    for _ in range(_STEPS if share > low else 0):
        middle = (low + high) / 2
        small = _chance(middle, tried, hits, weight) <= as_ball(level)
        low, high = (middle, high) if small else (low, middle)
    return low


def _chance(share: float, tried: int, hits: int, weight: Fraction) -> arb:
    """Return the bound of the theorem: the tail of the binomial, and the share that δ adds."""
    with working_precision(_BITS):
        success = arb(share)
        mass = _mass(tried, hits, success)
        tail = success.beta_lower(hits, tried - hits + 1, regularized=True)
        odds, greatest, together = (1 - success) / success, arb(0), arb(0)
        for i in range(1, hits + 1):
            mass = mass * (hits - i + 1) / (tried - hits + i) * odds
            together += mass
            greatest = greatest.max(together / i)
            if i * greatest > 1:  # from here on together/i, at most 1/i, is less
                break
        return tail + as_ball(weight) * greatest


def _mass(tried: int, hits: int, success: arb) -> arb:
    """Return the probability of exactly so many hits."""
    logs = arb(tried + 1).lgamma() - arb(hits + 1).lgamma() - arb(tried - hits + 1).lgamma()
    return (logs + hits * success.log() + (tried - hits) * (1 - success).log()).exp()


def _log_odds(share: float) -> float:
    odds = Fraction(share) / (1 - Fraction(share))
    if odds <= 1:
        return 0.0
    with working_precision(_BITS):
        return float_below(Ln(odds).ball())


def _read_guesses(guesses: Any, right: Any) -> tuple[int, int]:
    tried = read_count(guesses, "guesses")
    if isinstance(right, Real) and right == 0 and not isinstance(right, bool):
        return tried, 0
    hits = read_count(right, "right")
    if hits > tried:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "right must be at most guesses, {tried:,}, not {right}",
            tried=tried,
            right=shown(right),
        )
    return tried, hits


def _read_people(people: Any, tried: int) -> int:
    if people is None:
        raise InputError(
            "E-ARGUMENT-MISSING",
            "with delta above 0, write people=..., about how many a coin was tossed",
        )
    tosses = read_count(people, "people")
    if tosses < tried:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must be at least guesses, {tried:,}, not {people}",
            tried=tried,
            people=shown(people),
            argument=Argument("people"),
        )
    return tosses
