"""Laws of entropy (M-INFO-1, M-INFO-2) as properties of random tables."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.information import (
    Joint,
    conditional_entropy,
    cross_entropy,
    entropy,
    joint_entropy,
    kl_divergence,
    mutual_information,
    renyi_divergence,
)
from tests.information.strategies import ORDERS, counts, float_pairs, tables

CLOSE = 1e-9


@given(st.integers(1, 7).flatmap(counts), ORDERS)
def test_entropy_lies_between_zero_and_hartley(drawn: list[int], order: float) -> None:
    assert 0 <= entropy(drawn, order=order) <= entropy(drawn, order=0) + CLOSE


@given(st.integers(1, 7).flatmap(counts), ORDERS, ORDERS)
def test_entropy_falls_with_the_order(drawn: list[int], one: float, other: float) -> None:
    low, high = sorted([one, other])
    assert entropy(drawn, order=high) <= entropy(drawn, order=low) + CLOSE


@given(st.integers(1, 7).flatmap(counts), ORDERS)
def test_entropy_is_the_distance_from_uniform(drawn: list[int], order: float) -> None:
    uniform = [1] * len(drawn)
    gap = math.log2(len(drawn)) - entropy(drawn, order=order)
    assert renyi_divergence(drawn, uniform, order=order, base=2) == pytest.approx(gap, abs=CLOSE)


@given(st.integers(1, 7).flatmap(counts), st.floats(1e-12, 1e-5))
def test_order_one_is_approached_without_losing_digits(drawn: list[int], step: float) -> None:
    """The slope at order 1 is minus half the variance of the information, in nats."""
    p = np.array(drawn) / sum(drawn)
    p = p[p > 0]
    slope = -0.5 * (np.dot(p, np.log(p) ** 2) - np.dot(p, np.log(p)) ** 2)
    near = entropy(drawn, order=1 + step, base=math.e)
    shannon = entropy(drawn, base=math.e)
    assert near == pytest.approx(shannon + step * slope, abs=50 * step**2 + 1e-14)


@given(float_pairs())
def test_cross_entropy_is_entropy_plus_divergence(pair: tuple[list[float], list[float]]) -> None:
    p, q = pair
    total = entropy(p) + kl_divergence(p, q, base=2)
    assert cross_entropy(p, q) == pytest.approx(total, abs=CLOSE)


@given(tables())
def test_chain_rules(table: Any) -> None:
    joint = Joint(table, variables=["x", "y", "z"])
    whole = joint_entropy(joint)
    parts = (
        joint_entropy(joint, variables="z")
        + conditional_entropy(joint, of="y", given="z")
        + conditional_entropy(joint, of="x", given=["y", "z"])
    )
    assert whole == pytest.approx(parts, abs=CLOSE)
    both = mutual_information(joint, between=("x", ["y", "z"]))
    steps = mutual_information(joint, between=("x", "y")) + mutual_information(
        joint, between=("x", "z"), given="y"
    )
    assert both == pytest.approx(steps, abs=CLOSE)


@given(tables(dimensions=2))
def test_mutual_information_is_a_divergence_from_independence(table: Any) -> None:
    product = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum() ** 2
    expected = kl_divergence(table / table.sum(), product, base=2)
    assert mutual_information(table) == pytest.approx(expected, abs=CLOSE)


@given(tables(), ORDERS)
def test_knowing_more_never_raises_uncertainty(table: Any, order: float) -> None:
    joint = Joint(table, variables=["x", "y", "z"])
    nothing = joint_entropy(joint, variables="x", order=order)
    some = conditional_entropy(joint, of="x", given="y", order=order)
    more = conditional_entropy(joint, of="x", given=["y", "z"], order=order)
    assert more <= some + CLOSE
    assert some <= nothing + CLOSE


@given(tables(dimensions=2), st.floats(0.05, 40).filter(lambda order: order != 1))
def test_arimoto_against_its_definition(table: Any, order: float) -> None:
    p = table / table.sum()
    outer = sum(sum(each**order for each in column) ** (1 / order) for column in p.T)
    expected = order / (1 - order) * math.log2(outer)
    assert conditional_entropy(table, given=1, order=order) == pytest.approx(expected, abs=1e-7)


def test_min_conditional_entropy_is_the_chance_of_the_best_guess() -> None:
    table = [[3, 1], [1, 3]]
    assert conditional_entropy(table, given=1, order=math.inf) == pytest.approx(-math.log2(3 / 4))
    assert conditional_entropy(table, given=1, order=0) == 1


@pytest.mark.parametrize("base", [2, math.e, 10, 3])
def test_any_base(base: float) -> None:
    assert entropy([1] * 9, base=base) == pytest.approx(math.log(9, base), rel=1e-15)
    assert entropy([1] * 9, base=base, order=2) == pytest.approx(math.log(9, base), rel=1e-15)


def test_extreme_orders_and_tiny_probabilities() -> None:
    p = [1 - 1e-300, 1e-300]
    assert entropy(p) == pytest.approx(1e-300 * 300 * math.log2(10), rel=1e-12)
    assert entropy([1e-6] * 10**6, order=500) == pytest.approx(math.log2(1e6), rel=1e-12)
    assert entropy([1e-6] * 10**6, order=1e-9) == pytest.approx(math.log2(1e6), rel=1e-9)
    assert entropy([5e-324, 1.0], order=0) == 1


def test_arimoto_at_the_edges_of_the_orders() -> None:
    table = [[0.2, 0.1, 0.2], [0.1, 0.1, 0.3]]
    shannon = conditional_entropy(table, given=1)
    for step in (1e-15, 1e-13, 1e-9, -1e-15, -1e-9):
        assert conditional_entropy(table, given=1, order=1 + step) == pytest.approx(
            shannon, abs=1e-8
        )
    for order in (1e-300, 1e-12, 1e-5):
        assert conditional_entropy(table, given=1, order=order) == pytest.approx(1, abs=1e-4)
    last = conditional_entropy(table, given=1, order=math.inf)
    assert conditional_entropy(table, given=1, order=1e300) == pytest.approx(last)


def test_orders_without_end() -> None:
    assert entropy([1e-3] * 1000, order=1e308) == pytest.approx(math.log2(1000))
    assert renyi_divergence([0.9, 0.1], [0.1, 0.9], order=1e308) == pytest.approx(math.log(9))


def test_no_negative_zero() -> None:
    for order in (0, 0.5, 1, 2, math.inf):
        assert math.copysign(1, entropy([1.0], order=order)) == 1


def test_a_certain_outcome_has_no_entropy() -> None:
    for order in (0, 0.3, 1, 2, 30, math.inf):
        assert entropy([1, 0, 0], order=order) == 0
        assert entropy([Fraction(1)], order=order) == 0
