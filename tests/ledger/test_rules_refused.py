"""Mistakes in the budgets of a book, and names that cannot be kept: one sentence each."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.ledger.rules import EachAnalyst, OneAnalyst, Rule, read_rules
from sfumato.ledger.validate import read_name
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, GaussianDP, Person, RenyiDP, Substitute
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from sfumato.ledger.budget import Budget

ONE = sf.PureDP(epsilon=1)


def kind_of(given: object) -> str:
    return type(given).__name__


@pytest.mark.parametrize(
    "budget", [None, 1, 0.5, float("nan"), True, "1", 10**5000, [ONE]], ids=kind_of
)
def test_a_budget_is_a_guarantee(budget: Any) -> None:
    with raises_code("E-BUDGET-FORM"):
        read_rules(budget)
    with raises_code("E-BUDGET-FORM"):
        read_rules(ONE, analysts={"Ada": budget})


@pytest.mark.parametrize(
    ("budget", "fault"),
    [
        (sf.privacy.PrivacyProfile([(1, 1e-6)]), "a PrivacyProfile, which no privacy filter keeps"),
        (RenyiDP(lambda order: order / 2), "must list its orders"),
        (sf.ApproxDP(epsilon=1, delta=0), "delta of 0; write PureDP"),
        (sf.PureDP(epsilon=0), "never allow an answer"),
        (sf.PureDP(epsilon=Ln(1)), "never allow an answer"),
        (sf.ApproxDP(epsilon=0, delta=0.1), "never allow an answer"),
        (sf.ZeroConcentratedDP(rho=0), "never allow an answer"),
        (GaussianDP(mu=0), "never allow an answer"),
        (RenyiDP({2: 0.5, 8: 0}), "never allow an answer"),
    ],
    ids=kind_of,
)
def test_budgets_that_no_book_can_keep_are_refused(budget: Any, fault: str) -> None:
    for given_as in ({"budget": budget}, {"budget": ONE, "each_analyst": budget}):
        with pytest.raises(InputError, match=fault):
            read_rules(**given_as)


def test_an_infinite_budget_cannot_be_written() -> None:
    with raises_code("E-NUMBER-NOT-FINITE", "epsilon"):
        read_rules(sf.PureDP(epsilon=float("inf")))


@pytest.mark.parametrize("size", ["1e-101", "1e101", "1e-400", "1e999"])
def test_a_budget_beyond_all_bounds_is_refused_at_once(size: str) -> None:
    with raises_code("E-ARGUMENT-RANGE", match=r"between 1e-100 and 1e\+100"):
        read_rules(sf.PureDP(epsilon=size))
    assert read_rules(sf.PureDP(epsilon=10**100), per="year")


@pytest.mark.parametrize(
    "other",
    [
        {"each_analyst": sf.PureDP(epsilon=1, relation=Substitute())},
        {"analysts": {"Ada": sf.ZeroConcentratedDP(rho=1, relation=AddRemove(2))}},
        {"per": "year", "total": GaussianDP(mu=1, relation=AddRemove(unit=Person()))},
    ],
)
def test_all_budgets_are_about_the_same_neighbours(other: dict[str, Any]) -> None:
    with raises_code("E-RELATION-OTHER", match="the same relation"):
        read_rules(ONE, **other)


@pytest.mark.parametrize(
    ("shared", "own"),
    [
        (ONE, sf.PureDP(epsilon="1.0000001")),
        (sf.PureDP(epsilon=Ln(2)), sf.PureDP(epsilon=0.7)),
        (sf.ApproxDP(epsilon=1, delta=1e-6), sf.ApproxDP(epsilon=1, delta=1e-5)),
        (sf.ZeroConcentratedDP(rho=1), sf.ZeroConcentratedDP(rho=2)),
        (GaussianDP(mu=1), GaussianDP(mu=2)),
        (RenyiDP({2: 0.1, 8: 0.5}), RenyiDP({2: 0.1, 8: 0.6})),
    ],
    ids=kind_of,
)
def test_a_budget_that_would_never_bind_is_a_mistake(shared: Budget, own: Budget) -> None:
    for analysts in ({"each_analyst": own}, {"analysts": {"Ada": own}}):
        with raises_code("E-BUDGET-UNREACHABLE"):
            read_rules(shared, **analysts)
    with raises_code("E-BUDGET-UNREACHABLE"):
        read_rules(own, per="year", total=shared)
    assert len(read_rules(own, each_analyst=shared)) == 2
    assert len(read_rules(shared, each_analyst=shared)) == 2
    assert len(read_rules(shared, per="year", total=own)) == 2


def test_budgets_that_bind_in_one_part_are_no_mistake() -> None:
    more_epsilon_less_delta = sf.ApproxDP(epsilon=2, delta=1e-9)
    assert read_rules(sf.ApproxDP(epsilon=1, delta=1e-6), each_analyst=more_epsilon_less_delta)
    assert read_rules(ONE, each_analyst=sf.ZeroConcentratedDP(rho=100))


def test_a_total_is_for_budgets_per_period() -> None:
    with raises_code("E-ARGUMENT-CONFLICT", match="name one, such as 'year'"):
        read_rules(ONE, total=sf.PureDP(epsilon=5))


@pytest.mark.parametrize("reserve", [-0.1, 1, 1.5, float("nan"), True, None, "half"])
def test_a_reserve_is_a_share_below_one(reserve: Any) -> None:
    with pytest.raises(InputError, match="reserve must be"):
        read_rules(sf.ApproxDP(epsilon=1, delta=1e-6), reserve=reserve)


def test_a_reserve_that_cannot_be_written_down_is_refused() -> None:
    with raises_code("E-NUMBER-FORM", "reserve"):
        read_rules(sf.ApproxDP(epsilon=1, delta=1e-6), reserve=Fraction(1, 10**5000))


def test_a_reserve_needs_a_delta() -> None:
    with raises_code("E-ARGUMENT-CONFLICT", match="reserve"):
        read_rules(ONE, reserve=0.1)
    with raises_code("E-ARGUMENT-CONFLICT", match="reserve"):
        Rule(ONE, reserve=Fraction(1, 10))


def test_another_period_is_refused() -> None:
    with raises_code("E-ARGUMENT-CHOICE", match="'year', 'quarter'"):
        read_rules(ONE, per="decade")


@pytest.mark.parametrize("parts", [{"scope": "Ada"}, {"scope": None}, {"period": "year"}])
def test_a_rule_is_made_of_its_parts(parts: dict[str, Any]) -> None:
    with raises_code("E-ARGUMENT-TYPE", match="write read_rules"):
        Rule(ONE, **parts)


@pytest.mark.parametrize("analysts", [["Ada"], "Ada", 1, {("Ada", ONE)}])
def test_analysts_are_a_mapping(analysts: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", match="must map names to budgets"):
        read_rules(ONE, analysts=analysts)


def test_one_analyst_under_two_spellings_is_refused() -> None:
    with raises_code("E-ARGUMENT-TWICE", match="the same but for how Unicode writes them"):
        read_rules(ONE, analysts={"Zoe\u0308": ONE, "Zo\u00eb": ONE})


BAD_NAMES = ["", " ", "   ", " Ada", "Ada ", "A\nda", "A\0da", "A\x7f", "A\u202eda", "\ud800"]


@cases("name", [*BAD_NAMES, "x" * 201, None, 1, b"Ada", True, 10**5000])
def test_names_that_cannot_be_told_apart_are_refused(name: Any) -> None:
    with raises_code("E-TEXT-FORM") as refused:
        read_name(name, "analyst")
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    "name", ["A", "x" * 200, "Ada L.", "Ζωή", "张伟", "a/b:c", "e\u0301" * 200]
)
def test_names_of_all_languages_are_kept(name: str) -> None:
    kept = read_name(name, "dataset")
    assert kept == read_name(kept, "dataset")


def test_a_bad_name_is_refused_wherever_it_is_given() -> None:
    for reading in (
        lambda: read_rules(ONE, analysts={"A\nda": ONE}),
        lambda: OneAnalyst(" "),
        lambda: EachAnalyst(("Ada", "")),
    ):
        with raises_code("E-TEXT-FORM"):
            reading()
