"""M-DIV-2: the δ-approximate max divergence decides no more than it needs to, and ends."""

from __future__ import annotations

import math

import pytest
from flint import arb

from sfumato import information
from sfumato.information.continuous import (
    ContinuousDistribution,
    Gaussian,
    Laplace,
    Logistic,
    Mixture,
    measures,
)
from sfumato.information.continuous.pairs import BallPair
from sfumato.information.continuous.region import Work, excess_mass, least_level

SAMPLED = Mixture([0.75, 0.25], [Gaussian(0, 1), Gaussian(1, 1)])
PAIRS = [(SAMPLED, Gaussian(0, 1)), (Gaussian(0, 1), Laplace(1, 1)), (Logistic(0, 1), SAMPLED)]


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_a_decision_takes_less_work_than_the_figure(
    p: ContinuousDistribution, q: ContinuousDistribution
) -> None:
    pair = BallPair(p, q)
    whole, decision = Work(6000), Work(6000)
    figure = excess_mass(pair, arb(0.125), work=whole)
    decided = excess_mass(pair, arb(0.125), against=figure * 2, work=decision)
    assert decided <= figure * 2
    assert decided.overlaps(figure)
    assert 6000 - decision.left < (6000 - whole.left) / 2


@pytest.mark.full
@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_when_the_work_is_spent_the_bounds_are_wider_and_right(
    p: ContinuousDistribution, q: ContinuousDistribution, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = information.max_divergence(p, q, delta=1e-5)
    monkeypatch.setattr(measures, "Work", lambda: Work(200))
    found = information.max_divergence(p, q, delta=1e-5)
    assert found.lower <= whole.lower <= whole.upper <= found.upper
    assert whole.width < 1e-11 < found.width


@pytest.mark.parametrize(
    ("p", "q", "near"),
    [
        (Laplace(0.1, 1e-40), Gaussian(0, 1), 92.3297162560),
        (Gaussian(0, 1e-150), Gaussian(0, 1e150), 690.774966606),
    ],
    ids=["narrow for its place", "spreads 300 orders apart"],
)
def test_distributions_of_unlike_scale_are_told_apart_at_once(
    p: ContinuousDistribution, q: ContinuousDistribution, near: float
) -> None:
    """The first took minutes, the second one: the line is now cut by size, not by length."""
    found = information.max_divergence(p, q, delta=1e-5)
    assert found.lower == pytest.approx(near, abs=1e-8)
    assert found.width < 1e-9
    above = information.hockey_stick(p, q, epsilon=found.upper)
    assert above.lower <= 1e-5 <= information.hockey_stick(p, q, epsilon=found.lower).upper


def test_an_undecided_stretch_is_closed_in_from_both_sides() -> None:
    """Between 1 and 3 this excess says nothing: the bounds close in on that stretch."""

    def excess(level: arb) -> arb:
        if level < 1:
            return arb(0.75)
        return arb(0.25) if level > 3 else arb(0.5, 0.25)

    low, high = least_level(excess, arb(0.5))
    assert 1 - 1e-12 < low < 1
    assert 3 < high < 3 + 1e-12


def test_almost_equal_distributions_start_from_the_bound_that_holds_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measures, "Work", lambda: Work(100))
    near = Mixture([1, 1], [Gaussian(0, 1), Gaussian(1 + 1e-9, 1)])
    far = Mixture([1, 1], [Gaussian(0, 1), Gaussian(1, 1)])
    found = information.max_divergence(far, near, delta=1e-12)
    assert -1.1e-12 < found.lower <= 0
    assert found.upper < 1


def test_no_level_in_range_leaves_the_end_open() -> None:
    low, high = least_level(lambda level: arb(0) if level > 1e9 else arb(1), arb(0.5))
    assert float(low) == 4096
    assert float(high) == math.inf
