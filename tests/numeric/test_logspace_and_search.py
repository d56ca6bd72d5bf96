"""Log-space sums and the bracketed search."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import InputError
from sfumato.numeric import bracket_threshold, log_mean_exp, log_sum_exp

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
    with pytest.raises(InputError, match="two finite points in order"):
        bracket_threshold(lambda x: x > 0.5, low, high)


def test_a_bracket_without_the_threshold_is_refused() -> None:
    with pytest.raises(InputError, match=r"must fail at 0\.0 and hold at 0\.2; widen"):
        bracket_threshold(lambda x: x > 0.5, 0.0, 0.2)
