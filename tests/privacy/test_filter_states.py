"""Filters that are saved and resumed go on as if they had not stopped (M-COMP-1, M-DIV-6)."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import BudgetError, InputError
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Person, Substitute
from sfumato.privacy import events as ev
from sfumato.privacy.filters import (
    AdvancedFilter,
    ConcentratedFilter,
    FilterState,
    GaussianFilter,
    MixtureFilter,
    PureFilter,
    RenyiFilter,
    filter_for,
)
from sfumato.privacy.filters.amounts import UNBOUNDED, Amount
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from tests.cases import cases
from tests.privacy.test_filters import BUDGET, PURE, QUERIES, admit_what_fits, every_filter, untyped
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.filters import PrivacyFilter

LONG = st.integers(2**1600, 2**1700).map(lambda n: Fraction(1, n))
LONG_PURE = st.one_of(
    st.builds(ev.Pure, epsilon=LONG),
    st.builds(ev.RandomizedResponse, epsilon=LONG.map(lambda tiny: Ln(1 + tiny))),
    PURE,
)


def resumed(budget: PrivacyFilter, make: Callable[[], PrivacyFilter]) -> PrivacyFilter:
    fresh = make()
    fresh.resume(FilterState.from_text(budget.state.to_text()))
    return fresh


# ---------------------------------------------------------------- save, resume, replay


@every_filter
@given(st.lists(QUERIES, max_size=5), st.lists(QUERIES, max_size=4))
@settings(max_examples=10)
def test_a_resumed_filter_goes_on_as_if_it_had_never_stopped(
    make: Callable[[], PrivacyFilter], before: list[ev.Event], after: list[ev.Event]
) -> None:
    whole = make()
    admit_what_fits(whole, before)
    second = resumed(whole, make)
    assert second.admitted == ()
    assert second.state == whole.state
    admitted = len(whole.admitted)
    admit_what_fits(whole, after)
    admit_what_fits(second, after)
    assert second.admitted == whole.admitted[admitted:]
    assert second.state == whole.state
    assert (second.spent(), second.used()) == (whole.spent(), whole.used())
    assert second.remaining() == whole.remaining()


@given(st.lists(LONG_PURE, max_size=8), st.lists(LONG_PURE, max_size=4))
def test_numbers_too_long_to_stay_exact_are_saved_as_they_stand(
    before: list[ev.Event], after: list[ev.Event]
) -> None:
    """Sums beyond 3200 bits are rounded up; what was rounded is saved and goes on alike."""

    def make() -> PureFilter:
        return PureFilter(PureDP(epsilon=Ln(3)))

    whole = make()
    admit_what_fits(whole, before)
    second = resumed(whole, make)
    admit_what_fits(whole, after)
    admit_what_fits(second, after)
    assert second.state == whole.state


def test_a_sum_of_long_numbers_is_longer_than_3200_bits_before_it_is_rounded() -> None:
    budget = PureFilter(PureDP(epsilon=1))
    steps = [ev.Pure(epsilon=Fraction(1, 2**1700 - 2 * n - 1)) for n in range(3)]
    budget.replay(steps)
    (spent,) = budget.state.amounts
    exact = sum(Fraction(1, 2**1700 - 2 * n - 1) for n in range(3))
    assert exact.denominator.bit_length() > 5000
    assert 0 < Fraction(spent.rational) - exact < Fraction(1, 2**3000)
    assert FilterState.from_text(budget.state.to_text()) == budget.state


def test_an_amount_that_no_budget_holds_is_infinite() -> None:
    """No number grows without end, so every state can be written down and read back."""
    amount = Amount(Fraction(10**300 + 1, 10**900 - 1))
    greatest = max((amount * 10**power for power in range(0, 9999, 33)), key=lambda a: len(str(a)))
    assert FilterState.from_text(FilterState("x", (greatest,)).to_text()).amounts == (greatest,)
    assert amount * 10**2000 < Amount(Fraction(10**2000)) < UNBOUNDED
    assert amount * 10**9999 == UNBOUNDED


def test_orders_without_a_bound_are_saved_as_such() -> None:
    budget = MixtureFilter(BUDGET)
    budget.admit(ev.Renyi({budget.mixture.orders[8]: "1/1000"}))
    assert budget.state.amounts[-1] == UNBOUNDED
    assert resumed(budget, lambda: MixtureFilter(BUDGET)).state == budget.state


@every_filter
@given(st.lists(QUERIES, max_size=8))
@settings(max_examples=10)
def test_a_replay_is_admitting_one_by_one(
    make: Callable[[], PrivacyFilter], queries: list[ev.Event]
) -> None:
    one_by_one, at_once = make(), make()
    admit_what_fits(one_by_one, queries)
    at_once.replay(iter(one_by_one.admitted))
    assert at_once.state == one_by_one.state
    assert at_once.admitted == one_by_one.admitted
    if one_by_one.admitted != tuple(queries):
        refusing = make()
        with raises_code("E-BUDGET-EXCEEDED", kind=BudgetError):
            refusing.replay(queries)
        assert refusing.state == make().state
        assert refusing.admitted == ()


def test_a_long_record_is_replayed_with_each_kind_of_event_weighed_once() -> None:
    weighed = []

    class Counting(PureFilter):
        def _step_cost(self, step: ev.Event) -> tuple[Amount, ...]:
            weighed.append(step)
            return super()._step_cost(step)

    budget = Counting(PureDP(epsilon=1))
    kinds = [ev.Laplace(scale=10**6 + n) for n in range(10)]
    budget.replay(kinds * 2000)
    assert weighed == kinds
    assert budget.spent().exact_epsilon == 2000 * sum(Fraction(1, 10**6 + n) for n in range(10))
    assert len(budget.admitted) == 20_000


def test_the_memory_for_costs_is_bounded_and_changes_nothing() -> None:
    budget = PureFilter(PureDP(epsilon=1))
    events = [ev.Laplace(scale=10**7 + n) for n in range(1500)]
    for event in (*events, *events):
        budget.admit(event)
    assert len(vars(budget)["_costs"]) <= 1024
    fresh = PureFilter(PureDP(epsilon=1))
    fresh.replay(events + events)
    assert fresh.state == budget.state


@every_filter
def test_a_filter_survives_a_pickle(make: Callable[[], PrivacyFilter]) -> None:
    budget = make()
    budget.admit(ev.Pure(epsilon="1/100"))
    again = pickle.loads(pickle.dumps(budget))  # noqa: S301 - our own
    assert again.state == budget.state
    assert again.remaining() == budget.remaining()


# ---------------------------------------------------------------- what continues what


def test_the_basis_is_that_of_the_amounts_and_not_of_the_budget() -> None:
    same: list[tuple[PrivacyFilter, PrivacyFilter]] = [
        (PureFilter(PureDP(epsilon=1)), PureFilter(PureDP(epsilon=Ln(7)))),
        (GaussianFilter(BUDGET), GaussianFilter(GaussianDP(mu=1))),
        (RenyiFilter(RenyiDP({8: 1})), RenyiFilter(RenyiDP({8: 2}))),
        (AdvancedFilter(BUDGET), AdvancedFilter(ApproxDP(epsilon=2, delta=1e-9))),
        (MixtureFilter(BUDGET), filter_for(ApproxDP(epsilon=1, delta=1e-6))),
    ]
    for one, other in same:
        assert one.basis == other.basis


def test_what_cannot_go_on_from_one_another_has_another_basis() -> None:
    people = AddRemove(unit=Person("patient_id"))
    bases = [
        PureFilter(PureDP(epsilon=1)).basis,
        PureFilter(PureDP(epsilon=1, relation=Substitute())).basis,
        PureFilter(PureDP(epsilon=1, relation=people)).basis,
        AdvancedFilter(BUDGET).basis,
        AdvancedFilter(BUDGET, reserve=0.1).basis,
        ConcentratedFilter(ZeroConcentratedDP(rho=1)).basis,
        GaussianFilter(BUDGET).basis,
        RenyiFilter(BUDGET).basis,
        RenyiFilter(RenyiDP({2: 1, 4: 1, 8: 1})).basis,
        RenyiFilter(RenyiDP({2: 1, 5: 1, 8: 1})).basis,
        MixtureFilter(BUDGET).basis,
        MixtureFilter(BUDGET, reserve=0.1).basis,
        MixtureFilter(ApproxDP(epsilon=2, delta=1e-6)).basis,
    ]
    assert len(set(bases)) == len(bases)


@pytest.mark.parametrize(
    ("budget", "basis"),
    [
        (PureDP(epsilon=1), "pure ε; add or remove one row"),
        (
            BUDGET,
            (
                "pure ε, δ with a reserve of 0, and Rényi divergences at orders 6.25 to 85, "
                "17 in all (3fd7851710319bde); add or remove one row"
            ),
        ),
        (ZeroConcentratedDP(rho=1), "ρ of zero-concentrated privacy; add or remove one row"),
        (GaussianDP(mu=1), "squares of μ of Gaussian privacy; add or remove one row"),
        (
            RenyiDP({8: 1}),
            "Rényi divergences at order 8 (51146722a7f39a70); add or remove one row",
        ),
    ],
)
def test_saved_states_stay_readable_for_ever(budget: Guarantee, basis: str) -> None:
    """The golden bases: a state that was saved under one goes on under the same words."""
    assert filter_for(budget).basis == basis


def test_the_text_of_a_state_never_changes() -> None:
    text = '{"version":1,"basis":"x","amounts":["0","1/10","ln(6/5)","1/10+ln(6/5)","inf"]}'
    tenth, log = Fraction(1, 10), Fraction(6, 5)
    amounts = (Amount(), Amount(tenth), Amount(argument=log), Amount(tenth, log), UNBOUNDED)
    assert FilterState("x", amounts).to_text() == text
    assert FilterState.from_text(text) == FilterState("x", amounts)


# ---------------------------------------------------------------- bad input


def saved(*amounts: Any, basis: Any = "pure ε; add or remove one row", **more: Any) -> str:
    return json.dumps({"version": 1, "basis": basis, "amounts": list(amounts)} | more)


REFUSED_TEXTS: list[tuple[Any, str]] = [
    ("", "the document is not JSON"),
    (None, "a saved state must be text, not None"),
    (b"{}", "a saved state must be text"),
    ("[]", "does not say its version"),
    ("{}", "does not say its version"),
    (saved("1", version=2), "install a newer sfumato"),
    (saved("1", version=True), "version must be 1, not True"),
    (saved("1", author="x"), "there is no field 'author' in the state"),
    ('{"version": 1, "basis": "x"}', "the field 'amounts' is missing"),
    ('{"version": 1, "basis": "x", "basis": "x", "amounts": []}', "stands twice"),
    (saved("1", basis=None), "basis must be text, not None"),
    (saved(amounts="1"), "amounts must be a list, not '1'"),
    (saved(1), "an amount must be 0 or more, not 1"),
    (saved(None), "an amount must be 0 or more, not None"),
    (saved(["1"]), "an amount must be 0 or more"),
    (saved("-1"), "an amount must be 0 or more, not '-1'"),
    (saved("1/0"), "an amount must be 0 or more, not '1/0'"),
    (saved("1/-2"), "an amount must be 0 or more"),
    (saved("nan"), "an amount must be 0 or more, not 'nan'"),
    (saved(math.nan), "a number must be finite, not NaN"),
    (saved("-inf"), "an amount must be 0 or more, not '-inf'"),
    (saved("0.1"), "an amount must be 0 or more, not '0.1'"),
    (saved("1e9"), "an amount must be 0 or more, not '1e9'"),
    (saved("ln(1/2)"), r"an amount must be 0 or more, not 'ln\(1/2\)'"),
    (saved("ln(0)"), "an amount must be 0 or more"),
    (saved("5+ln(1/2)"), "an amount must be 0 or more"),
    (saved("ln(2)+1"), "an amount must be 0 or more"),
    (saved("1+"), "an amount must be 0 or more"),
    (saved("١"), "an amount must be 0 or more"),
    (saved("9" * 4001), "an amount must be 0 or more, not '999"),
    (saved("1" * 1_000_000), "at most 1,000,000 characters"),
    ("[" * 5000, "nested deeper than 100 levels"),
]


@cases(("text", "part"), REFUSED_TEXTS)
def test_a_text_that_is_no_state_gets_one_sentence(text: Any, part: str) -> None:
    with pytest.raises(InputError, match=part) as caught:
        FilterState.from_text(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_what_would_be_too_long_to_read_is_not_written() -> None:
    long = Amount(Fraction(10**3000 + 1, 10**900))
    with raises_code("E-TOO-LARGE", match="at most 1,000,000 characters"):
        FilterState("x", (long,) * 300).to_text()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(JSON)
def test_whatever_is_in_a_text_is_read_or_refused(value: Any) -> None:
    for text in (json.dumps(value), saved(value), saved(basis=value), saved(amounts=value)):
        try:
            state = FilterState.from_text(text)
        except InputError:
            continue
        assert FilterState.from_text(state.to_text()) == state


@cases(
    ("call", "part"),
    [
        (lambda: FilterState(untyped(3), ()), "basis must be text, not 3"),
        (lambda: FilterState("x", untyped([Amount()])), "amounts must be a tuple"),
        (lambda: FilterState("x", untyped((0.1,))), "amounts must be a tuple of amounts"),
        (lambda: FilterState("x", (Amount(Fraction(-1)),)), "of 0 or more"),
        (lambda: FilterState("x", untyped(None)), "amounts must be a tuple"),
        (lambda: PureFilter(PureDP(epsilon=1)).resume(untyped("x")), "resume takes a FilterState"),
        (
            lambda: PureFilter(PureDP(epsilon=1)).resume(MixtureFilter(BUDGET).state),
            "make the filter for the budget that the state was saved from",
        ),
        (
            lambda: PureFilter(PureDP(epsilon=1)).resume(
                FilterState("pure ε; add or remove one row", (Amount(), Amount()))
            ),
            "the state has 2 amounts and the filter 1",
        ),
        (
            lambda: PureFilter(PureDP(epsilon=1)).resume(FilterState("x" * 10**6, ())),
            "the state adds up “xxx",
        ),
        (lambda: PureFilter(PureDP(epsilon=1)).replay(untyped(3)), "write replay([event])"),
        (
            lambda: PureFilter(PureDP(epsilon=1)).replay(untyped(ev.Laplace(scale=1))),
            "replay takes a list of events, not Laplace",
        ),
        (lambda: PureFilter(PureDP(epsilon=1)).replay(untyped("ab")), "replay takes events, not"),
        (
            lambda: filter_for(PureDP(epsilon=1), reserve=0.1),
            "reserve=0.1 is a share of delta, which 1-DP (add or remove one row) has none of",
        ),
        (lambda: filter_for(PureDP(epsilon=1), reserve=untyped(None)), "reserve must be a number"),
        (lambda: filter_for(BUDGET, reserve=1), "reserve must be 0 or more and below 1"),
    ],
)
def test_bad_input_is_one_sentence(call: Callable[[], Any], part: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_a_state_beyond_the_budget_is_refused_and_changes_nothing() -> None:
    rich, poor = PureFilter(PureDP(epsilon=2)), PureFilter(PureDP(epsilon=1))
    rich.admit(ev.Pure(epsilon="3/2"))
    poor.admit(ev.Pure(epsilon="1/2"))
    before = poor.state
    with raises_code("E-FILTER-STATE", kind=BudgetError):
        poor.resume(rich.state)
    assert poor.state == before
    assert poor.admitted == (ev.Pure(epsilon="1/2"),)
    with pytest.raises(BudgetError):
        poor.resume(FilterState(poor.basis, (UNBOUNDED,)))
