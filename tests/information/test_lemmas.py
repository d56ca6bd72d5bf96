"""Lemma 3.17 made constructive (M-DIV-4), lemma 3.18 and the tighter bound (M-DIV-5)."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.errors import InternalError
from sfumato.information import (
    Distribution,
    bounded_neighbour,
    bounded_pair,
    hockey_stick,
    kl_bounds,
    kl_divergence,
    lemmas,
    max_divergence,
    statistical_distance,
)
from sfumato.numeric import Ln
from tests.information.strategies import EPSILONS, float_pairs, rational_pairs
from tests.refusing import raises_code

Rationals = tuple[list[Fraction], list[Fraction]]
FACTORS = st.fractions(min_value=1, max_value=8, max_denominator=50)


@given(rational_pairs(), FACTORS)
def test_part_one_meets_the_lemma(pair: Rationals, factor: Fraction) -> None:
    found = bounded_neighbour(*pair, epsilon=Ln(factor))
    ratio = max_divergence(found.distribution, pair[1], witness=True).ratio
    assert ratio <= factor
    assert statistical_distance(pair[0], found.distribution) == found.distance
    # The lemma is an equivalence: no Y' is nearer than the least δ with D_∞^δ ≤ ε.
    assert found.distance == hockey_stick(*pair, epsilon=Ln(factor))
    assert sum(found.distribution.fractions) == 1


@given(rational_pairs(), FACTORS)
def test_part_two_meets_the_lemma_both_ways(pair: Rationals, factor: Fraction) -> None:
    found = bounded_pair(*pair, epsilon=Ln(factor))
    for one, other in ((found.p, found.q), (found.q, found.p)):
        assert max_divergence(one, other, witness=True).ratio <= factor
    both = [
        hockey_stick(*pair, epsilon=Ln(factor)),
        hockey_stick(*reversed(pair), epsilon=Ln(factor)),
    ]
    assert found.delta == max(both)
    allowed = found.delta / (factor + 1)
    assert statistical_distance(pair[0], found.p) <= allowed
    assert statistical_distance(pair[1], found.q) <= allowed
    assert found.distance == allowed


@given(float_pairs(), EPSILONS)
def test_floats_and_irrational_factors(
    pair: tuple[list[float], list[float]], epsilon: float
) -> None:
    exact = [Distribution(each).fractions for each in pair]
    one = bounded_neighbour(*pair, epsilon=epsilon)
    assert max_divergence(one.distribution, exact[1], witness=True).ratio <= Fraction(
        math.exp(epsilon)
    ) * (1 + Fraction(1, 2**52))
    assert float(one.distance) == pytest.approx(
        float(hockey_stick(*exact, epsilon=epsilon)), abs=1e-30
    )
    two = bounded_pair(*pair, epsilon=epsilon)
    assert hockey_stick(two.p, two.q, epsilon=epsilon) == 0
    assert hockey_stick(two.q, two.p, epsilon=epsilon) == 0


def test_a_wrong_construction_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: give the mass back where it was cut, and the check must fail."""
    monkeypatch.setattr(lemmas, "_filled", lambda cut, caps, amount: [cut[0] + amount, *cut[1:]])
    with raises_code("E-INTERNAL", match="does not meet its claim", kind=InternalError):
        bounded_neighbour([3, 1], [1, 1], epsilon=Ln("5/4"))


def test_labels_are_kept() -> None:
    found = bounded_neighbour({"a": 3, "b": 1}, {"b": 1, "a": 1}, epsilon=0)
    assert found.distribution == Distribution({"a": 1, "b": 1})


@given(rational_pairs())
def test_kl_bounds_hold_for_any_close_pair(pair: Rationals) -> None:
    ratio = max(max_divergence(*each, witness=True).ratio for each in (pair, pair[::-1]))
    assume(ratio < math.inf)
    bounds = kl_bounds(Ln(ratio))
    assert kl_divergence(*pair) <= bounds.tight * (1 + 1e-14) + 1e-15
    assert bounds.tight <= bounds.textbook


@given(st.fractions(min_value=1, max_value=50, max_denominator=99))
def test_the_tight_bound_is_attained_by_randomized_response(ratio: Fraction) -> None:
    truth = ratio / (1 + ratio)
    kl = kl_divergence([truth, 1 - truth], [1 - truth, truth])
    assert kl == pytest.approx(kl_bounds(Ln(ratio)).tight, rel=1e-12, abs=1e-15)


def test_bounds_in_bits() -> None:
    assert kl_bounds(Ln(2), base=2).textbook == pytest.approx(1)
