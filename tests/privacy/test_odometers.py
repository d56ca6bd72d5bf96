"""Odometers: a bound on the loss at all times at once, however the events are chosen."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import PureDP, compose
from sfumato.errors import InputError
from sfumato.numeric import Ln
from sfumato.privacy import Substitute
from sfumato.privacy import events as ev
from sfumato.privacy.filters import Odometer
from tests.privacy.adversary import greatest_mean, losses_in_advance

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.privacy.adversary import Counts

    Reading = Callable[[Counts], float]

HORIZON = 12
CASES = [
    ((Fraction(1, 5), Fraction(1)), 0.1),
    ((Fraction(1, 4), Fraction(3, 4)), 0.1),
    ((Fraction(1, 10), Fraction(1, 2)), 0.05),
]


def spent(epsilons: tuple[Fraction, ...], counts: Counts, delta: float) -> Odometer:
    odometer = Odometer(delta=delta)
    for epsilon, count in zip(epsilons, counts, strict=True):
        if count:
            odometer.spend(ev.Repeated(ev.Pure(epsilon=epsilon), count=count))
    return odometer


def greatest_chance_to_pass(epsilons: tuple[Fraction, ...], reading: Reading) -> float:
    """The probability that the loss is ever above the reading, for the worst analyst."""

    remembered = lru_cache(maxsize=None)(reading)

    def passes(counts: Counts, loss: float) -> float:
        return float(loss > remembered(counts) * (1 + 1e-12))

    return greatest_mean(epsilons, passes, lambda counts: sum(counts) <= HORIZON)


@pytest.mark.parametrize(("epsilons", "delta"), CASES)
def test_no_adaptive_analyst_passes_the_reading_too_often(
    epsilons: tuple[Fraction, ...], delta: float
) -> None:
    def reading(counts: Counts) -> float:
        return spent(epsilons, counts, delta).epsilon()

    assert 0.5 * delta < greatest_chance_to_pass(epsilons, reading) <= delta


@pytest.mark.parametrize(("epsilons", "delta"), CASES)
def test_the_best_order_afterwards_would_be_passed(
    epsilons: tuple[Fraction, ...], delta: float
) -> None:
    """The twin: every order with the whole of δ, and the least of their readings."""

    orders = Odometer(delta=delta).mixture.orders
    divergences = [[PureDP(epsilon=each).renyi(order) for each in epsilons] for order in orders]

    def reading(counts: Counts) -> float:
        return min(
            math.fsum(map(mul, bounds, counts)) - math.log(delta) / float(order - 1)
            for order, bounds in zip(orders, divergences, strict=True)
        )

    assert greatest_chance_to_pass(epsilons, reading) > 1.2 * delta


@pytest.mark.parametrize(("epsilons", "delta"), CASES)
def test_the_exact_quantile_of_fixed_events_would_be_passed(
    epsilons: tuple[Fraction, ...], delta: float
) -> None:
    """The twin: the bound that is exact for events fixed in advance, read as they come."""

    def reading(counts: Counts) -> float:
        passed = 0.0
        for loss, probability in losses_in_advance(epsilons, counts):
            passed += probability
            if passed > delta:
                return loss
        raise AssertionError

    assert greatest_chance_to_pass(epsilons, reading) > 2 * delta


QUERIES: st.SearchStrategy[ev.Event] = st.one_of(
    st.builds(ev.Laplace, scale=st.integers(5, 200)),
    st.builds(ev.Gaussian, sigma=st.integers(10, 200)),
    st.builds(ev.Pure, epsilon=st.fractions(min_value=0, max_value=1, max_denominator=20)),
    st.builds(ev.Exponential, epsilon=st.fractions(0, 1, max_denominator=20)),
)


@given(st.lists(QUERIES, min_size=1, max_size=8))
@settings(max_examples=30)
def test_readings_only_rise(queries: list[ev.Event]) -> None:
    odometer = Odometer(delta=1e-6)
    readings = [odometer.epsilon()]
    for query in queries:
        odometer.spend(query)
        readings.append(odometer.epsilon())
    assert readings == sorted(readings)
    assert readings[0] == 0
    assert odometer.events == tuple(queries)


@given(st.lists(st.integers(5, 200), min_size=1, max_size=4), st.integers(1, 200))
@settings(max_examples=20)
def test_a_reading_is_never_below_what_fixed_events_cost(scales: list[int], count: int) -> None:
    event = ev.Repeated(
        ev.Composed(*(ev.Gaussian(sigma=10 * each) for each in scales)), count=count
    )
    odometer = Odometer(delta=1e-6)
    odometer.spend(event)
    assert odometer.epsilon() >= compose(event).bounds(delta=1e-6).lower


def test_pure_events_are_added_up_exactly_where_that_is_less() -> None:
    odometer = Odometer(delta=1e-6)
    odometer.spend(ev.Repeated(ev.Laplace(scale=10), count=5))
    assert odometer.epsilon() == 0.5
    odometer.spend(ev.RandomizedResponse(epsilon=Ln(2)))
    assert 0 <= odometer.epsilon() - (0.5 + math.log(2)) < 1e-11


def test_many_events_cost_far_less_than_their_sum() -> None:
    odometer = Odometer(delta=1e-6, near=20)
    odometer.spend(ev.Repeated(ev.Laplace(scale=10), count=1000))
    assert 18.95 < odometer.epsilon() < 22


def test_what_has_no_bound_reads_infinity() -> None:
    odometer = Odometer(delta=1e-6)
    odometer.spend(ev.Approximate(epsilon=0.1, delta=1e-9))
    assert odometer.epsilon() == math.inf


def test_an_odometer_names_its_relation() -> None:
    odometer = Odometer(delta=1e-6, relation=Substitute())
    odometer.spend(ev.FixedSizeSubsampled(ev.Laplace(scale=1), size=1, population=100))
    assert "substitute one row" in str(odometer)
    assert odometer.epsilon() < 0.02


def untyped(value: object) -> Any:
    return value


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: Odometer(delta=0), "delta must"),
        (lambda: Odometer(delta=1), "delta must"),
        (lambda: Odometer(delta=math.nan), "delta must"),
        (lambda: Odometer(delta=1e-6, near=-1), "near must"),
        (lambda: Odometer(delta=1e-6, relation=untyped("rows")), "relation must be AddRemove"),
        (lambda: Odometer(delta=1e-6).spend(untyped(0.1)), "spend takes events"),
        (
            lambda: Odometer(delta=1e-6).spend(
                ev.FixedSizeSubsampled(ev.Laplace(scale=1), size=1, population=100)
            ),
            "write relation=sf.privacy.Substitute()",
        ),
    ],
)
def test_bad_input_is_one_sentence(call: Callable[[], Any], part: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
