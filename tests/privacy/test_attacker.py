"""What a guarantee means for an attacker, against exact enumeration of tests and outputs."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.information import bounded_pair, hockey_stick, statistical_distance
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Person, Substitute
from sfumato.privacy.attacker import (
    advantage,
    best_true_positive_rate,
    epsilon_for_posterior,
    epsilon_for_true_positive_rate,
    posterior,
    posterior_after_claim,
)
from sfumato.privacy.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from sfumato.privacy.sentences import meaning
from tests.information.strategies import rational_pairs
from tests.privacy.guarantee_strategies import (
    DELTAS,
    EPSILONS,
    FACTORS,
    SHARES,
    Distribution,
    hardest_pair,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.parameters import Epsilon

PRIORS = st.fractions(min_value=Fraction(1, 100), max_value=Fraction(99, 100), max_denominator=100)


def every_test(present: Distribution, absent: Distribution) -> list[tuple[Fraction, Fraction]]:
    """The false and true positive rate of every set of outputs that may raise an alarm."""
    outputs = range(len(present))
    alarms = chain.from_iterable(combinations(outputs, size) for size in range(len(present) + 1))
    return [(_mass(absent, chosen), _mass(present, chosen)) for chosen in alarms]


def _mass(distribution: Distribution, outputs: tuple[int, ...]) -> Fraction:
    return sum((distribution[output] for output in outputs), Fraction(0))


@given(FACTORS, PRIORS)
def test_beliefs_after_randomized_response(factor: Fraction, prior: Fraction) -> None:
    """By Bayes' rule for both answers, exactly: the bounds are attained."""
    truth = factor / (1 + factor)
    beliefs = [
        prior * p / (prior * p + (1 - prior) * q)
        for p, q in ((truth, 1 - truth), (1 - truth, truth))
    ]
    found = posterior(prior=prior, epsilon=Ln(factor))
    assert found.failure == 0
    assert found.greatest == pytest.approx(float(max(beliefs)), rel=1e-15)
    assert found.least == pytest.approx(float(min(beliefs)), rel=1e-15)
    assert found.least <= min(beliefs)
    assert max(beliefs) <= found.greatest


@given(FACTORS, DELTAS)
def test_beliefs_under_a_delta(factor: Fraction, delta: Fraction) -> None:
    """The two distributions are as near to bounded ones as ``failure`` says, and no nearer."""
    found = posterior(prior=0.5, epsilon=Ln(factor), delta=delta)
    near = bounded_pair(*hardest_pair(factor, delta), epsilon=Ln(factor))
    assert near.distance <= found.failure
    assert found.failure == pytest.approx(float(near.distance), rel=1e-15)


@given(FACTORS, DELTAS, PRIORS)
def test_tests_and_claims_are_bounded_and_the_bounds_attained(
    factor: Fraction, delta: Fraction, prior: Fraction
) -> None:
    guarantee = ApproxDP(epsilon=Ln(factor), delta=delta)
    for alarms, hits in every_test(*hardest_pair(factor, delta)):
        best = best_true_positive_rate(guarantee, false_positive_rate=alarms)
        assert hits <= best
        if alarms > 0:
            right = prior * hits / (prior * hits + (1 - prior) * alarms)
            claimed = posterior_after_claim(guarantee, prior=prior, false_positive_rate=alarms)
            assert right <= claimed
    alarms, hits = (1 - delta) / (1 + factor), delta + (1 - delta) * factor / (1 + factor)
    best = best_true_positive_rate(guarantee, false_positive_rate=alarms)
    assert best == pytest.approx(float(hits), rel=1e-15)


def test_a_forgotten_delta_would_be_caught() -> None:
    """The twin: e^ε α alone is beaten by the hardest pair."""
    beaten = [
        alarms
        for alarms, hits in every_test(*hardest_pair(Fraction(2), Fraction(1, 10)))
        if hits > min(2 * alarms, 1 - (1 - alarms) / 2)
    ]
    assert beaten


@given(rational_pairs(most=4))
def test_the_advantage_is_the_statistical_distance(pair: tuple[Distribution, Distribution]) -> None:
    delta = max(hockey_stick(*each, epsilon=Ln(2)) for each in (pair, pair[::-1]))
    assume(delta < 1)
    exact = statistical_distance(*pair)
    assert exact <= advantage(epsilon=Ln(2), delta=Fraction(delta))
    assert advantage(PureDP(epsilon=Ln(3))) == 0.5


@given(PRIORS, PRIORS)
def test_the_epsilon_for_a_belief_keeps_it(one: Fraction, other: Fraction) -> None:
    prior, allowed = sorted([one, other])
    epsilon = epsilon_for_posterior(prior=prior, posterior=allowed)
    odds = allowed * (1 - prior) / (prior * (1 - allowed))
    assert Fraction(repr(epsilon)) <= Ln(odds)
    assert epsilon == pytest.approx(math.log(odds), rel=1e-14, abs=1e-15)
    kept = posterior(prior=prior, epsilon=epsilon).greatest
    assert kept <= math.nextafter(float(allowed), 1)


@given(SHARES, SHARES, DELTAS)
def test_the_epsilon_for_a_rate_keeps_it(one: Fraction, other: Fraction, delta: Fraction) -> None:
    alarms, hits = sorted([one, other])
    assume(hits >= alarms + delta)
    epsilon = epsilon_for_true_positive_rate(
        false_positive_rate=alarms, true_positive_rate=hits, delta=delta
    )

    def found(epsilon: float) -> float:
        return best_true_positive_rate(epsilon=epsilon, delta=delta, false_positive_rate=alarms)

    assert found(min(epsilon, 100)) <= hits + Fraction(1, 10**15)
    if epsilon < math.inf:
        assert found(epsilon + 1e-9) > hits


@given(EPSILONS, DELTAS, SHARES)
def test_a_guarantee_and_its_numbers_say_the_same(
    epsilon: Epsilon, delta: Fraction, rate: Fraction
) -> None:
    guarantee = ApproxDP(epsilon=epsilon, delta=delta)
    by_guarantee = best_true_positive_rate(guarantee, false_positive_rate=rate)
    by_numbers = best_true_positive_rate(epsilon=epsilon, delta=delta, false_positive_rate=rate)
    assert by_guarantee == by_numbers
    assert advantage(guarantee) == advantage(epsilon=epsilon, delta=delta)


def test_certain_beliefs_stay() -> None:
    assert posterior(prior=0, epsilon=1).greatest == 0
    assert posterior(prior=1, epsilon=1).least == pytest.approx(1)
    assert epsilon_for_posterior(prior=0, posterior=0.5) == math.inf
    assert epsilon_for_posterior(prior=0.5, posterior=1) == math.inf
    assert epsilon_for_posterior(prior=0.5, posterior=0.5) == 0
    sure = epsilon_for_true_positive_rate(false_positive_rate=0, true_positive_rate=0.1)
    assert sure == math.inf


BELIEVED = (
    "but for δ, someone who thought it 50 % likely that a given person is in the data can become "
    "at most 98.8 % sure of it, and at least 1.2 %"
)


def test_the_meaning_of_a_guarantee_in_sentences() -> None:
    shown = meaning(GaussianDP(mu=1, relation=AddRemove(unit=Person())), delta=1e-5)
    assert str(shown).splitlines() == [
        "1-GDP (add or remove one person)",
        BELIEVED,
        (
            "δ = 1e-05 bounds how far the probability of any set of outputs may exceed what ε "
            "allows; it is not the probability that an output tells more"
        ),
        "a test with 1 % false positives finds at most 9.3 % of the cases it looks for",
        "a guess at even odds is right at most 69.2 % of the time",
    ]
    pair = meaning(PureDP(epsilon=Ln(3), relation=Substitute(2)), delta=0)
    assert pair.lines()[1] == (
        "someone who thought it 50 % likely that a given group of two rows has one value and not "
        "another can become at most 75 % sure of it, and at least 25 %"
    )
    nothing = meaning(ZeroConcentratedDP(rho=1), delta=0).lines()
    assert "at most 100 % sure of it, and at least 0 %" in nothing[1]
    assert len(nothing) == 4


def _tail(x: float) -> float:
    return math.erfc(x / math.sqrt(2)) / 2


@pytest.mark.parametrize("delta", [1e-2, 1e-6])
def test_a_failure_is_a_distance_of_distributions_and_not_how_often_a_belief_passes(
    delta: float,
) -> None:
    epsilon = GaussianDP(mu=1).epsilon(delta=delta)
    failure = posterior(prior=0.5, epsilon=epsilon, delta=delta).failure
    above, below = _tail(epsilon - 0.5), _tail(epsilon + 0.5)
    lifted = above - failure, below + failure
    assert lifted[0] == pytest.approx(math.exp(epsilon) * lifted[1], rel=1e-6)
    assert above + below > 5 * failure
    assert above > delta
    (said,) = [
        line for line in meaning(GaussianDP(mu=1), delta=delta).lines() if line.startswith("δ")
    ]
    assert float(said.split()[2]) == delta
    assert "it is not the probability that an output tells more" in said


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: posterior(prior=1.5, epsilon=1), "prior must"),
    (lambda: posterior(prior=0.5, epsilon=-1), "epsilon must"),
    (lambda: posterior(prior=None, epsilon=1), "prior must"),  # type: ignore[arg-type]
    (lambda: posterior(prior=0.5, epsilon=1, delta=1), "delta must"),
    (
        lambda: epsilon_for_posterior(prior=0.5, posterior=0.4),
        "posterior must not be below the prior, 0.5, as 0.4 is;",
    ),
    (
        lambda: epsilon_for_true_positive_rate(
            false_positive_rate=0.1, true_positive_rate=0.1, delta=0.01
        ),
        "true_positive_rate must not be below 0.11, as 0.1 is;",
    ),
    (
        lambda: posterior_after_claim(epsilon=1, prior=0.5, false_positive_rate=0),
        "false_positive_rate must",
    ),
    (lambda: best_true_positive_rate(false_positive_rate=0.1), "give either a guarantee, such as"),
    (
        lambda: best_true_positive_rate(PureDP(epsilon=1), epsilon=1, false_positive_rate=0.1),
        "give either a guarantee, such as",
    ),
    (lambda: advantage(PureDP(epsilon=1), delta=0.1), "give either a guarantee, such as"),
    (lambda: advantage(0.5), "give either a guarantee, such as"),  # type: ignore[arg-type]
    (lambda: meaning(1, delta=0), "give a guarantee, such as PureDP"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_bad_input_gets_one_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        call()
