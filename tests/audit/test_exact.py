"""Exact verdicts on finite tables: brute force agrees, ties are decided, each has a twin."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import chain, combinations, permutations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.audit.exact.finite import compare_finite
from sfumato.audit.verification import verify
from sfumato.errors import InputError
from sfumato.information import Channel, Distribution, hockey_stick, max_divergence
from sfumato.mechanisms import FiniteDistribution, PermuteAndFlip
from sfumato.numeric import Exponentials, Ln
from tests.cases import cases
from tests.refusing import raises_code

SURVEY = {"yes": {"yes": "2/3", "no": "1/3"}, "no": {"yes": "1/3", "no": "2/3"}}
LN_2 = Fraction("0.693147180559945309417232121458176568")

ROWS = st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any)
TABLES = st.lists(ROWS, min_size=2, max_size=3)
DELTAS = st.fractions(min_value=0, max_value=Fraction(9, 10), max_denominator=12)
FACTORS = st.fractions(min_value=1, max_value=6, max_denominator=4)


def shares(row: list[int]) -> list[Fraction]:
    return [Fraction(each, sum(row)) for each in row]


def events(size: int) -> Any:
    places = range(size)
    return chain.from_iterable(combinations(places, count) for count in range(size + 1))


def masses(table: list[list[int]]) -> list[tuple[Fraction, Fraction]]:
    """P(S) and Q(S) of every event S and every ordered pair of rows."""
    found = []
    for p, q in permutations(map(shares, table), 2):
        for event in events(len(p)):
            zero = Fraction(0)
            found.append((sum((p[i] for i in event), zero), sum((q[i] for i in event), zero)))
    return found


# M-DEF-2


def test_randomized_response_passes_at_ln_2_and_fails_just_below() -> None:
    """M-DEF-2."""
    assert verify(SURVEY, epsilon=Ln(2)).status == "proved"
    assert verify(SURVEY, epsilon=LN_2 - Fraction(1, 10**12)).status == "refuted"


def test_the_float_below_ln_2_fails_and_the_one_above_passes() -> None:
    below = math.log(2)
    assert Fraction(repr(below)) < LN_2
    assert verify(SURVEY, epsilon=below).status == "refuted"
    assert verify(SURVEY, epsilon=math.nextafter(below, 1)).status == "proved"


def test_the_verdict_names_the_least_epsilon_and_a_witness() -> None:
    verdict = verify(SURVEY, epsilon=0.5)
    assert verdict.epsilon.exact == Ln(2)
    assert verdict.pairs == 1
    assert verdict.witness is not None
    assert verdict.witness.inputs == ("yes", "no")
    event = verdict.witness.event
    assert event is not None
    assert (event.outcomes, event.p, event.q) == (("yes",), Fraction(2, 3), Fraction(1, 3))


@given(TABLES, FACTORS, DELTAS)
def test_brute_force_over_all_events_agrees_where_the_factor_is_rational(
    table: list[list[int]], factor: Fraction, delta: Fraction
) -> None:
    holds = all(p <= factor * q + delta for p, q in masses(table))
    verdict = verify(table, epsilon=Ln(factor), delta=delta)
    assert verdict.status == ("proved" if holds else "refuted")


@given(TABLES, st.fractions(min_value=0, max_value=3, max_denominator=8), DELTAS)
def test_brute_force_agrees_where_epsilon_is_rational(
    table: list[list[int]], epsilon: Fraction, delta: Fraction
) -> None:
    with localcontext() as context:
        context.prec = 60
        factor = Fraction((Decimal(epsilon.numerator) / epsilon.denominator).exp())
    gaps = [p - factor * q - delta for p, q in masses(table)]
    holds = all(gap <= 0 for gap in gaps)
    assert (verify(table, epsilon=epsilon, delta=delta).status == "proved") == holds


@given(TABLES, FACTORS)
def test_the_least_delta_is_the_greatest_excess(table: list[list[int]], factor: Fraction) -> None:
    found = verify(table, epsilon=Ln(factor), delta=Fraction(1, 1000)).delta
    assert found is not None
    assert found.exact == max(p - factor * q for p, q in masses(table))


@given(TABLES, DELTAS)
def test_the_least_epsilon_is_the_greatest_ratio(table: list[list[int]], delta: Fraction) -> None:
    found = verify(table, epsilon=1, delta=delta).epsilon
    ratios = [(p - delta) / q if q else math.inf for p, q in masses(table) if p > delta]
    greatest = max(ratios, default=Fraction(1))
    if greatest == math.inf:
        assert found.bounds.lower == math.inf
    else:
        assert found.exact == Ln(max(greatest, Fraction(1)))


@given(ROWS, ROWS, DELTAS, FACTORS)
def test_the_information_room_finds_the_same(
    p: list[int], q: list[int], delta: Fraction, factor: Fraction
) -> None:
    comparison = compare_finite(p, q)
    assert comparison.least_delta(Ln(factor)).exact == hockey_stick(p, q, epsilon=Ln(factor))
    known = max(max_divergence(p, q, delta=delta), 0.0)
    bounds = comparison.least_epsilon(delta).bounds
    assert bounds.lower == known or math.isclose(bounds.lower, known, abs_tol=1e-12)


@given(TABLES, FACTORS, DELTAS)
def test_the_event_of_a_refutation_refutes(
    table: list[list[int]], factor: Fraction, delta: Fraction
) -> None:
    verdict = verify(table, epsilon=Ln(factor), delta=delta)
    assume(verdict.status == "refuted")
    assert verdict.witness is not None
    first, second = (shares(table[i]) for i in verdict.witness.inputs)  # type: ignore[call-overload]
    event = verdict.witness.event
    assert event is not None
    p, q = (sum((row[i] for i in event.outcomes), Fraction(0)) for row in (first, second))  # type: ignore[call-overload]
    assert (event.p, event.q) == (p, q)
    assert p > factor * q + delta


# Ties of exponentials


def test_a_tie_of_the_exponential_mechanism_is_proved_and_just_below_refuted() -> None:
    """Two candidates that change places in rank, by one each."""
    epsilon = Fraction(1, 3)
    odds = Exponentials.exp(epsilon)
    table = {"before": {0: odds, 1: 1}, "after": {0: 1, 1: odds}}
    verdict = verify(table, epsilon=epsilon)
    assert (verdict.status, verdict.epsilon.exact) == ("proved", epsilon)
    assert verify(table, epsilon=epsilon - Fraction(1, 10**12)).status == "refuted"


def discrete_laplace(centre: int, epsilon: Fraction, top: int) -> dict[int, Exponentials]:
    """Discrete Laplace noise clamped to 0..top, the tails at the ends; weights over 1 + e^-ε."""

    def tail(distance: int) -> Exponentials:
        return Exponentials.exp(-epsilon * distance)

    inner = {j: tail(abs(j - centre)) - tail(abs(j - centre) + 1) for j in range(1, top)}
    return {0: tail(centre), **inner, top: tail(top - centre)}


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(5, 2)])
def test_a_tie_of_clamped_discrete_laplace_is_proved_and_just_below_refuted(
    epsilon: Fraction,
) -> None:
    table = {centre: discrete_laplace(centre, epsilon, 5) for centre in range(1, 5)}
    near = lambda a, b: abs(a - b) == 1  # noqa: E731
    verdict = verify(table, epsilon=epsilon, neighbours=near)
    assert (verdict.status, verdict.epsilon.exact, verdict.pairs) == ("proved", epsilon, 3)
    below = verify(table, epsilon=epsilon - Fraction(1, 10**12), neighbours=near)
    assert below.status == "refuted"


def test_a_tie_at_a_delta_of_exponentials_is_decided() -> None:
    """P puts e^-1 where Q puts nothing, so that δ is e^-1 at every ε: no rational is a tie."""
    table = {0: {"a": 1, "b": Exponentials.exp(1) - 1}, 1: {"b": 1}}
    pair = [(0, 1)]
    near = Fraction("0.36787944117144232159552377016146086744581113103177")
    assert verify(table, epsilon=1, delta=near + Fraction(1, 10**45), neighbours=pair)
    assert (
        verify(table, epsilon=1, delta=near - Fraction(1, 10**45), neighbours=pair).status
        == "refuted"
    )


def test_an_exact_tie_at_a_delta_holds_and_below_it_fails() -> None:
    table = {0: [3, 1], 1: [1, 1]}
    assert verify(table, epsilon=0, delta=0.25).status == "proved"
    assert verify(table, epsilon=0, delta=Fraction(1, 4) - Fraction(1, 10**30)).status == "refuted"


@pytest.mark.parametrize("slight", [Fraction(1, 10**15), Fraction(1, 10**40)])
def test_what_floats_cannot_tell_apart_is_told_apart(slight: Fraction) -> None:
    half = Fraction(1, 2)
    table = {0: {"a": half + slight, "b": half - slight}, 1: {"a": half, "b": half}}
    assert verify(table, epsilon=0, delta=slight).status == "proved"
    assert verify(table, epsilon=0, delta=slight / 2).status == "refuted"
    least = verify(table, epsilon=0)
    assert least.epsilon.exact == Ln(half / (half - slight))
    assert least.delta is not None
    assert least.delta.exact == slight


@pytest.mark.parametrize("parts", range(3, 43))
def test_rounding_of_logarithms_decides_nothing(parts: int) -> None:
    factor, slight, q = Fraction(7, 3), Fraction(1, 10**20), Fraction(1, 5 * parts)
    near = compare_finite(
        {"a": factor * q + slight, "b": factor * q, "c": 1 - 2 * factor * q - slight},
        {"a": q, "b": q, "c": 1 - 2 * q},
    )
    assert near.least_delta(Ln(factor)).exact == slight
    assert near.least_epsilon(Fraction(0)).exact == Ln(factor + slight / q)


# Rényi


def test_renyi_claims_of_whole_orders_are_decided_at_the_tie() -> None:
    """M-DIV-1: order 2 of randomized response is ln(3/2)."""
    assert verify(SURVEY, epsilon=Ln("3/2"), order=2).status == "proved"
    assert verify(SURVEY, epsilon=0.405465108108164, order=2).status == "refuted"
    assert verify(SURVEY, epsilon=0.405465108108165, order=2).status == "proved"
    assert verify(SURVEY, epsilon=1, order=2).delta is None


@given(ROWS, ROWS, st.fractions(min_value=Fraction(5, 4), max_value=9, max_denominator=4))
def test_renyi_encloses_the_sum(p: list[int], q: list[int], order: Fraction) -> None:
    found = compare_finite(p, q).renyi(order).bounds
    pairs = [(a, b) for a, b in zip(shares(p), shares(q), strict=True) if a]
    if any(b == 0 for _, b in pairs):
        assert found.lower == math.inf
    else:
        alpha = float(order)
        total = math.fsum(float(a) ** alpha * float(b) ** (1 - alpha) for a, b in pairs)
        known = math.log(total) / (alpha - 1)
        assert found.lower - 1e-12 <= known <= found.upper + 1e-12


def test_renyi_of_exponential_weights_tends_to_the_max_divergence() -> None:
    lone = {0: {0: Exponentials.exp(1), 1: 1}, 1: {0: 1, 1: Exponentials.exp(1)}}
    assert verify(lone, epsilon=1, order=40).status == "proved"
    assert verify(lone, epsilon=0.95, order=40).status == "refuted"


def test_a_tie_of_a_fractional_order_is_never_guessed() -> None:
    """Order 3/2 of randomized response is ln(25/18): 2 ln(5 / (3√2))."""
    slight = Fraction(1, 10**100)
    for factor, status in ((slight, "proved"), (-slight, "refuted"), (0, "undecided")):
        claim = Ln(Fraction(25, 18) + factor)
        assert verify(SURVEY, epsilon=claim, order="3/2").status == status


def test_equal_distributions_have_no_divergence_of_any_order() -> None:
    e = Exponentials.exp(1)
    same = {0: {"a": e, "b": 1}, 1: {"a": 1, "b": Exponentials.exp(-1)}}
    assert verify(same, epsilon=0).status == "proved"
    assert verify(same, epsilon=0, order="3/2").epsilon.exact == 0
    assert verify(same, epsilon=0, order=2).status == "proved"
    near = {**same, 1: {"a": 1, "b": Exponentials.exp(-1) + Fraction(1, 10**40)}}
    assert verify(near, epsilon=0, order="3/2").status == "refuted"


# Distributions known by balls only


def odds(epsilon: int, *, first: bool) -> FiniteDistribution[str]:
    def share(sign: int) -> Any:
        return lambda: (
            Exponentials.exp(sign * epsilon).ball() / (1 + Exponentials.exp(sign * epsilon).ball())
        )

    return FiniteDistribution(["a", "b"], [share(1), share(-1)] if first else [share(-1), share(1)])


def test_balls_prove_and_refute_but_never_guess_a_tie() -> None:
    table = {0: odds(1, first=True), 1: odds(1, first=False)}
    assert verify(table, epsilon=1 + Fraction(1, 10**30)).status == "proved"
    assert verify(table, epsilon=1 - Fraction(1, 10**30)).status == "refuted"
    undecided = verify(table, epsilon=1)
    assert undecided.status == "undecided"
    assert 1 in undecided.epsilon.bounds


def test_balls_that_never_sharpen_are_taken_at_their_word() -> None:
    half = arb(0.5, 0.01)
    vague = {0: FiniteDistribution(["a", "b"], [lambda: half, lambda: half]), 1: {"a": 1, "b": 1}}
    bounds = verify(vague, epsilon=0.03).epsilon.bounds
    assert bounds.lower == 0
    assert math.log(0.5 / 0.49) <= bounds.upper < 0.0203
    found = [verify(vague, epsilon=epsilon).status for epsilon in (0, 0.01, 0.02, 0.021)]
    assert found == ["undecided", "undecided", "undecided", "proved"]
    assert verify(vague, epsilon=0, delta=0.019).status == "undecided"
    assert verify(vague, epsilon=0, delta=0.021).status == "proved"


def test_more_effort_decides_more() -> None:
    table = {0: odds(1, first=True), 1: odds(1, first=False)}
    close = 1 + Fraction(1, 10**100)
    assert verify(table, epsilon=close, effort=128).status == "undecided"
    assert verify(table, epsilon=close, effort=1024).status == "proved"


def test_balls_agree_with_exact_weights() -> None:
    weights = {0: {"a": Exponentials.exp(1), "b": 1}, 1: {"a": 1, "b": Exponentials.exp(1)}}
    for delta in (0, Fraction(1, 10), Fraction(2, 5)):
        exact = compare_finite(weights[0], weights[1])
        balls = compare_finite(odds(1, first=True), odds(1, first=False))
        known, found = exact.least_epsilon(Fraction(delta)), balls.least_epsilon(Fraction(delta))
        assert found.bounds.lower <= known.bounds.upper
        assert known.bounds.lower <= found.bounds.upper
        assert found.bounds.width < 1e-9
    assert exact.renyi(Fraction(2)).bounds.lower <= balls.renyi(Fraction(2)).bounds.upper


def test_weights_that_an_object_states_are_exact() -> None:
    class Stated:
        outcomes = ("a", "b")

        def __init__(self, weights: dict[str, Any]) -> None:
            self.weights = weights

        def ball(self, outcome: str) -> None:
            raise AssertionError(outcome)

    e = Exponentials.exp(1)
    table = {0: Stated({"a": e, "b": 1}), 1: Stated({"a": 1, "b": e})}
    assert verify(table, epsilon=1).epsilon.exact == 1


def test_permute_and_flip_keeps_its_own_guarantee() -> None:
    pick = PermuteAndFlip(epsilon=1, sensitivity=1)
    pair = [([0, 1, 5], [1, 0, 4])]
    assert verify(pick, neighbours=pair).status == "proved"
    assert verify(pick, neighbours=pair, epsilon=0.5).status == "refuted"


# Forms of tables


@pytest.mark.parametrize(
    "table",
    [
        SURVEY,
        {"yes": {"yes": 2, "no": 1}, "no": {"yes": 1, "no": 2}},
        {"yes": Distribution({"yes": 2, "no": 1}), "no": {"yes": "1/3", "no": Fraction(2, 3)}},
        {
            "yes": FiniteDistribution(["yes", "no"], [Fraction(2, 3), Fraction(1, 3)]),
            "no": SURVEY["no"],
        },
        Channel({"yes": {"yes": 2, "no": 1}, "no": {"yes": 1, "no": 2}}),
        pd.DataFrame({"yes": [2, 1], "no": [1, 2]}, index=["yes", "no"]),
        pl.DataFrame({"yes": [2, 1], "no": [1, 2]}),
        np.array([[2, 1], [1, 2]]),
        [[2, 1], [1, 2]],
    ],
)
def test_every_form_of_a_table_gives_the_same_verdict(table: Any) -> None:
    assert verify(table, epsilon=Ln(2)).epsilon.exact == Ln(2)
    assert verify(table, epsilon=0.69).status == "refuted"


def test_a_function_and_an_object_with_a_distribution_are_mechanisms() -> None:
    class Survey:
        @staticmethod
        def distribution(value: str) -> Any:
            return SURVEY[value]

    for mechanism in (SURVEY.__getitem__, Survey()):
        assert verify(mechanism, epsilon=Ln(2), inputs=["yes", "no"]).status == "proved"


def test_floats_are_the_decimals_that_were_written() -> None:
    table = {0: {"a": 0.1, "b": 0.9}, 1: {"a": 0.3, "b": 0.7}}
    assert verify(table, epsilon=Ln(3)).epsilon.exact == Ln(3)
    decimals = {"a": 0.7, "b": 1 - 0.7}
    stored = {outcome: Fraction(share) for outcome, share in decimals.items()}
    assert stored == decimals
    assert verify({0: stored, 1: decimals}, epsilon=0).status == "refuted"


def test_floats_that_nearly_sum_to_one_are_divided_by_their_sum() -> None:
    third = 1 / 3
    table = {0: {"a": third, "b": third, "c": third}, 1: {"a": 1, "b": 1, "c": 1}}
    assert verify(table, epsilon=0).status == "proved"


def test_outcomes_that_a_row_leaves_out_cannot_occur() -> None:
    verdict = verify({0: {"a": 1}, 1: {"a": 1, "b": 1}}, epsilon=5)
    assert verdict.status == "refuted"
    assert verdict.epsilon.bounds.lower == math.inf
    assert verify({0: {"a": 1}, 1: {"a": 1, "b": 1}}, epsilon=Ln(2), delta=0.5).status == "proved"


def test_probabilities_beyond_the_floats_are_judged_exactly() -> None:
    tiny = Fraction(1, 10**400)
    table = {0: {"a": tiny, "b": 1 - tiny}, 1: {"a": 2 * tiny, "b": 1 - 2 * tiny}}
    assert verify(table, epsilon=Ln(2)).epsilon.exact == Ln(2)
    assert verify(table, epsilon=0.6931).status == "refuted"


# Refusals


@cases(
    ("table", "sentence"),
    [
        (
            {"x": {"a": 0.5, "b": 0.6}, "y": {"a": 1}},
            r"distribution for the input 'x' sums to 1.1, not to 1",
        ),
        (
            {"x": {"a": 0.5, "b": math.nan}, "y": {"a": 1}},
            "'b' has a missing entry",
        ),
        ({"x": {"a": 0.5, "b": None}, "y": {"a": 1}}, "'b' has a missing entry"),
        (
            {"x": {"a": 1.5, "b": -0.5}, "y": {"a": 1}},
            "'x' at the outcome 'b' has a neg",
        ),
        ({"x": {"a": -1, "b": 2}, "y": {"a": 1}}, "'x' at the outcome 'a' has a negative entry"),
        ({"x": {"a": math.inf}, "y": {"a": 1}}, "'x' at the outcome 'a' has an infinite entry"),
        ({"x": {"a": "two"}, "y": {"a": 1}}, "must be a number, not 'two'"),
        ({"x": {"a": True}, "y": {"a": 1}}, "is True, not a number"),
        ({"x": {"a": 1j}, "y": {"a": 1}}, "not a number"),
        ({"x": {"a": 0}, "y": {"a": 1}}, "'x' holds only zeros"),
        ({"x": {}, "y": {"a": 1}}, "'x' has no outcomes"),
        ({"x": "a", "y": {"a": 1}}, "must give outcomes their probabilities"),
        ({"x": {"a": Exponentials.exp(1) - 3}, "y": {"a": 1}}, "negative entry"),
        ([[1, 1], [1, 1, 1]], "row of the input 0 has 2 entries and that of 1 has 3"),
        ({"x": {"a": Fraction(1, 3)}, "y": {"a": 1}}, "sums to 0.3333333333, not to 1"),
        ({}, "the table has no rows"),
        (5, "a mechanism is a table"),
        ("survey", "a mechanism is a table"),
        (None, "a mechanism is a table"),
    ],
)
def test_a_wrong_table_is_refused_in_a_sentence(table: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        verify(table, epsilon=1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "say what is claimed"),
        ({"epsilon": -1}, "epsilon must"),
        ({"epsilon": math.nan}, "epsilon must"),
        ({"epsilon": 1, "delta": 1}, "delta must"),
        ({"epsilon": 1, "inputs": ["yes"]}, "no two of the inputs are neighbours"),
        ({"epsilon": 1, "inputs": ["yes", "maybe"]}, "has no row for the input 'maybe'"),
        ({"epsilon": 1, "inputs": 3}, "inputs must be a list of inputs"),
        ({"epsilon": 1, "neighbours": 3}, "neighbours must be one of"),
        ({"epsilon": 1, "neighbours": "most"}, "neighbours must be one of"),
        ({"epsilon": 1, "neighbours": [("yes",)]}, "no pair"),
    ],
)
def test_a_wrong_question_is_refused_in_a_sentence(
    arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        verify(SURVEY, **arguments)


def test_a_column_called_relation_is_a_column() -> None:
    table = pd.DataFrame({"relation": [2, 1], "guarantee": [1, 2]})
    assert verify(table, epsilon=Ln(2)).status == "proved"


def test_a_class_is_no_mechanism() -> None:
    with raises_code("E-ARGUMENT-IS-CLASS", match="PermuteAndFlip is a class"):
        verify(PermuteAndFlip, epsilon=1)


@pytest.mark.parametrize(
    ("outcomes", "sentence"), [(["a", "a"], "names an outcome twice"), ([[], {}], "told apart")]
)
def test_outcomes_are_told_apart(outcomes: list[Any], sentence: str) -> None:
    half = Fraction(1, 2)
    with pytest.raises(InputError, match=sentence):
        verify({0: FiniteDistribution(outcomes, [half, half]), 1: [1, 1]}, epsilon=1)


@pytest.mark.parametrize("effort", [0, -1, 1.5, "much", None])
def test_effort_is_a_number_of_bits(effort: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", "effort"):
        verify(SURVEY, epsilon=1, effort=effort)


def test_many_outcomes_are_judged_as_few_are() -> None:
    source = np.random.default_rng(1)
    p, q = source.random(100_000), source.random(100_000) + 0.01
    p, q = p / p.sum(), q / q.sum()
    verdict = verify({0: p, 1: q}, epsilon=5, delta=1e-3)
    known = max(max_divergence(a, b, delta=1e-3) for a, b in ((p, q), (q, p)))
    assert math.isclose(verdict.epsilon.bounds.upper, known, rel_tol=1e-9)


def test_a_function_that_returns_no_distribution_is_refused() -> None:
    with raises_code("E-DISTRIBUTION-FORM"):
        verify(lambda value: 3, epsilon=1, inputs=[0, 1])
    with raises_code("E-ARGUMENT-MISSING", match="say on which inputs"):
        verify(SURVEY.__getitem__, epsilon=1)
