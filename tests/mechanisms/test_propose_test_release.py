"""Propose-test-release: the test, the distance, and the guarantee on all neighbours."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise
from sfumato.mechanisms.estimators.propose_test_release import ProposeTestRelease
from sfumato.mechanisms.estimators.smooth_median import SortedColumn
from sfumato.numeric import as_ball, working_precision
from sfumato.privacy import AddRemove, Person, Substitute
from sfumato.sampling import SeededSource
from tests.mechanisms.noise_checks import NO_POSITIVE_NUMBERS, NO_VALUES, missed, refuses
from tests.mechanisms.small_tables import BOUNDS, greatest_excess, merged
from tests.sampling.scripted import FALSE_ALARM, ScriptedSource, surprise

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import arb

DELTA = Fraction(1, 20)


def median(proposed: Any = 3, epsilon: Any = 1, delta: Any = DELTA) -> ProposeTestRelease:
    return ProposeTestRelease.median(epsilon=epsilon, delta=delta, proposed=proposed, bounds=BOUNDS)


def broken_by(mechanism: ProposeTestRelease, *sizes: int) -> float:
    """A lower bound on the δ that is needed at ε = 1, None being an output of its own."""

    def cells(distribution: Any) -> list[arb]:
        refused, (first, *rest) = distribution.ball(None), merged(distribution)
        return [refused, first - refused, *rest]

    return greatest_excess(mechanism.distribution, sizes, 1, cells)


@pytest.mark.full
@pytest.mark.parametrize("proposed", [0.5, 3, 6, 10])
def test_the_guarantee_on_all_neighbours(proposed: float) -> None:
    assert broken_by(median(proposed), 1, 2, 3, 5) <= DELTA


def test_a_test_that_always_passes_breaks_the_guarantee() -> None:
    """Twin: the distance is not looked at."""
    wrong = median()
    wrong.__dict__["distance"] = lambda _: math.inf
    assert broken_by(wrong, 3) > 2 * DELTA


def test_a_distance_that_jumps_breaks_the_guarantee() -> None:
    """Twin: a distance that grows by ten at each change, as if it had sensitivity 1."""
    wrong, right = median(), median().distance
    wrong.__dict__["distance"] = lambda column: 10 * right(column)
    assert broken_by(wrong, 3, 5) > 2 * DELTA


def test_noise_for_less_than_was_proposed_breaks_the_guarantee() -> None:
    """Twin: the test lets a move by 6 pass, and the noise hides one by 1."""
    wrong = median(6, delta=Fraction(1, 3))
    wrong.__dict__["_noise"] = median(1)._noise  # noqa: SLF001
    assert broken_by(wrong, 3, 5) > Fraction(1, 3)


@given(st.fractions("1/10", 5, max_denominator=10), st.fractions("1/10000", "1/3"))
def test_the_threshold_is_the_least_that_keeps_delta(epsilon: Fraction, delta: Fraction) -> None:
    passing = median(epsilon=2 * epsilon, delta=delta).passing
    noise = DiscreteLaplaceNoise(1 / epsilon)
    with working_precision(192):
        assert noise.tail(passing) <= as_ball(delta)
        assert passing == 1 or noise.tail(passing - 1) > as_ball(delta)


def middle(values: tuple[int, ...]) -> int:
    return sorted(values)[(len(values) - 1) // 2]


def moves_more(values: tuple[int, ...], bound: int, top: int) -> bool:
    neighbours = [
        (*values[:i], new, *values[i + 1 :]) for i in range(len(values)) for new in range(top + 1)
    ]
    return any(abs(middle(each) - middle(values)) > bound for each in neighbours)


@pytest.mark.parametrize("values", [(1,), (2, 2, 2), (0, 1, 3), (1, 1, 3), (0, 0, 1, 3)])
@pytest.mark.parametrize("bound", [0, 1, 2, 3])
def test_the_distance_by_trying_all_tables(values: tuple[int, ...], bound: int) -> None:
    away = [
        sum(a != b for a, b in zip(each, values, strict=True))
        for each in product(range(4), repeat=len(values))
        if moves_more(each, bound, 3)
    ]
    column = SortedColumn(np.array(sorted(values)), 0, 3)
    assert column.distance_to(bound) == min(away, default=None)


def test_values_and_refusals_follow_the_distribution() -> None:
    mechanism = median(1, epsilon=4)
    values = [3, 4, 4, 4, 5]
    distribution = mechanism.distribution(values)
    source = SeededSource(6)
    found = [mechanism.release(values, source=source).value for _ in range(1000)]
    below = sum(each is not None and each <= 4 for each in found)
    counts = [found.count(None), below, len(found) - found.count(None) - below]
    first, second = distribution.probability(None).upper, distribution.cdf(4).upper
    assert surprise(counts, [first, second - first, 1 - second]) > FALSE_ALARM
    wrong = median(1, epsilon=3).distribution(values).probability(None).upper
    assert surprise(counts, [wrong, second - first, 1 - second + first - wrong]) < FALSE_ALARM


def test_far_from_worse_tables_a_value_is_released() -> None:
    ages = np.repeat(np.arange(20, 80), 100)
    mechanism = ProposeTestRelease.median(epsilon=1, delta=1e-6, proposed=2, bounds=(0, 120))
    distribution = mechanism.distribution(ages)
    assert distribution.probability(None).upper < 1e-6
    assert distribution.cdf(30).upper < 0.01 < 0.99 < distribution.cdf(70).lower
    assert (
        missed(distribution.value, Fraction(49), Fraction(mechanism.error(confidence=0.9))) <= 0.1
    )


def test_with_the_whole_range_proposed_the_test_always_passes() -> None:
    assert median(10).distribution([0, 10]).probability(None).upper < 1e-100


def generic(distance: Callable[[Any], Any], query: Callable[[Any], Any]) -> ProposeTestRelease:
    return ProposeTestRelease(
        epsilon=1, delta=DELTA, proposed=1, distance=distance, query=query, relation=AddRemove()
    )


def raises(_: Any) -> Any:
    message = "a secret"
    raise RuntimeError(message)


@pytest.mark.parametrize("odd", [raises, lambda _: math.nan, lambda _: None, lambda _: "far"])
def test_functions_that_fail_count_as_zero(odd: Any) -> None:
    distribution = generic(odd, odd).distribution([1, 2])
    assert distribution == generic(lambda _: 0, lambda _: 0.0).distribution([])


@pytest.mark.parametrize(
    ("given_out", "counts_as"),
    [
        *((-3, 0), (2.9, 2), (True, 0), (np.timedelta64(3), 0), (Decimal("sNaN"), 0)),
        *((math.inf, 1 << 100), (10**400, 1 << 100), (Decimal("Infinity"), 1 << 100)),
        *((Decimal("3.7"), 3), (np.longdouble(7), 7), (np.array([5]), 5), (np.array([5, 6]), 0)),
    ],
)
def test_distances_are_made_whole(given_out: Any, counts_as: int) -> None:
    found = generic(lambda _: given_out, len).distribution([1])
    assert found == generic(lambda _: counts_as, len).distribution([1])


@pytest.mark.parametrize("number", [Decimal("0.5"), np.longdouble(0.5), np.array(0.5), 0.5])
def test_queries_of_all_kinds_of_numbers(number: Any) -> None:
    assert generic(len, lambda _: number).distribution([1]) == generic(
        len, lambda _: Fraction(1, 2)
    ).distribution([1])


@pytest.mark.parametrize("epsilon", [1e-12, 1e6])
def test_an_infinite_distance_passes(epsilon: float) -> None:
    assert median(10, epsilon, "1e-300").distribution([0, 10]).probability(None).upper < 1e-300


@pytest.mark.parametrize("epsilon", [1e-13, 1e-18, 1e7, 1e10])
def test_an_epsilon_out_of_reach_is_refused_when_the_mechanism_is_made(epsilon: float) -> None:
    assert "epsilon must be from" in refuses(lambda: median(epsilon=epsilon))


def test_an_interrupt_passes_through() -> None:
    def interrupted(_: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generic(interrupted, len).release([1])


def test_events_and_groups() -> None:
    mechanism = median(delta=1e-6)
    assert mechanism.event.parameters == {"epsilon": 1, "delta": Fraction(1, 10**6)}
    assert mechanism.guarantee_at(2).delta(epsilon=2) == pytest.approx(3.71828182846e-6)
    assert str(mechanism.guarantee.relation) == "substitute one row"
    refuses(lambda: mechanism.event_at(0))


@pytest.mark.parametrize("values", [*NO_VALUES, [], 3, [[1, 2]]])
def test_values_that_are_no_numbers_are_refused_by_type(values: Any) -> None:
    refuses(lambda: median().release(values, source=ScriptedSource()))


@pytest.mark.parametrize("wrong", NO_POSITIVE_NUMBERS)
def test_wrong_parameters_are_refused(wrong: Any) -> None:
    refuses(lambda: median(epsilon=wrong))
    refuses(lambda: median(delta=wrong))
    refuses(lambda: median(proposed=wrong))


@pytest.mark.parametrize("relation", [AddRemove(), Substitute(2), Substitute(unit=Person()), None])
def test_relations_without_a_proof_are_refused(relation: Any) -> None:
    refuses(
        lambda: ProposeTestRelease.median(
            epsilon=1, delta=DELTA, proposed=1, bounds=BOUNDS, relation=relation
        )
    )


def test_medians_of_equal_parameters_are_equal() -> None:
    assert median() == median()
    assert hash(median()) == hash(median())
    assert median(3) != median(4)


def test_functions_are_asked_for() -> None:
    wrong: Any = 3
    refuses(lambda: generic(wrong, len))
    refuses(lambda: generic(len, wrong))
