"""Log-space sums and the bracketed search."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numeric import bracket_root, bracket_threshold, log_mean_exp, log_sum_exp
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

EXPONENTS = st.lists(st.floats(-50, 50), min_size=1, max_size=8)


@given(EXPONENTS, st.floats(-600, 600))
def test_log_sum_exp_shifts(exponents: list[float], shift: float) -> None:
    values = np.array(exponents)
    moved = log_sum_exp(values + shift)
    assert moved == pytest.approx(log_sum_exp(values) + shift, abs=1e-9)
    assert log_sum_exp(values) == pytest.approx(math.log(math.fsum(np.exp(values))), abs=1e-12)


def test_log_sum_exp_at_the_edges() -> None:
    assert log_sum_exp(np.array([-math.inf, -math.inf])) == -math.inf
    assert log_sum_exp(np.array([math.inf, 0.0])) == math.inf
    assert log_sum_exp(np.array([5.0]), np.array([0.0])) == -math.inf
    assert log_sum_exp(np.array([1000.0, 0.0]), np.array([0.0, 1.0])) == 0
    assert log_sum_exp(np.array([math.inf, 0.0]), np.array([0.0, 1.0])) == 0
    assert math.isnan(log_sum_exp(np.array([math.nan, 0.0])))


@given(EXPONENTS)
def test_log_mean_exp_agrees_where_both_are_accurate(exponents: list[float]) -> None:
    values = np.array(exponents) / 50
    weights = np.full(len(values), 1 / len(values))
    assert log_mean_exp(values, weights) == pytest.approx(log_sum_exp(values, weights), abs=1e-12)


def test_log_mean_exp_of_nothing_left() -> None:
    assert log_mean_exp(np.array([-math.inf]), np.array([1.0])) == -math.inf


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_the_bracket_holds_the_threshold(threshold: float, reach: float) -> None:
    found = bracket_threshold(lambda x: x >= threshold, threshold - reach, threshold + reach)
    assert found.low < threshold <= found.high
    assert found.high == math.nextafter(found.low, math.inf)


def test_the_search_spans_all_floats() -> None:
    found = bracket_threshold(lambda x: x >= 3, -1.7e308, 1.7e308)
    assert found.low < 3 <= found.high == 3


def test_the_search_stops_at_its_tolerance() -> None:
    found = bracket_threshold(lambda x: x > 1 / 3, 0.0, 1.0, tolerance=0.1)
    assert found.low <= 1 / 3 <= found.high
    assert found.high - found.low <= 0.1


@pytest.mark.parametrize(("low", "high"), [(1.0, 0.0), (0.0, math.inf), (math.nan, 1.0)])
def test_a_bad_bracket_is_refused(low: float, high: float) -> None:
    with raises_code("E-SEARCH-BRACKET"):
        bracket_threshold(lambda x: x > 0.5, low, high)


def test_a_bracket_without_the_threshold_is_refused() -> None:
    with raises_code("E-SEARCH-BRACKET"):
        bracket_threshold(lambda x: x > 0.5, 0.0, 0.2)


#: Functions with their roots: smooth, steep, flat, with a kink, and nearly a step.
ROOTED: dict[str, tuple[Callable[[float], float], float, float, float]] = {
    "smooth": (lambda x: math.exp(x) - 2, -5.0, 5.0, math.log(2)),
    "steep": (lambda x: math.log(x + 1e-12), 0.0, 10.0, 1 - 1e-12),
    "flat": (lambda x: (x - 0.3) ** 9, -1.0, 4.0, 0.3),
    "kink": (lambda x: x if x > 0 else 1e9 * x, -3.0, 1000.0, 0.0),
    "step": (lambda x: math.atan(1e9 * (x - 7.1)), -100.0, 99.0, 7.1),
    "falling": (lambda x: 1 / x - 1e-8, 1e-300, 1e300, 1e8),
}


@pytest.mark.parametrize("kind", ROOTED)
@pytest.mark.parametrize("tolerance", [0.0, 1e-12])
def test_the_bracket_holds_the_root(kind: str, tolerance: float) -> None:
    function, low, high, root = ROOTED[kind]
    found = bracket_root(function, low, high, tolerance=tolerance)
    assert low <= found.low <= found.high <= high
    assert function(found.low) * function(found.high) <= 0
    assert found.high - found.low <= max(2 * tolerance * abs(root), math.ulp(root)) * (1 + 1e-9)
    assert found.low == pytest.approx(root, rel=1e-11, abs=1e-300)


def test_a_root_takes_fewer_steps_than_to_halve() -> None:
    asked: list[float] = []

    def function(x: float) -> float:
        asked.append(x)
        return math.exp(x) - 2

    bracket_root(function, -5.0, 5.0, tolerance=1e-14)
    assert len(asked) <= 15


@pytest.mark.parametrize("root", [0.0, 2.0])
def test_an_end_that_is_the_root_is_found(root: float) -> None:
    found = bracket_root(lambda x: x - root, 0.0, 2.0)
    assert (found.low, found.high) == (root, root)


def test_a_root_needs_two_signs() -> None:
    with raises_code("E-SEARCH-BRACKET"):
        bracket_root(lambda x: x, 1.0, 2.0)
    for low, high in [(2.0, 1.0), (0.0, math.inf), (math.nan, 1.0)]:
        with raises_code("E-SEARCH-BRACKET"):
            bracket_root(lambda x: x, low, high)
