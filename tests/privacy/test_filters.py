"""Filters: budgets that hold although each event is chosen after seeing all earlier results.

Rows M-COMP-1 and M-DIV-6: what is admitted may read what came before.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import BudgetError, InputError
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Person, Substitute, compose
from sfumato.privacy import events as ev
from sfumato.privacy.accounting.labels import as_event
from sfumato.privacy.filters import (
    AdvancedFilter,
    ConcentratedFilter,
    GaussianFilter,
    MixtureFilter,
    PrivacyFilter,
    PureFilter,
    RenyiFilter,
    filter_for,
)
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from sfumato.privacy.theorems import renyi_to_epsilon
from tests.cases import cases
from tests.privacy.adversary import excess, greatest_mean, losses_in_advance
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.privacy.adversary import Counts

BUDGET = ApproxDP(epsilon=1, delta=1e-6)
FILTERS: dict[str, Callable[[], PrivacyFilter]] = {
    "pure": lambda: PureFilter(PureDP(epsilon=1)),
    "pure, of a logarithm": lambda: PureFilter(PureDP(epsilon=Ln(3))),
    "advanced": lambda: AdvancedFilter(BUDGET),
    "concentrated": lambda: ConcentratedFilter(ZeroConcentratedDP(rho=0.02)),
    "gaussian": lambda: GaussianFilter(GaussianDP(mu="1/5")),
    "gaussian, of a point": lambda: GaussianFilter(BUDGET),
    "renyi": lambda: RenyiFilter(RenyiDP({2: 0.05, 20: 0.5})),
    "renyi, of a point": lambda: RenyiFilter(BUDGET),
    "mixture": lambda: MixtureFilter(BUDGET),
}
every_filter = pytest.mark.parametrize("make", FILTERS.values(), ids=FILTERS)

SMALL = st.fractions(min_value=0, max_value="1/4", max_denominator=50)
PURE: st.SearchStrategy[ev.Event] = st.one_of(
    st.builds(ev.Laplace, scale=st.integers(4, 200)),
    st.builds(ev.Pure, epsilon=SMALL),
    st.builds(ev.Exponential, epsilon=SMALL),
    st.builds(ev.RandomizedResponse, epsilon=st.sampled_from([Ln(2), Ln("11/10"), "1/20"])),
    st.builds(ev.Subsampled, st.just(ev.Laplace(scale=2)), rate=st.sampled_from([0.01, 0.1])),
)
QUERIES: st.SearchStrategy[ev.Event] = st.one_of(
    PURE,
    st.builds(ev.Repeated, PURE, count=st.integers(1, 20)),
    st.lists(PURE, min_size=1, max_size=3).map(lambda drawn: ev.Composed(*drawn)),
    st.lists(PURE, min_size=1, max_size=3).map(lambda drawn: ev.Parallel(*drawn)),
)


def admit_what_fits(budget: PrivacyFilter, queries: list[ev.Event]) -> None:
    for query in queries:
        if budget.would_admit(query):
            budget.admit(query)


def state(budget: PrivacyFilter) -> tuple[tuple[ev.Event, ...], Guarantee, int | None]:
    return budget.admitted, budget.spent(), budget.remaining_count(ev.Pure(epsilon="1/1000"))


# ---------------------------------------------------------------- what every filter keeps


@every_filter
@given(st.lists(QUERIES, max_size=8))
@settings(max_examples=8)
def test_a_refusal_changes_nothing(
    make: Callable[[], PrivacyFilter], queries: list[ev.Event]
) -> None:
    budget = make()
    for query in queries:
        before = state(budget)
        if budget.would_admit(query):
            budget.admit(query)
            assert budget.admitted == (*before[0], query)
        else:
            with raises_code("E-BUDGET-EXCEEDED", kind=BudgetError):
                budget.admit(query)
            assert state(budget) == before


@every_filter
@given(st.lists(QUERIES, max_size=8), st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_the_state_is_that_of_the_events_in_any_order(
    make: Callable[[], PrivacyFilter], queries: list[ev.Event], random: Any
) -> None:
    first, again = make(), make()
    admit_what_fits(first, queries)
    replayed = list(first.admitted)
    random.shuffle(replayed)
    for event in replayed:
        again.admit(event)
    assert state(again)[1:] == state(first)[1:]
    assert [again.would_admit(each) for each in queries] == [
        first.would_admit(each) for each in queries
    ]


@every_filter
@given(st.lists(QUERIES, min_size=1, max_size=6))
@settings(max_examples=15)
def test_a_composition_is_admitted_as_a_whole_or_not(
    make: Callable[[], PrivacyFilter], queries: list[ev.Event]
) -> None:
    one_by_one = make()
    admit_what_fits(one_by_one, queries)
    assert make().would_admit(ev.Composed(*queries)) == (one_by_one.admitted == tuple(queries))


@every_filter
@given(st.lists(QUERIES, max_size=3), QUERIES)
@settings(max_examples=15)
def test_the_remaining_count_is_exact(
    make: Callable[[], PrivacyFilter], queries: list[ev.Event], query: ev.Event
) -> None:
    budget = make()
    admit_what_fits(budget, queries)
    count = budget.remaining_count(query)
    if count is None:
        assert budget.would_admit(ev.Repeated(query, count=10**100))
        return
    assert count == 0 or budget.would_admit(ev.Repeated(query, count=count))
    assert not budget.would_admit(ev.Repeated(query, count=count + 1))


@every_filter
@given(st.lists(QUERIES, max_size=6))
@settings(max_examples=15)
def test_what_remains_is_admitted(
    make: Callable[[], PrivacyFilter], queries: list[ev.Event]
) -> None:
    budget = make()
    admit_what_fits(budget, queries)
    left = budget.remaining()
    assert left.relation == budget.relation
    if left != GaussianDP(mu=0):
        budget.admit(as_event(left))


def test_what_remains_of_a_sum_is_exact() -> None:
    """Of (1, δ), 0.9 is left after a pure step of 0.1, not the number next to it."""
    budget = MixtureFilter(ApproxDP(epsilon=1, delta=1e-6))
    budget.admit(ev.Pure(epsilon=0.1))
    assert budget.remaining() == PureDP(epsilon=0.9)


@given(st.lists(st.sampled_from(["1e-8", "3e-8", "5e-9"]), max_size=4))
@settings(max_examples=10)
def test_what_remains_has_all_of_the_delta_that_is_left(deltas: list[str]) -> None:
    budget = MixtureFilter(ApproxDP(epsilon=1, delta=1e-6), reserve=0.1)
    admit_what_fits(budget, [ev.Approximate(epsilon=0.01, delta=each) for each in deltas])
    left = budget.remaining()
    assert budget.would_admit(as_event(left))
    assert isinstance(left, ApproxDP)
    more = ev.Approximate(epsilon=0, delta=left.exact_delta + Fraction(1, 10**12))
    assert not budget.would_admit(more)


@every_filter
@given(st.lists(st.builds(ev.Pure, epsilon=SMALL), min_size=1, max_size=6))
@settings(max_examples=10)
def test_events_fixed_in_advance_keep_the_budget(
    make: Callable[[], PrivacyFilter], queries: list[ev.Event]
) -> None:
    """What a filter admits costs no more than the budget when nothing was chosen on the way."""
    budget = make()
    admit_what_fits(budget, [ev.Repeated(each, count=7) for each in queries])
    assume(budget.admitted)
    assert keeps(compose(*budget.admitted), budget.guarantee)


def keeps(guarantee: Guarantee, budget: Guarantee) -> bool:
    """Whether the exact figures of a composition are within a budget."""
    if isinstance(budget, PureDP):
        return guarantee.epsilon(delta=0) <= float(budget.exact_epsilon) * (1 + 1e-12)
    if isinstance(budget, ApproxDP):
        return guarantee.bounds(epsilon=budget.exact_epsilon).lower <= budget.exact_delta
    if isinstance(budget, GaussianDP):
        levels = (0.1, 0.5, 1)
        return all(guarantee.bounds(epsilon=e).lower <= budget.delta(epsilon=e) for e in levels)
    orders = (2, 20)
    return all(guarantee.renyi(each) <= budget.renyi(each) * (1 + 1e-12) for each in orders)


@every_filter
def test_the_guarantee_is_the_budget(make: Callable[[], PrivacyFilter]) -> None:
    budget = make()
    before = budget.guarantee
    budget.admit(ev.Pure(epsilon="1/100"))
    assert budget.guarantee is before
    assert budget.relation == before.relation
    assert str(before) in str(budget)
    assert "1 admitted" in repr(budget)


@every_filter
def test_the_next_event_may_read_the_last_answer(make: Callable[[], PrivacyFilter]) -> None:
    """M-COMP-1: an analyst who makes each query finer the better the last answer looked."""
    budget, answer = make(), 7
    while budget.would_admit(query := ev.Laplace(scale=10 + answer % 13)):
        budget.admit(query)
        answer = (answer * 5 + len(budget.admitted)) % 101
    assert budget.admitted
    assert keeps(compose(*budget.admitted), budget.guarantee)


# ---------------------------------------------------------------- adaptive analysts, exactly


ADVERSARIES = [
    ((Fraction(3, 10), Fraction(3, 5)), Fraction(2), Fraction(1, 50)),
    ((Fraction(1, 4), Fraction(3, 4)), Fraction(2), Fraction(1, 50)),
    ((Fraction(1, 4), Fraction(3, 4)), Fraction(1), Fraction(1, 10)),
]
KEEPERS = [AdvancedFilter, GaussianFilter, MixtureFilter, RenyiFilter]


def greatest_delta(
    epsilons: tuple[Fraction, ...], epsilon: Fraction, allowed: Callable[[Counts], bool]
) -> float:
    """The δ at ε of the worst analyst who may go on as long as it is allowed, up to 14 steps."""
    return greatest_mean(
        epsilons,
        lambda _, loss: excess(float(epsilon), loss),
        lambda counts: sum(counts) <= 14 and allowed(counts),
    )


@pytest.mark.parametrize("keeper", KEEPERS)
@pytest.mark.parametrize(("epsilons", "epsilon", "delta"), ADVERSARIES)
def test_no_adaptive_analyst_breaks_the_budget(
    keeper: Callable[[ApproxDP], PrivacyFilter],
    epsilons: tuple[Fraction, ...],
    epsilon: Fraction,
    delta: Fraction,
) -> None:
    budget = keeper(ApproxDP(epsilon=epsilon, delta=delta))

    def allowed(counts: Counts) -> bool:
        steps = zip(epsilons, counts, strict=True)
        return budget.would_admit(
            ev.Composed(*(ev.Repeated(ev.Pure(epsilon=e), count=n) for e, n in steps if n))
        )

    assert greatest_delta(epsilons, epsilon, allowed) <= delta


@pytest.mark.parametrize(("epsilons", "epsilon", "delta"), ADVERSARIES)
def test_the_exact_profile_of_the_events_so_far_is_no_filter(
    epsilons: tuple[Fraction, ...], epsilon: Fraction, delta: Fraction
) -> None:
    """The twin: go on while the events so far, had they been fixed in advance, keep the budget."""

    def allowed(counts: Counts) -> bool:
        found = losses_in_advance(epsilons, counts)
        return math.fsum(p * excess(float(epsilon), loss) for loss, p in found) <= delta

    found = greatest_delta(epsilons, epsilon, allowed)
    assert found > 1.1 * delta
    assert epsilons != ADVERSARIES[0][0] or abs(found - 0.02502648) < 1e-8


# ---------------------------------------------------------------- pure


def test_ten_tenths_fit_in_one_and_an_eleventh_does_not() -> None:
    budget = PureFilter(PureDP(epsilon=1))
    for _ in range(10):
        budget.admit(ev.Laplace(scale=10))
    assert budget.spent() == PureDP(epsilon=1)
    assert budget.remaining() == PureDP(epsilon=0)
    with pytest.raises(BudgetError):
        budget.admit(ev.Pure(epsilon="1e-300"))
    budget.admit(ev.Pure(epsilon=0))
    assert budget.remaining_count(ev.Pure(epsilon=0)) is None


def test_floats_would_lose_the_tenth_tenth() -> None:
    """The twin: the sum of ten floats 0.1 is below 1, and of three 0.1 above 0.3."""
    assert sum([0.1] * 3) > 0.3
    assert PureFilter(PureDP(epsilon=0.3)).remaining_count(ev.Laplace(scale=10)) == 3


def test_logarithms_are_compared_exactly() -> None:
    budget = PureFilter(PureDP(epsilon=Ln(64)))
    answer = ev.RandomizedResponse(epsilon=Ln(2))
    assert budget.remaining_count(answer) == 6
    budget.admit(ev.Repeated(answer, count=4))
    assert budget.remaining() == PureDP(epsilon=Ln(4))
    assert not budget.would_admit(ev.Composed(answer, answer, ev.Pure(epsilon="1e-200")))
    budget.admit(ev.Pure(epsilon=1))
    assert 0 < math.log(4) - 1 - float(budget.remaining().exact_epsilon) < 1e-11


@pytest.mark.parametrize("count", [10**5, 10**12])
def test_the_work_is_bounded_however_many_logarithms(count: int) -> None:
    budget = PureFilter(PureDP(epsilon=10**6))
    event = ev.Repeated(ev.RandomizedResponse(epsilon=Ln("4/3")), count=count)
    assert budget.would_admit(event) == (count * math.log(4 / 3) <= 10**6)


def test_the_work_is_bounded_however_long_the_sum_of_fractions() -> None:
    budget = PureFilter(PureDP(epsilon=1))
    primes = [n for n in range(10**6, 10**6 + 3_000) if all(n % d for d in range(2, 1001))]
    for prime in primes:
        budget.admit(ev.Laplace(scale=prime))
    spent = budget.spent().exact_epsilon
    assert isinstance(spent, Fraction)
    assert spent.denominator.bit_length() <= 3201
    assert 0 < spent - sum(Fraction(1, prime) for prime in primes) < Fraction(1, 2**3000)
    assert budget.would_admit(as_event(budget.remaining()))


def test_a_sample_makes_pure_events_cheaper() -> None:
    budget = PureFilter(PureDP(epsilon=1))
    sampled = ev.Subsampled(ev.Laplace(scale=1), rate=0.01)
    assert budget.remaining_count(sampled) == math.floor(1 / math.log1p(0.01 * math.expm1(1)))


def test_groups_are_charged_for_the_dearest() -> None:
    query = ev.Laplace(scale=10)
    groups = ev.Parallel(query, ev.Composed(query, ev.Pure(epsilon=0.1)))
    assert PureFilter(PureDP(epsilon=1)).remaining_count(groups) == 5
    noise = ev.Parallel(ev.Gaussian(sigma=10), ev.Gaussian(sigma=5))
    assert ConcentratedFilter(ZeroConcentratedDP(rho=1)).remaining_count(noise) == 50


# ---------------------------------------------------------------- the others


@pytest.mark.parametrize(("count", "figure"), [(1000, "21.6225813627"), (100, "5.7565217698")])
def test_advanced_composition_with_free_choice(count: int, figure: str) -> None:
    for epsilon, admitted in zip(around(figure), (count - 1, count), strict=True):
        budget = AdvancedFilter(ApproxDP(epsilon=epsilon, delta=1e-6))
        assert budget.remaining_count(ev.Pure(epsilon=0.1)) == admitted


def around(figure: str) -> tuple[Fraction, Fraction]:
    """The decimals below and above a figure that was rounded in its last digit."""
    unit = Fraction(1, 10 ** len(figure.partition(".")[2]))
    return Fraction(figure) - unit, Fraction(figure) + unit


def test_part_of_delta_can_be_kept_for_events_that_have_one() -> None:
    event = ev.Approximate(epsilon=0.01, delta=1e-9)
    for keeper in (AdvancedFilter, MixtureFilter):
        budget = keeper(BUDGET, reserve=0.1)
        assert budget.remaining_count(event) == 100
        budget.admit(event)
        spent = budget.spent()
        assert isinstance(spent, ApproxDP)
        assert spent.exact_delta == Fraction(901, 10**9)
        with raises_code("E-BUDGET-KIND"):
            keeper(BUDGET).would_admit(event)


def test_an_approximate_event_is_counted_by_its_epsilon_beside_its_delta() -> None:
    event = ev.Approximate(epsilon=0.01, delta=1e-20)
    for keeper in (AdvancedFilter, MixtureFilter):
        alone = keeper(ApproxDP(epsilon=1, delta="9e-7")).remaining_count(ev.Pure(epsilon=0.01))
        assert keeper(BUDGET, reserve=0.1).remaining_count(event) == alone


def test_a_sparse_vector_costs_its_threshold_and_its_answers() -> None:
    sparse = ev.SparseVector(threshold_epsilon=Fraction(1, 10), answers_epsilon=Fraction(3, 20))
    assert PureFilter(PureDP(epsilon=1)).remaining_count(sparse) == 4
    mixed = ev.SparseVector(threshold_epsilon=Ln(2), answers_epsilon=Fraction(1, 10))
    assert PureFilter(PureDP(epsilon=5)).remaining_count(mixed) == 6


def test_concentrated_costs() -> None:
    budget = ConcentratedFilter(ZeroConcentratedDP(rho=0.5))
    assert budget.remaining_count(ev.Gaussian(sigma=10)) == 100
    assert budget.remaining_count(ev.DiscreteGaussian(sigma=10)) == 100
    assert budget.remaining_count(ev.Laplace(scale=10)) == 100
    assert budget.remaining_count(ev.Exponential(epsilon=0.1)) == 400
    assert budget.remaining_count(ev.PermuteAndFlip(epsilon=0.1)) == 100
    assert budget.remaining_count(ev.ZeroConcentrated(rho=0.05)) == 10


@pytest.mark.parametrize(
    ("rho", "figure"), [(0.1, "1.9945269007"), (0.5, "4.88655411746"), (1, "7.28608096642")]
)
def test_gaussian_noise_keeps_its_exact_curve(rho: float, figure: str) -> None:
    count = round(2 * rho * 10**4)
    for epsilon, admitted in zip(around(figure), (count - 1, count), strict=True):
        budget = GaussianFilter(ApproxDP(epsilon=epsilon, delta=1e-6))
        assert budget.remaining_count(ev.Gaussian(sigma=100)) == admitted


def test_a_gaussian_budget_is_exact() -> None:
    budget = GaussianFilter(GaussianDP(mu=1))
    budget.admit(ev.Repeated(ev.Gaussian(sigma=10), count=100))
    assert budget.remaining() == GaussianDP(mu=0)
    assert not budget.would_admit(ev.Gaussian(sigma="1e100"))


@given(
    st.fractions(min_value=0, max_value=20, max_denominator=1000),
    st.integers(1, 12).map(lambda power: Fraction(1, 10**power)),
)
def test_the_budget_of_an_order_is_rounded_down(epsilon: Fraction, delta: Fraction) -> None:
    ((order, limit),) = RenyiFilter(ApproxDP(epsilon=epsilon, delta=delta)).limits
    assert renyi_to_epsilon(order=order, renyi=limit, delta=delta) <= epsilon + Fraction(1, 10**14)
    more = renyi_to_epsilon(order=order, renyi=limit + Fraction(1, 10**9), delta=delta)
    assert more > epsilon


def test_the_order_is_the_best_one_for_gaussian_noise() -> None:
    noise = ev.Gaussian(sigma=1000)
    best = RenyiFilter(BUDGET).remaining_count(noise)
    others = [RenyiFilter(BUDGET, order=each).remaining_count(noise) for each in (18, 20, 24, 26)]
    assert best is not None
    assert best > max(count for count in others if count is not None)


def test_a_renyi_budget_is_kept_at_each_of_its_orders() -> None:
    budget = RenyiFilter(RenyiDP({2: 0.1, 8: 0.2}))
    assert budget.remaining_count(ev.Gaussian(sigma=10)) == 5
    assert budget.remaining_count(ev.Renyi({2: 0.05, 8: 0.01})) == 2
    with raises_code("E-BUDGET-KIND"):
        budget.would_admit(ev.Renyi({2: 0.05}))


def test_the_weights_of_the_mixture_sum_to_one() -> None:
    for budget in (BUDGET, ApproxDP(epsilon=0, delta=1e-9), ApproxDP(epsilon=50, delta=0.1)):
        mixture = MixtureFilter(budget).mixture
        assert sum(mixture.weights) == 1
        assert min(mixture.orders) > 1


def test_the_mixture_suits_very_different_events() -> None:
    """The order that suits Gaussian noise admits nothing of a sampled kind; the mixture does."""
    budget = ApproxDP(epsilon=2, delta=1e-6)
    noise, sampled = ev.Gaussian(sigma=40), ev.Subsampled(ev.Gaussian(sigma=1), rate=0.01)
    fixed, mixed = RenyiFilter(budget), MixtureFilter(budget)
    assert (fixed.remaining_count(noise), fixed.remaining_count(sampled)) == (282, 0)
    assert (mixed.remaining_count(noise) or 0) > 0.95 * 282
    assert (mixed.remaining_count(sampled) or 0) > 150


def test_the_mixture_admits_what_adds_up_to_epsilon() -> None:
    budget = MixtureFilter(BUDGET)
    budget.admit(ev.Repeated(ev.Laplace(scale=10), count=10))
    assert budget.spent() == BUDGET
    assert not budget.would_admit(ev.Laplace(scale=10))


def test_budgets_choose_their_filters() -> None:
    chosen = {
        PureFilter: PureDP(epsilon=1),
        MixtureFilter: BUDGET,
        ConcentratedFilter: ZeroConcentratedDP(rho=0.1),
        GaussianFilter: GaussianDP(mu=1),
        RenyiFilter: RenyiDP({8: 0.5}),
    }
    for kind, budget in chosen.items():
        assert type(filter_for(budget)) is kind


# ---------------------------------------------------------------- bad input


def untyped(value: object) -> Any:
    return value


def of_people() -> PureFilter:
    return PureFilter(PureDP(epsilon=1, relation=Substitute(unit=Person())))


@cases(
    ("call", "part"),
    [
        (lambda: PureFilter(untyped(1)), "write PureFilter(PureDP(epsilon=1))"),
        (lambda: PureFilter(untyped(BUDGET)), "takes a budget of PureDP, not (1, 1e-06)-DP"),
        (lambda: MixtureFilter(untyped(PureDP(epsilon=1))), "takes a budget of ApproxDP, not 1-DP"),
        (
            lambda: MixtureFilter(ApproxDP(epsilon=1, delta=0)),
            "write PureFilter(PureDP(epsilon=1))",
        ),
        (lambda: AdvancedFilter(ApproxDP(epsilon=Ln(2), delta=0)), "PureDP(epsilon=Ln(2))"),
        (lambda: AdvancedFilter(BUDGET, reserve=1), "reserve must"),
        (lambda: MixtureFilter(BUDGET, reserve=math.nan), "reserve must"),
        (lambda: MixtureFilter(BUDGET, reserve="half"), "reserve must"),
        (lambda: RenyiFilter(BUDGET, order=1), "order must"),
        (lambda: RenyiFilter(BUDGET, order=2), "nothing fits (1, 1e-06)-DP"),
        (lambda: RenyiFilter(RenyiDP({8: 0.5}), order=8), "names its own orders"),
        (lambda: RenyiFilter(RenyiDP(lambda order: order)), "orders that are listed"),
        (lambda: filter_for(untyped(None)), "filter_for takes a budget of PureDP, ApproxDP"),
        (lambda: filter_for(PrivacyProfile({1: 1e-6})), "filter_for takes a budget of"),
        (lambda: of_people().admit(untyped("laplace")), "admit takes events"),
        (lambda: of_people().would_admit(untyped(0.1)), "would_admit takes events"),
        (lambda: of_people().remaining_count(untyped([])), "write remaining_count(*events)"),
        (lambda: of_people().admit(ev.Gaussian(sigma=4)), "has no pure ε"),
        (
            lambda: of_people().admit(ev.Subsampled(ev.Laplace(scale=1), rate=0.1)),
            "holds for add or remove only",
        ),
        (
            lambda: GaussianFilter(BUDGET).admit(ev.DiscreteGaussian(sigma=4)),
            "use ConcentratedFilter(",
        ),
        (
            lambda: ConcentratedFilter(ZeroConcentratedDP(rho=1)).admit(
                ev.Subsampled(ev.Gaussian(sigma=4), rate=0.01)
            ),
            "has no ρ of zero-concentrated privacy",
        ),
        (lambda: AdvancedFilter(BUDGET).admit(ev.Gaussian(sigma=4)), "has no ε of its own"),
    ],
)
def test_bad_input_is_one_sentence(call: Callable[[], Any], part: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_budget_error_is_a_refusal_with_one_sentence() -> None:
    budget = PureFilter(PureDP(epsilon=1, relation=AddRemove(unit=Person())))
    with pytest.raises(BudgetError) as caught:
        budget.admit(ev.Repeated(ev.Laplace(scale=10), count=11))
    assert str(caught.value) == (
        "11 × (Laplace noise of scale 10 on sensitivity 1) exceeds what is left of the privacy "
        "budget 1-DP (add or remove one person); nothing was spent"
    )


def test_a_mechanism_is_charged_for_its_own_relation_only() -> None:
    """What is guaranteed for another relation does not fit the budget's label (row M-DEF-1)."""
    budget = PureFilter(PureDP(epsilon=1))
    budget.admit(sf.mechanisms.Laplace(epsilon="1/2", sensitivity=1))
    assert budget.admitted == (sf.privacy.events.Laplace(scale=2),)
    assert budget.would_admit(sf.mechanisms.Laplace(epsilon="1/2", sensitivity=1))
    assert budget.remaining_count(sf.mechanisms.Laplace(epsilon="1/4", sensitivity=1)) == 2
    with raises_code("E-RELATION-OTHER", match="the budget is for"):
        budget.admit(sf.mechanisms.RandomizedResponse(truth="2/3"))
    assert len(budget.admitted) == 1
