"""Budgets of a book: whom they cover, what they guarantee, and mistakes in them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import BudgetError, InputError
from sfumato.ledger.budget import Budget, repeated
from sfumato.ledger.period import Period
from sfumato.ledger.rules import EVERYONE, EachAnalyst, OneAnalyst, Rule, Scope, read_rules
from sfumato.ledger.validate import read_name
from tests.cases import cases
from tests.refusing import raises_code

RELATIONS = st.one_of(
    st.builds(sf.privacy.AddRemove, st.integers(1, 5)),
    st.builds(
        sf.privacy.Substitute, unit=st.builds(sf.privacy.Person, st.sampled_from([None, "patient"]))
    ),
)
AMOUNTS = st.fractions(min_value=Fraction(1, 1000), max_value=5, max_denominator=1000)
EPSILONS = st.one_of(
    AMOUNTS,
    st.fractions(min_value=Fraction(11, 10), max_value=20, max_denominator=30).map(sf.numeric.Ln),
)
DELTAS = st.one_of(
    st.integers(1, 40).map(lambda digits: Fraction(1, 10**digits)),
    st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(9, 10), max_denominator=1000),
)
ORDERS = st.fractions(min_value=Fraction(11, 10), max_value=64, max_denominator=20)
CURVES = st.dictionaries(ORDERS, AMOUNTS, min_size=1, max_size=4)
APPROXIMATE = st.builds(sf.ApproxDP, epsilon=EPSILONS, delta=DELTAS, relation=RELATIONS)
OTHERS: st.SearchStrategy[Budget] = st.one_of(
    st.builds(sf.PureDP, epsilon=EPSILONS, relation=RELATIONS),
    st.builds(sf.ZeroConcentratedDP, rho=AMOUNTS, relation=RELATIONS),
    st.builds(sf.privacy.GaussianDP, mu=AMOUNTS, relation=RELATIONS),
    st.builds(sf.privacy.RenyiDP, CURVES, relation=RELATIONS),
)
PERIODS = st.sampled_from([None, *map(Period, ("year", "quarter", "month", "week", "day"))])
NAMES = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=20)
SCOPES: st.SearchStrategy[Scope] = st.one_of(
    st.just(EVERYONE),
    st.lists(NAMES, max_size=3).map(lambda names: EachAnalyst(tuple(names))),
    NAMES.map(OneAnalyst),
)
SHARES = st.fractions(min_value=0, max_value=Fraction(99, 100), max_denominator=1000)
RULES = st.one_of(
    st.builds(Rule, APPROXIMATE, SCOPES, PERIODS, SHARES), st.builds(Rule, OTHERS, SCOPES, PERIODS)
)
ONE = sf.PureDP(epsilon=1)
YEAR = Period("year")


def kind_of(given: object) -> str:
    return type(given).__name__


# What is guaranteed.


def test_a_shared_budget_says_what_it_is_for() -> None:
    sentence = "everyone together: 1-DP (add or remove one row) for all answers ever given"
    assert Rule(ONE).sentence() == sentence


def test_a_budget_per_year_says_that_it_adds_up() -> None:
    assert Rule(ONE, period=YEAR).sentence() == (
        "everyone together: 1-DP (add or remove one row) per calendar year; "
        "the guarantee adds up over years: 2 years 2-DP, 10 years 10-DP"
    )


def test_an_analyst_s_budget_says_what_it_does_not_hold() -> None:
    assert Rule(sf.PureDP(epsilon=0.1), EachAnalyst()).sentence() == (
        "each analyst: 0.1-DP (add or remove one row) for all answers ever given, counting that "
        "analyst's answers alone; if analysts share their answers, only the budget over everyone "
        "bounds what they learn"
    )


def test_a_named_analyst_s_budget_per_month_says_both() -> None:
    rule = Rule(sf.ZeroConcentratedDP(rho=0.1), OneAnalyst("Ada"), Period("month"))
    assert rule.sentence() == (
        "analyst “Ada”: 0.1-zCDP (add or remove one row) per calendar month, counting that "
        "analyst's answers alone; the guarantee adds up over months: 2 months 0.2-zCDP, "
        "10 months 1-zCDP; if analysts share their answers, only the budget over everyone bounds "
        "what they learn"
    )


def test_a_guarantee_that_does_not_last_ten_weeks_says_so() -> None:
    rule = Rule(sf.ApproxDP(epsilon=1, delta=0.1), period=Period("week"))
    assert rule.sentence().endswith("2 weeks (2, 0.2)-DP, 10 weeks no guarantee left")


# Sums over periods, exactly.


@pytest.mark.parametrize(
    ("budget", "windows", "sum_of_them"),
    [
        (sf.PureDP(epsilon=0.1), 10, sf.PureDP(epsilon=1)),
        (sf.PureDP(epsilon=sf.numeric.Ln(2)), 10, sf.PureDP(epsilon=sf.numeric.Ln(1024))),
        (sf.ApproxDP(epsilon=0.1, delta=1e-6), 3, sf.ApproxDP(epsilon=0.3, delta=3e-6)),
        (sf.ZeroConcentratedDP(rho="1/3"), 6, sf.ZeroConcentratedDP(rho=2)),
        (sf.privacy.GaussianDP(mu="1/3"), 4, sf.privacy.GaussianDP(mu="2/3")),
        (sf.privacy.RenyiDP({2: 0.1, 8: 0.5}), 4, sf.privacy.RenyiDP({2: 0.4, 8: 2})),
    ],
    ids=kind_of,
)
def test_periods_add_up_exactly(budget: Budget, windows: int, sum_of_them: Budget) -> None:
    """M-COMP-1 and its kin: no drift, whatever the kind of guarantee."""
    rule = Rule(budget, period=YEAR)
    assert rule.over(windows) == sum_of_them
    assert rule.over(1) == budget


def test_a_root_that_is_no_decimal_is_rounded_up() -> None:
    two = Rule(sf.privacy.GaussianDP(mu=1), period=YEAR).over(2)
    assert isinstance(two, sf.privacy.GaussianDP)
    assert 2 < two.exact_mu**2 < 2 + Fraction(1, 10**10)


@given(st.one_of(APPROXIMATE, OTHERS), st.integers(1, 40))
def test_the_sum_is_no_less_than_what_its_periods_may_spend(budget: Budget, windows: int) -> None:
    """Of the whole budget, spent in every one of the periods, the sum is a true bound."""
    together = repeated(budget, windows)
    if together is None:
        assert isinstance(budget, sf.ApproxDP)
        assert budget.exact_delta * windows >= 1
        return
    assert together.relation == budget.relation
    assert together.follows_from(budget)
    match budget, together:
        case sf.PureDP(), sf.PureDP():
            assert together.exact_epsilon == budget.exact_epsilon * windows
        case sf.ApproxDP(), sf.ApproxDP():
            assert together.exact_epsilon == budget.exact_epsilon * windows
            assert together.exact_delta == budget.exact_delta * windows
        case sf.ZeroConcentratedDP(), sf.ZeroConcentratedDP():
            assert together.exact_rho == budget.exact_rho * windows
        case sf.privacy.GaussianDP(), sf.privacy.GaussianDP():
            assert together.exact_mu**2 >= budget.exact_mu**2 * windows
        case sf.privacy.RenyiDP(curve=tuple(before)), sf.privacy.RenyiDP(curve=tuple(after)):
            assert after == tuple((order, bound * windows) for order, bound in before)
        case _:
            pytest.fail("the sum is of another kind")


def test_a_yearly_budget_spent_ten_times_is_what_a_budget_for_ten_years_admits() -> None:
    rule = Rule(sf.PureDP(epsilon=0.3), period=YEAR)
    decade = rule.over(10)
    assert decade is not None
    together = Rule(decade).filter()
    for _ in range(10):
        one_year = rule.filter()
        for _ in range(3):
            one_year.admit(sf.privacy.events.Pure(epsilon=0.1))
            together.admit(sf.privacy.events.Pure(epsilon=0.1))
    with pytest.raises(BudgetError):
        together.admit(sf.privacy.events.Pure(epsilon=0.1))


def test_delta_that_reaches_one_guarantees_nothing() -> None:
    rule = Rule(sf.ApproxDP(epsilon=1, delta="1/4"), period=YEAR)
    assert rule.over(3) == sf.ApproxDP(epsilon=3, delta="3/4")
    assert rule.over(4) is None


def test_a_budget_for_ever_is_one_window() -> None:
    assert Rule(ONE).over(7) == ONE
    moment = datetime(2026, 11, 15, tzinfo=UTC)
    assert [Rule(ONE).window(moment), Rule(ONE, period=YEAR).window(moment)] == ["", "2026"]


@pytest.mark.parametrize("windows", [0, -1, 1.5, True, None, "2", float("nan")])
def test_periods_are_counted_by_whole_numbers(windows: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", "count"):
        Rule(ONE, period=YEAR).over(windows)


# Whom a rule covers.


def test_a_named_budget_stands_in_place_of_each_analyst_s() -> None:
    everyone, each, ada = read_rules(
        sf.PureDP(epsilon=2), each_analyst=sf.PureDP(epsilon=0.5), analysts={"Ada": ONE}
    )
    assert [rule.covers("Ada") for rule in (everyone, each, ada)] == [True, False, True]
    assert [rule.covers("Grace") for rule in (everyone, each, ada)] == [True, True, False]
    assert [rule.is_shared for rule in (everyone, each, ada)] == [True, False, False]
    assert ada.budget == ONE


@given(st.lists(NAMES, max_size=4, unique_by=lambda name: read_name(name, "analyst")), NAMES)
def test_an_analyst_is_under_one_rule_besides_the_shared_one(names: list[str], who: str) -> None:
    rules = read_rules(ONE, each_analyst=ONE, analysts=dict.fromkeys(names, ONE))
    analyst = read_name(who, "analyst")
    assert sum(rule.covers(analyst) for rule in rules) == 2
    assert len(rules) == 2 + len(names)


def test_the_same_name_in_another_form_of_unicode_is_the_same_analyst() -> None:
    rules = read_rules(ONE, analysts={"Zoe\u0308": ONE})
    assert rules[1].covers(read_name("Zo\u00eb", "analyst"))


def test_every_budget_but_the_total_is_given_anew() -> None:
    rules = read_rules(
        ONE,
        per="year",
        total=sf.PureDP(epsilon=5),
        each_analyst=sf.PureDP(epsilon=0.5),
        analysts={"Ada": ONE},
    )
    assert [rule.period for rule in rules] == [YEAR, None, YEAR, YEAR]
    assert [rule.is_shared for rule in rules] == [True, True, False, False]


def test_a_reserve_is_for_the_budgets_with_a_delta() -> None:
    approximate = sf.ApproxDP(epsilon=1, delta=1e-6)
    rules = read_rules(approximate, reserve=0.1, each_analyst=sf.PureDP(epsilon=0.5))
    assert [rule.reserve for rule in rules] == [Fraction(1, 10), 0]
    labelled = sf.privacy.events.Approximate(epsilon=0.1, delta=1e-8)
    rules[0].filter().admit(labelled)
    with raises_code("E-BUDGET-KIND"):
        Rule(approximate).filter().admit(labelled)


# Documents.


@given(RULES)
def test_a_rule_survives_its_document(rule: Rule) -> None:
    again = Rule.from_document(json.loads(json.dumps(rule.document())))
    assert again == rule
    assert hash(again) == hash(rule)
    assert again.sentence() == rule.sentence()


def test_the_form_of_a_document_never_changes() -> None:
    """The golden form: ledgers that were written with it must stay readable."""
    rule = Rule(sf.ApproxDP(epsilon=1, delta=1e-6), EachAnalyst(("Ada",)), YEAR, Fraction(1, 10))
    assert rule.document() == {
        "version": 1,
        "budget": {
            "version": 1,
            "guarantee": "approximate",
            "epsilon": "1",
            "delta": "1e-06",
            "relation": {"relation": "add_remove", "count": 1, "unit": "row"},
        },
        "reserve": "0.1",
        "scope": {"over": "each analyst", "except": ["Ada"]},
        "period": "year",
    }


@cases(
    "change",
    [
        {"version": 2},
        {"version": 10**400},
        {"version": 0},
        {"version": True},
        {"version": "1"},
        {"version": None},
        {"more": 1},
        {"budget": None},
        {"budget": {}},
        {"reserve": 0},
        {"reserve": "0.0"},
        {"reserve": "0.1"},
        {"reserve": "nan"},
        {"reserve": None},
        {"scope": None},
        {"scope": "everyone"},
        {"scope": {"over": "nobody"}},
        {"scope": {"over": "everyone", "except": []}},
        {"scope": {"over": "each analyst", "except": "Ada"}},
        {"scope": {"over": "each analyst", "except": ["Grace", "Ada"]}},
        {"scope": {"over": "each analyst", "except": [["Ada"]]}},
        {"scope": {"over": "one analyst", "analyst": None}},
        {"scope": {"over": "one analyst", "analyst": "Zoe\u0308"}},
        {"period": "decade"},
        {"period": 0},
        {"period": ["year"]},
    ],
)
def test_a_document_that_sfumato_did_not_write_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Rule.from_document(Rule(ONE).document() | change)


@pytest.mark.parametrize("document", [None, [], "rule", 1, {}, {"version": 1}])
def test_what_is_no_document_is_refused(document: Any) -> None:
    with raises_code("E-LEDGER-DAMAGED", match="fields"):
        Rule.from_document(document)


@pytest.mark.parametrize("missing", ["version", "budget", "reserve", "scope", "period"])
def test_a_document_says_everything(missing: str) -> None:
    document = Rule(ONE).document()
    del document[missing]
    with raises_code("E-LEDGER-DAMAGED", match="fields"):
        Rule.from_document(document)


def test_a_newer_rule_asks_for_a_newer_program() -> None:
    with raises_code("E-FORMAT-VERSION"):
        Rule.from_document({"version": 2, "everything": "changed"})
