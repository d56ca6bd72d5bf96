"""Divergences (M-DIV-1 to M-DIV-3): brute force over all events, laws, limits."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.information import (
    Distribution,
    hockey_stick,
    kl_divergence,
    max_divergence,
    renyi_divergence,
    statistical_distance,
)
from sfumato.numeric import Ln
from tests.information.strategies import (
    EPSILONS,
    ORDERS,
    channels,
    counts,
    float_pairs,
    fractions_of,
    rational_pairs,
)

CLOSE = 1e-9
Rationals = tuple[list[Fraction], list[Fraction]]
Floats = tuple[list[float], list[float]]
FACTORS = st.fractions(min_value=Fraction(1, 8), max_value=8, max_denominator=50)
DELTAS = st.fractions(min_value=0, max_value=1, max_denominator=60)


def events(pair: Rationals) -> list[tuple[Fraction, Fraction]]:
    """P(S) and Q(S) for every event S."""
    outcomes = list(zip(*pair, strict=True))
    return [
        (sum((a for a, _ in chosen), Fraction(0)), sum((b for _, b in chosen), Fraction(0)))
        for size in range(len(outcomes) + 1)
        for chosen in itertools.combinations(outcomes, size)
    ]


def brute_ratio(pair: Rationals, delta: Fraction) -> Fraction | float:
    """The greatest (P(S) - δ)/Q(S) by trying every event; 0 where none has P(S) > δ."""
    ratios = [(a - delta) / b if b else math.inf for a, b in events(pair) if a > delta]
    return max(ratios, default=0)


@given(rational_pairs(), DELTAS)
def test_approximate_max_divergence_equals_brute_force(pair: Rationals, delta: Fraction) -> None:
    found = max_divergence(*pair, delta=delta, witness=True)
    assert found.ratio == brute_ratio(pair, delta)
    if 0 < found.ratio < math.inf:
        assert found.ratio == (found.p - delta) / found.q
        assert found.p == sum(pair[0][i] for i in found.event)  # type: ignore[call-overload]
        assert found.value == float(Ln(found.ratio))


@given(rational_pairs(), FACTORS)
def test_hockey_stick_equals_brute_force(pair: Rationals, factor: Fraction) -> None:
    expected = max(a - factor * b for a, b in events(pair))
    found = hockey_stick(*pair, epsilon=Ln(factor), witness=True)
    assert found.value == expected
    assert found.p - factor * found.q == expected
    assert hockey_stick(*pair, epsilon=Ln(factor)) == expected
    assert isinstance(found.value, Fraction)


@given(rational_pairs(), EPSILONS)
def test_hockey_stick_at_an_irrational_factor_is_the_nearest_float(
    pair: Rationals, epsilon: float
) -> None:
    with ctx.workprec(300):
        factor = arb(epsilon).exp()
        values = [
            arb(a.numerator) / a.denominator - factor * b.numerator / b.denominator
            for a, b in events(pair)
        ]
        expected = max(float(each) for each in values)
    assert hockey_stick(*pair, epsilon=epsilon) == pytest.approx(expected, rel=2e-16, abs=1e-300)


@given(rational_pairs())
def test_statistical_distance_equals_brute_force_and_half_the_l1(pair: Rationals) -> None:
    found = statistical_distance(*pair)
    assert found == max(a - b for a, b in events(pair))
    assert found == sum(abs(a - b) for a, b in zip(*pair, strict=True)) / 2
    assert found == statistical_distance(*reversed(pair))


@given(rational_pairs(), DELTAS)
def test_the_two_views_of_approximate_privacy_agree(pair: Rationals, delta: Fraction) -> None:
    """D_∞^δ ≤ ε exactly if the hockey-stick at ε is at most δ (remark 3.1)."""
    ratio = max_divergence(*pair, delta=delta, witness=True).ratio
    assume(0 < ratio < math.inf)
    assert hockey_stick(*pair, epsilon=Ln(ratio)) <= delta
    if delta > 0:
        assert hockey_stick(*pair, epsilon=Ln(Fraction(ratio) * Fraction(999, 1000))) > delta


@given(float_pairs(), DELTAS)
def test_floats_agree_with_rationals(pair: Floats, delta: Fraction) -> None:
    exact = tuple(Distribution(each).fractions for each in pair)
    floats = max_divergence(*pair, delta=float(delta))
    if not any(abs(a - delta) < 1e-12 for a, _ in events(exact)):  # type: ignore[arg-type]
        rationals = max_divergence(*exact, delta=delta)
        assert floats == pytest.approx(rationals, abs=1e-7)
    assert hockey_stick(*pair, epsilon=0.3) == pytest.approx(
        float(hockey_stick(*exact, epsilon=0.3)), abs=1e-12
    )


@given(float_pairs(), ORDERS, ORDERS)
def test_renyi_divergence_rises_with_the_order(pair: Floats, one: float, other: float) -> None:
    low, high = sorted([one, other])
    assert renyi_divergence(*pair, order=low) <= renyi_divergence(*pair, order=high) + CLOSE


@given(float_pairs(), st.floats(0.01, 0.99))
def test_renyi_skew_symmetry(pair: Floats, order: float) -> None:
    p, q = pair
    left = renyi_divergence(p, q, order=order) * (1 - order)
    assert left == pytest.approx(renyi_divergence(q, p, order=1 - order) * order, abs=CLOSE)


@given(float_pairs())
def test_pinsker(pair: Floats) -> None:
    assert 2 * float(statistical_distance(*pair)) ** 2 <= kl_divergence(*pair) + CLOSE


@given(st.data(), ORDERS, EPSILONS)
def test_data_processing(data: st.DataObject, order: float, epsilon: float) -> None:
    size = data.draw(st.integers(1, 6))
    p, q = (np.array(fractions_of(data.draw(counts(size))), dtype=float) for _ in range(2))
    channel = data.draw(channels(size))
    after = p @ channel, q @ channel
    assert renyi_divergence(*after, order=order) <= renyi_divergence(p, q, order=order) + CLOSE
    before = float(hockey_stick(p, q, epsilon=epsilon))
    assert float(hockey_stick(*after, epsilon=epsilon)) <= before + CLOSE


@given(st.data(), st.floats(0, 1), st.floats(0, 1), EPSILONS)
def test_joint_convexity(data: st.DataObject, mix: float, order: float, epsilon: float) -> None:
    """Of the hockey-stick always, of the Rényi divergence up to order 1."""
    size = data.draw(st.integers(1, 6))
    p, q, r, s = (np.array(fractions_of(data.draw(counts(size))), dtype=float) for _ in range(4))
    mixed = mix * p + (1 - mix) * r, mix * q + (1 - mix) * s

    def check(divergence: Any) -> None:
        apart = [
            share * divergence(a, b) for share, a, b in ((mix, p, q), (1 - mix, r, s)) if share
        ]
        assert divergence(*mixed) <= sum(apart) + CLOSE

    check(lambda a, b: renyi_divergence(a, b, order=order))
    check(kl_divergence)
    check(lambda a, b: float(hockey_stick(a, b, epsilon=epsilon)))


def test_supports_that_differ() -> None:
    p, q = [0.5, 0.5, 0, 0], [0.25, 0.5, 0.25, 0]
    shared = math.sqrt(0.5 * 0.25) + 0.5
    assert renyi_divergence(p, q, order=0) == pytest.approx(-math.log(0.75), rel=1e-15)
    assert renyi_divergence(q, p, order=0) == 0
    for one, other in ((p, q), (q, p)):
        half = renyi_divergence(one, other, order=0.5)
        assert half == pytest.approx(-2 * math.log(shared), rel=1e-14)
    for order in (1, 1.001, 1.5, 40, math.inf):
        assert math.isfinite(renyi_divergence(p, q, order=order))
        assert renyi_divergence(q, p, order=order) == math.inf


def test_disjoint_supports() -> None:
    p, q = [1.0, 0.0], [0.0, 1.0]
    for order in (0, 0.5, 0.9999, 1, 2, math.inf):
        assert renyi_divergence(p, q, order=order) == math.inf
    assert max_divergence(p, q, delta=0.5) == math.inf
    assert max_divergence(p, q, delta=1) == -math.inf
    assert statistical_distance(p, q) == 1
    assert hockey_stick(p, q, epsilon=math.inf) == 1


def test_orders_and_ratios_at_the_edge_of_floats() -> None:
    p, q = [1e-300, 1 - 1e-300], [5e-324, 1.0]
    expected = math.log(1e-300) - math.log(5e-324)
    assert max_divergence(p, q) == pytest.approx(expected, rel=1e-14)
    assert max_divergence([0.5, 0.5], [5e-324, 1.0]) == pytest.approx(
        -math.log(5e-324) - math.log(2)
    )
    assert renyi_divergence([0.5, 0.5], [5e-324, 1.0], order=300) == pytest.approx(
        -math.log(5e-324) - 300 / 299 * math.log(2), rel=1e-12
    )
    assert hockey_stick([0.5, 0.5], [5e-324, 1.0], epsilon=743) == pytest.approx(
        0.5 - math.exp(743 + math.log(5e-324)), rel=1e-9
    )
    assert hockey_stick([0.5, 0.5], [0.5, 0.5], epsilon=-math.inf) == 1
    assert hockey_stick([1, 1], [1, 1], epsilon=-math.inf) == 1
    assert hockey_stick([1, 1], [1, 0], epsilon=math.inf) == Fraction(1, 2)
    assert hockey_stick([1, 1], [1, 0], epsilon=10.0) == 0.5


def test_close_pairs_keep_their_digits() -> None:
    for step in (1e-5, 1e-7, 1e-9, 1e-12):
        p = [0.5 + step, 0.5 - step]
        gap = p[0] - 0.5
        assert kl_divergence(p, [0.5, 0.5]) == pytest.approx(2 * gap**2, rel=1e-4 + step)
    assert kl_divergence([0.5 + 1e-9, 0.5 - 1e-9, 0.0], [0.5, 0.5, 0.0]) > 0


def test_a_ratio_beyond_the_floats_is_still_finite() -> None:
    p, q = [0.5, 0.5], [5e-324, 1.0]
    plain = max_divergence(p, q)
    assert max_divergence(p, q, witness=True).value == pytest.approx(plain)
    assert max_divergence(p, q, delta=0.1) == pytest.approx(plain + math.log(0.8))
    heavy = [0.1 + 0.2, 0.3, 0.4]  # sums to one and a bit
    assert max_divergence(heavy, [0.1, 0.2, 0.7], delta=1) == -math.inf


def test_enormous_epsilons_are_answered_at_once() -> None:
    p, q = (
        [Fraction(1, 2), Fraction(1, 2), Fraction(0)],
        [Fraction(1, 3), Fraction(0), Fraction(2, 3)],
    )
    for epsilon in (1e3, 1e18, 1e300, Fraction(10**18 + 1, 3)):
        assert hockey_stick(p, q, epsilon=epsilon) == 0.5
        assert hockey_stick(p, q, epsilon=-epsilon) == 1


def test_near_order_one_no_digit_is_lost() -> None:
    p, q = [0.3, 0.7], [0.4, 0.6]
    middle = kl_divergence(p, q)
    for step in (1e-6, 1e-9, 1e-13):
        slope = renyi_divergence(p, q, order=1 + step) - middle
        assert abs(slope) < 0.03 * step + 1e-15


def test_rationals_are_decided_exactly_where_floats_cannot() -> None:
    tiny = Fraction(1, 10**40)
    p = [Fraction(1, 2) + tiny, Fraction(1, 2) - tiny]
    q = [Fraction(1, 2), Fraction(1, 2)]
    assert statistical_distance(p, q) == tiny
    assert max_divergence(p, q, witness=True).ratio == 1 + 2 * tiny
    assert max_divergence(p, q) == pytest.approx(2e-40, rel=1e-12)


def test_mappings_are_matched_by_outcome_not_by_order() -> None:
    p = {"flu": 3, "cold": 1}
    q = {"cold": 3, "flu": 1}
    assert statistical_distance(p, q) == Fraction(1, 2)
    assert max_divergence(p, q, witness=True).event == ("flu",)


def test_identical_distributions_are_at_distance_zero() -> None:
    p = [0.1] * 10
    assert kl_divergence(p, p) == 0
    assert max_divergence(p, p) == 0
    assert statistical_distance(p, p) == 0
