"""Distributions on whole numbers: infinitely many outcomes are decided by finitely many."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.audit.comparison import read_claim
from sfumato.audit.enclosed import compare_distributions, is_distribution
from sfumato.audit.enclosed.countable import SummedComparison
from sfumato.audit.enclosed.discrete_noise import ShapedComparison, gap_runs
from sfumato.mechanisms import ExponentialMedian
from sfumato.mechanisms.distributions.integers import (
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    IntegerDistribution,
)
from sfumato.mechanisms.noise.staircase import StaircaseNoise
from sfumato.numeric import Ln

rates = st.fractions(min_value=Fraction(1, 2), max_value=3, max_denominator=10)
shifts = st.integers(-25, 25)
levels = st.fractions(min_value=0, max_value=3, max_denominator=8)
orders = st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(5)])


@st.composite
def straight(draw: Any) -> Any:
    """Noise that is geometric, or in stairs."""
    rate, width = draw(rates), draw(st.integers(1, 4))
    stairs = StaircaseNoise(rate, width, draw(st.integers(1, width)))
    return draw(st.sampled_from([DiscreteLaplaceNoise(1 / rate), stairs]))


def bent() -> Any:
    return st.builds(DiscreteGaussianNoise, st.fractions(1, 5, max_denominator=4))


def noises() -> Any:
    """Noise of any shape."""
    return st.one_of(straight(), bent())


#: Beyond it no noise of these tests has a probability of 1e-12.
_WINDOW = 250


def window(p: IntegerDistribution, q: IntegerDistribution) -> list[tuple[float, float]]:
    """The probabilities of the outcomes around both centres, as floats."""
    masses = [float(p.noise.mass(k)) for k in range(_WINDOW + abs(q.centre - p.centre) + 1)]
    low, high = sorted((p.centre, q.centre))
    outcomes = range(low - _WINDOW, high + _WINDOW + 1)
    return [(masses[abs(k - p.centre)], masses[abs(k - q.centre)]) for k in outcomes]


@given(straight(), shifts)
def test_the_greatest_ratio_is_that_of_all_outcomes(noise: Any, shift: int) -> None:
    """M-DEF-2: by brute force over a window, where floats can tell."""
    p, q = IntegerDistribution(noise, 0), IntegerDistribution(noise, shift)
    found = compare_distributions(p, q).least_epsilon(Fraction(0)).exact
    seen = max(math.log(a / b) for a, b in window(p, q) if a > 1e-250 and b > 1e-250)
    assert found is not None
    assert float(found) == pytest.approx(seen, rel=1e-9, abs=1e-9)


@given(bent(), shifts.filter(bool))
def test_ratios_of_bent_noise_that_is_shifted_have_no_end(noise: Any, shift: int) -> None:
    """The farther out, the greater: at the last outcome that floats tell of, it is beyond 1."""
    p, q = IntegerDistribution(noise, 0), IntegerDistribution(noise, shift)
    found = compare_distributions(p, q).least_epsilon(Fraction(0)).bounds
    assert found.lower == found.upper == math.inf
    assert max(math.log(a / b) for a, b in window(p, q) if a > 1e-250 and b > 1e-250) > 1


@given(noises(), shifts, levels)
def test_the_excess_is_the_sum_over_all_outcomes(noise: Any, shift: int, epsilon: Fraction) -> None:
    p, q = IntegerDistribution(noise, 0), IntegerDistribution(noise, shift)
    factor = math.exp(epsilon)
    summed = sum(max(0.0, a - factor * b) for a, b in window(p, q))
    found = compare_distributions(p, q).least_delta(epsilon).bounds
    assert found.lower <= summed + 1e-12
    assert found.upper >= summed - 1e-12
    assert found.width < 1e-12


@given(noises(), st.integers(-3, 3), orders)
def test_renyi_divergences_are_sums_over_all_outcomes(
    noise: Any, shift: int, order: Fraction
) -> None:
    p, q = IntegerDistribution(noise, 0), IntegerDistribution(noise, shift)
    alpha = float(order)
    total = sum(
        math.exp(alpha * math.log(a) + (1 - alpha) * math.log(b))
        for a, b in window(p, q)
        if a > 1e-300 and b > 1e-300
    )
    found = compare_distributions(p, q).renyi(order).bounds
    assert found.upper == pytest.approx(math.log(total) / (alpha - 1), rel=1e-6, abs=1e-8)
    assert found.width < 1e-9


@settings(max_examples=25)
@given(noises(), shifts, levels)
def test_two_ways_to_the_excess_agree(noise: Any, shift: int, epsilon: Fraction) -> None:
    """By stretches, and outcome by outcome with certified tails."""
    p, q = IntegerDistribution(noise, 0), IntegerDistribution(noise, shift)
    one = compare_distributions(p, q).least_delta(epsilon).bounds
    other = SummedComparison(p, q, Fraction(1), effort=256).least_delta(epsilon).bounds
    assert one.lower <= other.upper
    assert other.lower <= one.upper


@given(noises(), shifts, levels)
def test_verdicts_are_never_at_odds_with_the_curve(
    noise: Any, shift: int, epsilon: Fraction
) -> None:
    """A δ a little above the curve is proved and one a little below is refuted by an event."""
    p, q = IntegerDistribution(noise, 0), IntegerDistribution(noise, shift)
    compared = compare_distributions(p, q)
    bounds = compared.least_delta(epsilon).bounds
    assume(bounds.lower > 1e-6)
    over, under = (
        Fraction(bounds.upper) * Fraction(101, 100),
        Fraction(bounds.lower) * Fraction(99, 100),
    )
    assert over >= 1 or compared.judge(read_claim(epsilon, over)).holds
    judged = compared.judge(read_claim(epsilon, under))
    assert judged.holds is False
    assert judged.event is not None


@pytest.mark.parametrize("wrong", [Fraction(1, 10**12), Fraction(1, 10**30)])
def test_ties_of_geometric_noise_are_decided(wrong: Fraction) -> None:
    noise = DiscreteLaplaceNoise(Fraction(10))
    compared = compare_distributions(IntegerDistribution(noise, 0), IntegerDistribution(noise, 1))
    assert compared.judge(read_claim("0.1")).holds
    assert compared.judge(read_claim(Fraction(1, 10) - wrong)).holds is False


def test_a_stair_shifted_by_a_part_of_its_width_is_decided() -> None:
    """Its log-ratio repeats itself for ever and is constant nowhere: two of the outcomes decide."""
    noise = StaircaseNoise(Fraction(1, 2), width=10, tread=4)
    compared = compare_distributions(IntegerDistribution(noise, 0), IntegerDistribution(noise, 3))
    assert compared.least_epsilon(Fraction(0)).exact == Fraction(1, 2)
    assert compared.judge(read_claim(0.5)).holds
    assert compared.judge(read_claim(0.499)).holds is False


def test_stairs_of_a_million_steps_take_no_longer() -> None:
    noise = StaircaseNoise(Fraction(1), width=10**12, tread=3 * 10**11)
    compared = compare_distributions(
        IntegerDistribution(noise, 0), IntegerDistribution(noise, 10**12)
    )
    assert compared.least_epsilon(Fraction(0)).exact == 1


def test_noise_scaled_by_the_data_is_refuted_at_every_epsilon() -> None:
    """Discrete Laplace noise of two scales: the wider one's tail gives the table away."""
    wide, narrow = (IntegerDistribution(DiscreteLaplaceNoise(Fraction(b)), 0) for b in (2, 1))
    assert compare_distributions(wide, narrow).least_epsilon(Fraction(0)).bounds.lower == math.inf
    judged = compare_distributions(wide, narrow).judge(read_claim(30))
    assert judged.holds is False
    back = compare_distributions(narrow, wide)
    ratio = math.log(math.tanh(1 / 2) / math.tanh(1 / 4))
    assert back.least_epsilon(Fraction(0)).bounds.upper == pytest.approx(ratio)
    assert back.judge(read_claim(0.7)).holds


def test_discrete_gaussians_of_two_widths_are_summed_up() -> None:
    p, q = (IntegerDistribution(DiscreteGaussianNoise(Fraction(s)), 0) for s in (2, 3))
    compared = compare_distributions(p, q)
    summed = sum(max(0.0, float(p.ball(k)) - float(q.ball(k))) for k in range(-60, 61))
    assert compared.least_delta(Fraction(0)).bounds.upper == pytest.approx(summed, abs=1e-12)
    assert compared.judge(read_claim(0, 1e-3)).holds is False
    assert compared.judge(read_claim(1)).holds is None


def test_a_distribution_of_another_making_is_judged_by_what_it_offers() -> None:
    class Geometric:
        """Known by its probabilities alone."""

        def __init__(self, centre: int) -> None:
            self._distribution = IntegerDistribution(DiscreteLaplaceNoise(Fraction(1)), centre)
            self.ball, self.cumulative = self._distribution.ball, self._distribution.cumulative

    compared = compare_distributions(Geometric(0), Geometric(1))
    assert is_distribution(Geometric(0))
    assert compared.judge(read_claim(1)).holds is None
    assert compared.judge(read_claim(1, 1e-9)).holds
    assert compared.judge(read_claim(0.9)).holds is False


@given(st.lists(st.integers(0, 10), max_size=8), st.integers(0, 10), rates)
def test_medians_on_a_grid_are_decided_by_their_stretches(
    rows: list[int], row: int, epsilon: Fraction
) -> None:
    """Exactly: the greatest ratio over all points of the grid, by their own probabilities."""
    median = ExponentialMedian(epsilon=epsilon, bounds=(0, 10))
    p, q = median.distribution(rows), median.distribution([*rows, row])
    found = compare_distributions(p, q).least_epsilon(Fraction(0)).bounds
    points = [k * p.step for k, _, _ in (*p.stretches, *q.stretches)]
    seen = max(math.log(float(p.ball(float(x)) / q.ball(float(x)))) for x in points)
    assert found.upper == pytest.approx(max(0.0, seen), abs=1e-9)
    assert compare_distributions(p, q).judge(read_claim(epsilon)).holds


def test_shapes_of_another_step_or_bend_have_no_runs() -> None:
    straight = IntegerDistribution(DiscreteLaplaceNoise(Fraction(1)), 0)
    bent = IntegerDistribution(DiscreteGaussianNoise(Fraction(1)), 0)
    assert gap_runs(straight.shape, bent.shape) is None
    assert isinstance(compare_distributions(straight, bent), SummedComparison)
    assert isinstance(compare_distributions(bent, bent), ShapedComparison)
    assert compare_distributions(bent, bent).judge(read_claim(Ln(1))).holds
