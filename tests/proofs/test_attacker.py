"""Beliefs after an output, tests that name a person, and the functions that bound both."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from sfumato.numeric import Ln
from sfumato.privacy.attacker import (
    advantage,
    best_true_positive_rate,
    epsilon_for_posterior,
    epsilon_for_true_positive_rate,
    posterior,
    posterior_after_claim,
)
from tests.proofs.finite import (
    FACTORS,
    FULL_PAIRS,
    HALF,
    NEARLY,
    ONE,
    PAIRS,
    Chances,
    both_ways,
    failing,
    hockey_stick,
    response,
)
from tests.proofs.inequalities import prove, prove_equal

PRIORS = [Fraction(1, 100), HALF, Fraction(9, 10)]
ALARMS = [Fraction(1, 1000), Fraction(1, 10), HALF]
SLIP = Fraction(1, 50)
TINY = Fraction(1, 10**12)


def updated(prior: Fraction, ratio: Fraction) -> Fraction:
    return prior * ratio / (prior * ratio + 1 - prior)


def test_posterior_odds() -> None:
    """Randomized response attains it; and the function is as tight as floats are."""

    def bound(p: Chances, q: Chances, prior: Fraction) -> Fraction:
        return updated(prior, both_ways(p, q))

    for factor, prior in product(FACTORS, PRIORS):
        found = posterior(prior=prior, epsilon=Ln(factor), delta=SLIP)
        assert 0 <= Fraction(found.greatest) - updated(prior, factor) <= TINY
        assert 0 <= updated(prior, 1 / factor) - Fraction(found.least) <= TINY
        assert 0 <= Fraction(found.failure) - SLIP / (1 + factor) <= TINY
    pairs = [*FULL_PAIRS, *(response(factor) for factor in FACTORS)]
    prove(
        ((p, q, prior, y) for (p, q), prior in product(pairs, PRIORS) for y in range(len(p))),
        lambda p, q, prior, y: updated(prior, p[y] / q[y]),
        lambda p, q, prior, _y: bound(p, q, prior),
        twin=lambda p, q, prior, _y: NEARLY * bound(p, q, prior),
    )


def test_posterior_epsilon() -> None:
    """The belief at the bound is the one that is allowed."""

    def found(prior: Fraction, allowed: Fraction) -> Fraction:
        return allowed * (1 - prior) / (prior * (1 - allowed))

    points = [(a, b) for a, b in product(PRIORS, PRIORS) if a < b]
    for prior, allowed in points:
        epsilon = epsilon_for_posterior(prior=prior, posterior=allowed)
        assert Ln(found(prior, allowed) * (1 - TINY)) < Fraction(epsilon)
        assert Ln(found(prior, allowed)) >= Fraction(epsilon)
    prove_equal(
        points,
        lambda _prior, allowed: allowed,
        lambda prior, allowed: updated(prior, found(prior, allowed)),
        twin=lambda prior, allowed: updated(prior, NEARLY * found(prior, allowed)),
    )


def most_found(factor: Fraction, alarms: Fraction) -> Fraction:
    return min(ONE, factor * alarms + SLIP, 1 - (1 - SLIP - alarms) / factor)


def test_positives_epsilon() -> None:
    """Of rates and of what is allowed; and claims that are made at such rates."""

    def factor_for(alarms: Fraction, hits: Fraction) -> Fraction:
        return max((hits - SLIP) / alarms, (1 - SLIP - alarms) / (1 - hits))

    for factor, alarms in product(FACTORS, ALARMS):
        found = best_true_positive_rate(epsilon=Ln(factor), delta=SLIP, false_positive_rate=alarms)
        assert 0 <= Fraction(found) - most_found(factor, alarms) <= TINY
        claimed = posterior_after_claim(
            epsilon=Ln(factor), delta=SLIP, prior=HALF, false_positive_rate=alarms
        )
        exact = updated(HALF, most_found(factor, alarms) / alarms)
        assert 0 <= Fraction(claimed) - exact <= TINY
    points = [(alarms, alarms + SLIP + more) for alarms, more in product(ALARMS, ALARMS[:2])]
    for alarms, hits in points:
        epsilon = epsilon_for_true_positive_rate(
            false_positive_rate=alarms, true_positive_rate=hits, delta=SLIP
        )
        assert Ln(factor_for(alarms, hits)) >= Fraction(epsilon)
        assert Ln(factor_for(alarms, hits) * (1 - TINY)) < Fraction(epsilon)
    prove_equal(
        points,
        lambda _alarms, hits: hits,
        lambda alarms, hits: most_found(factor_for(alarms, hits), alarms),
        twin=lambda alarms, hits: most_found(NEARLY * factor_for(alarms, hits), alarms),
    )


def test_greatest_advantage() -> None:
    def bound(delta: Fraction, factor: Fraction) -> Fraction:
        return (factor - 1 + 2 * delta) / (factor + 1)

    for factor in FACTORS:
        found = advantage(epsilon=Ln(factor), delta=SLIP)
        assert 0 <= Fraction(found) - bound(SLIP, factor) <= TINY
    pairs = [*PAIRS, *(failing(factor, SLIP) for factor in FACTORS)]
    prove(
        (
            (p, q, max(hockey_stick(p, q, factor), hockey_stick(q, p, factor)), factor)
            for (p, q), factor in product(pairs, FACTORS)
        ),
        lambda p, q, _delta, _factor: hockey_stick(p, q, ONE),
        lambda _p, _q, delta, factor: bound(delta, factor),
        twin=lambda _p, _q, delta, factor: NEARLY * bound(delta, factor),
    )
