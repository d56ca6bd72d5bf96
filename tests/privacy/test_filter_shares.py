"""How much of a budget is used, and decisions that one Rényi order settles alone."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.numeric import Ln
from sfumato.privacy import events as ev
from sfumato.privacy.filters import AdvancedFilter, MixtureFilter, PureFilter, filter_for
from sfumato.privacy.filters.amounts import UNBOUNDED, Amount, share_above
from sfumato.privacy.filters.mixture import MartingaleMixture
from sfumato.privacy.filters.renyi import best_order
from sfumato.privacy.guarantees import ApproxDP, PureDP
from tests.privacy.test_filters import BUDGET, QUERIES, admit_what_fits, every_filter

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.filters import PrivacyFilter

# ---------------------------------------------------------------- the share that is used


@every_filter
@given(st.lists(QUERIES, max_size=8))
@settings(max_examples=10)
def test_the_share_grows_with_what_is_admitted_and_never_exceeds_one(
    make: Callable[[], PrivacyFilter], queries: list[ev.Event]
) -> None:
    budget, last = make(), Fraction(0)
    assert budget.used() == 0
    for query in queries:
        admit_what_fits(budget, [query])
        assert last <= budget.used() <= 1
        last = budget.used()
        assert (last * 10**18).denominator == 1


def test_the_share_of_a_full_budget_is_one() -> None:
    for epsilon in (Fraction(1, 3), Ln(3), Ln("11/10")):
        budget = PureFilter(PureDP(epsilon=epsilon))
        budget.admit(ev.Pure(epsilon=epsilon))
        assert budget.used() == 1
    mixture = MixtureFilter(BUDGET)
    mixture.admit(ev.Repeated(ev.Laplace(scale=10), count=10))
    assert mixture.used() == 1


@given(
    st.fractions(min_value=0, max_value=5, max_denominator=10**30),
    st.fractions(min_value=1, max_value=9, max_denominator=99),
    st.fractions(min_value=0, max_value=5, max_denominator=999),
    st.fractions(min_value=1, max_value=9, max_denominator=99),
)
def test_a_share_is_rounded_up_and_says_exactly_whether_it_fits(
    rational: Fraction, argument: Fraction, bound: Fraction, base: Fraction
) -> None:
    amount, limit = Amount(rational, argument), Amount(bound, base)
    assume(limit != Amount())
    share = share_above(amount, limit)
    assert (share <= 1) == (amount <= limit)
    true = (float(rational) + math.log(argument)) / (float(bound) + math.log(base))
    assert share == pytest.approx(true, rel=1e-12, abs=2e-18)
    if argument == base == 1:
        assert share - Fraction(1, 10**18) < rational / bound <= share


def test_the_least_difference_shows_on_the_right_side() -> None:
    limit, sliver = Amount.of(Ln(2)), Amount(Fraction(1, 10**200))
    assert share_above(limit, limit) == 1
    assert share_above(limit + sliver, limit) > 1
    tiny = Amount.of(Ln(1 + Fraction(1, 10**400)))
    assert share_above(tiny, tiny * 2) == pytest.approx(0.5, abs=1e-17)
    assert share_above(tiny, limit) == Fraction(1, 10**18)


@given(st.lists(QUERIES, min_size=1, max_size=8), st.integers(1, 40))
@settings(max_examples=20)
def test_the_share_of_a_mixture_is_that_of_the_epsilon_it_needs(
    queries: list[ev.Event], count: int
) -> None:
    budget = MixtureFilter(ApproxDP(epsilon=3, delta=1e-5))
    admit_what_fits(budget, [ev.Repeated(each, count=count) for each in queries])
    spent = budget.spent()
    assert isinstance(spent, ApproxDP)
    assert float(budget.used()) == pytest.approx(float(spent.exact_epsilon) / 3, rel=1e-7, abs=1e-8)


def test_the_reserve_counts_if_it_is_nearer_to_its_end() -> None:
    for budget in (AdvancedFilter(BUDGET, reserve=0.1), filter_for(BUDGET, reserve=0.1)):
        budget.admit(ev.Approximate(epsilon="1/1000", delta="5e-8"))
        assert budget.used() == Fraction(1, 2)


def test_a_budget_of_nothing_is_not_used_by_nothing() -> None:
    budget = PureFilter(PureDP(epsilon=0))
    budget.admit(ev.Pure(epsilon=0))
    assert budget.used() == 0
    assert MixtureFilter(ApproxDP(epsilon=0, delta=1e-6)).used() == 0


# ---------------------------------------------------------------- quick acceptance


MIXTURES = st.tuples(
    st.fractions(min_value=0, max_value=20, max_denominator=500),
    st.integers(1, 12).map(lambda power: Fraction(1, 10**power)),
)


@given(MIXTURES, st.integers(0, 16), st.lists(st.floats(0, 30), min_size=17, max_size=17))
def test_what_one_order_allows_the_mixture_keeps(
    point: tuple[Fraction, Fraction], which: int, others: list[float]
) -> None:
    """At the limit of one order, whatever the others are, even if they have no bound at all."""
    epsilon, delta = point
    mixture = MartingaleMixture.around(best_order(epsilon, delta), octaves=2)
    enough = mixture.enough_alone(epsilon=epsilon, delta=delta)
    assume(enough)
    place, limit = enough[which % len(enough)]
    for rest in ([UNBOUNDED] * 17, [Amount(each) for each in others]):
        divergences = (*rest[:place], limit, *rest[place + 1 :])
        assert mixture.keeps(divergences, epsilon=epsilon, delta=delta)


@given(MIXTURES)
@settings(max_examples=20)
def test_the_limit_of_one_order_is_no_greater_than_it_may_be(
    point: tuple[Fraction, Fraction],
) -> None:
    """The twin: with that order alone, a little more than the limit is not kept."""
    epsilon, delta = point
    mixture = MartingaleMixture.around(best_order(epsilon, delta), octaves=2)
    for place, limit in mixture.enough_alone(epsilon=epsilon, delta=delta):
        more = limit + Amount(Fraction(1, 10**8))
        divergences = (*[UNBOUNDED] * place, more, *[UNBOUNDED] * (16 - place))
        assert not mixture.keeps(divergences, epsilon=epsilon, delta=delta)


@given(st.lists(QUERIES, max_size=6), QUERIES, st.integers(1, 200))
@settings(max_examples=30)
def test_quick_decisions_are_those_of_the_full_condition(
    queries: list[ev.Event], query: ev.Event, count: int
) -> None:
    budget, event = MixtureFilter(BUDGET), ev.Repeated(query, count=count)
    admit_what_fits(budget, queries)
    after = MixtureFilter(ApproxDP(epsilon=1, delta=1e-6))
    after.resume(budget.state)
    vars(after)["_enough"] = ()
    assert budget.would_admit(event) == after.would_admit(event)
