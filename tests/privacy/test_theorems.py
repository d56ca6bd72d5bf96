"""Composition theorems against their figures, against enumeration, and against wrong twins."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from sfumato.numeric import Enclosure, Ln, as_ball, working_precision
from sfumato.privacy.theorems import (
    advanced_composition,
    azuma_tail,
    azuma_threshold,
    basic_composition,
    bounded_range_delta,
    bounded_range_epsilon,
    bounded_range_zcdp,
    optimal_delta,
    optimal_epsilon,
    pure_to_zcdp,
    tight_advanced_composition,
)
from sfumato.privacy.theorems.certified import crossing_above_zero, rounded_up

FEW = st.integers(1, 60)
EPSILONS = st.fractions(Fraction(1, 100), 2, max_denominator=100)
DELTAS = st.sampled_from([Fraction(1, 10**n) for n in (1, 3, 6, 9)])
ODDS = st.fractions(Fraction(21, 20), 8, max_denominator=20)


def close(enclosure: Enclosure, figure: float, *, digits: int = 12) -> bool:
    """Whether an enclosure is tight and holds a figure printed with so many digits."""
    unit = 10.0 ** (math.floor(math.log10(figure)) + 1 - digits)
    tight = enclosure.width <= 1e-15 * enclosure.upper
    return tight and enclosure.lower - unit <= figure <= enclosure.upper + unit


@given(st.fractions(0, 10**6), st.integers(1, 10**9))
def test_bounds_hold_as_floats_and_as_the_decimals_they_print(
    number: Fraction, divisor: int
) -> None:
    value = number / divisor
    with working_precision(128):
        found = [rounded_up(value), rounded_up(as_ball(value))]
    for bound in found:
        assert value <= Fraction(repr(bound))
        assert value <= bound <= float(value) + 2 * math.ulp(float(value))


# --- Azuma's inequality (M-DIV-6) ---------------------------------------------------------------


def rademacher_tail(steps: int, threshold: int) -> Fraction:
    """The exact probability that so many fair signs sum to the threshold or more."""
    ways = sum(math.comb(steps, up) for up in range(steps + 1) if 2 * up - steps >= threshold)
    return Fraction(ways, 2**steps)


def test_azuma_holds_for_fair_signs_and_a_wrong_constant_does_not() -> None:
    tails = {t: rademacher_tail(100, t) for t in range(1, 101)}
    assert all(tail <= azuma_tail(bounds=[1] * 100, threshold=t) for t, tail in tails.items())
    assert any(tail > math.exp(-(t**2) / 100) for t, tail in tails.items())


def drawn_sums(count: int, steps: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Sums of signs whose mean, given the past, is 1/10 while the sum is positive, and else 0."""
    generator = np.random.default_rng(20_240_601)
    sums = np.zeros(count, dtype=np.int64)
    for _ in range(steps):
        sums += np.where(generator.random(count) < np.where(sums > 0, 0.55, 0.5), 1, -1)
    return sums


def test_azuma_holds_for_an_adaptive_walk_and_a_wrong_constant_does_not() -> None:
    """A true bound is rejected with probability at most 1e-6 (Clopper-Pearson, one side)."""
    count, steps, threshold = 200_000, 100, 40
    reached = int((drawn_sums(count, steps) >= threshold).sum())
    surely = beta.ppf(1e-6, reached, count - reached + 1)
    bound = azuma_tail(bounds=[1] * steps, threshold=threshold, drift=0.1)
    assert surely <= bound
    assert surely > math.exp(-(30**2) / 100), "the twin: without the factor 2"


@given(st.lists(EPSILONS, min_size=1, max_size=20), DELTAS, st.fractions(-1, 1, max_denominator=9))
def test_azuma_s_two_forms_are_inverse(
    bounds: list[Fraction], probability: Fraction, drift: Fraction
) -> None:
    threshold = azuma_threshold(bounds=bounds, probability=probability, drift=drift)
    reached = azuma_tail(bounds=bounds, threshold=Fraction(threshold), drift=drift)
    assert reached <= float(probability) * (1 + 1e-15)
    nearer = Fraction(threshold) - Fraction(1, 10**9)
    assert azuma_tail(bounds=bounds, threshold=nearer, drift=drift) > probability


def test_azuma_for_equal_bounds_is_the_textbook_s() -> None:
    threshold = 100 * 0.1 + 3 * 10 * 2
    assert azuma_tail(bounds=[2] * 100, threshold=threshold, drift=0.1) == pytest.approx(
        math.exp(-(3**2) / 2)
    )
    assert azuma_tail(bounds=[2, 1], threshold=1, drift=[1, 0.5]) == 1.0


# --- basic and advanced composition -------------------------------------------------------------


def test_advanced_composition_s_figures() -> None:
    """M-DIV-6: 100 times 0.1 at 1e-6 is 10 by basic and 6.308231 by advanced composition."""
    assert basic_composition(epsilon=0.1, count=100).epsilon == 10.0
    hundred = advanced_composition(epsilon=0.1, count=100, slack=1e-6)
    assert round(hundred.epsilon, 6) == 6.308231
    assert hundred.delta == pytest.approx(1e-6, rel=1e-15)
    thousand = advanced_composition(epsilon=0.1, count=1000, slack=1e-6)
    tight = tight_advanced_composition(epsilon=0.1, count=1000, slack=1e-6)
    assert round(thousand.epsilon, 4) == 27.1397
    assert round(tight.epsilon, 4) == 21.6184


@given(EPSILONS, FEW, DELTAS)
def test_advanced_composition_is_azuma_s_threshold(
    epsilon: Fraction, count: int, slack: Fraction
) -> None:
    drift = Fraction(math.expm1(epsilon)) * epsilon
    threshold = azuma_threshold(bounds=[epsilon] * count, probability=slack, drift=drift)
    found = advanced_composition(epsilon=epsilon, count=count, slack=slack)
    assert found.epsilon == pytest.approx(threshold, rel=1e-12)


@given(st.lists(EPSILONS, min_size=1, max_size=6), FEW, DELTAS)
def test_a_list_is_composed_like_its_members(
    epsilons: list[Fraction], count: int, slack: Fraction
) -> None:
    """The law: count n is n compositions, in whatever order."""
    for theorem in (advanced_composition, tight_advanced_composition):
        together = theorem(epsilon=epsilons, count=count, slack=slack, delta=Fraction(1, 10**5))
        apart = theorem(epsilon=count * epsilons[::-1], slack=slack, delta=Fraction(1, 10**5))
        assert together.epsilon == pytest.approx(apart.epsilon, rel=1e-15)
        assert together.delta == apart.delta
    assert basic_composition(epsilon=epsilons, count=count).epsilon >= count * sum(epsilons)


def test_deltas_add_up_to_at_most_one() -> None:
    assert basic_composition(epsilon=[1, 2], delta=[0.25, 0.5]).delta == 0.75
    assert advanced_composition(epsilon=1, count=5, slack=0.125, delta=0.125).delta == 0.75
    assert basic_composition(epsilon=1, count=5, delta=0.25).delta == 1.0
    assert basic_composition(epsilon=[Ln(2), 1]).epsilon == pytest.approx(1 + math.log(2))


# --- optimal composition ------------------------------------------------------------------------

OPTIMAL_FIGURES = [
    (0.1, 1000, 1e-5, 17.787128449701),
    (0.1, 1000, 1e-6, 19.344671447993),
    (0.1, 1000, 1e-9, 23.275739916019),
    (Ln(2), 100, 1e-5, 48.409684323176),
    (Ln(2), 100, 1e-6, 51.145737928371),
    (Ln(2), 100, 1e-9, 57.737447857832),
    (0.1, 100, 1e-6, 4.774567588108),
    (0.5, 30, 1e-6, 13.952007539474),
    (1, 10, 1e-6, 9.9999770658207),
    (0.1, 10, 1e-6, 0.999370905722),
    (0.1, 50, 1e-6, 3.17290273402),
    ([0.1, 0.2, 0.3, 0.5], 1, 0.01, 0.99809160040747),
    ([0.1, 0.2, 0.3, 0.5], 1, 1e-3, 1.090263985786),
    ([i / 20 for i in range(1, 13)], 1, 1e-3, 3.5508004856239),
    ([i / 20 for i in range(1, 13)], 1, 1e-6, 3.8992871242966),
]


@pytest.mark.parametrize(("epsilon", "count", "delta", "figure"), OPTIMAL_FIGURES)
def test_optimal_composition_s_figures(
    epsilon: float | list[float], count: int, delta: float, figure: float
) -> None:
    assert close(optimal_epsilon(epsilon=epsilon, count=count, total_delta=delta), figure)


def test_optimal_composition_s_figure_for_delta() -> None:
    found = optimal_delta(epsilon=Ln(2), count=100, total_epsilon=20)
    assert close(found, 0.632390695387)


def enumerated(odds: list[Fraction], factor: Fraction, *, positive_only: bool = True) -> Fraction:
    """δ of randomized response with given odds at ε = ln factor, over all outcomes, exactly."""
    total = Fraction(0)
    for answers in product((True, False), repeat=len(odds)):
        p = math.prod(
            (each if yes else 1) / (1 + each) for each, yes in zip(odds, answers, strict=True)
        )
        q = math.prod(
            (1 if yes else each) / (1 + each) for each, yes in zip(odds, answers, strict=True)
        )
        total += max(p - factor * q, Fraction(0)) if positive_only else p - factor * q
    return total


@given(st.lists(ODDS, min_size=1, max_size=6), st.fractions(1, 9, max_denominator=20))
def test_optimal_composition_is_the_sum_over_all_outcomes(
    odds: list[Fraction], factor: Fraction
) -> None:
    found = optimal_delta(epsilon=[Ln(each) for each in odds], total_epsilon=Ln(factor))
    assert enumerated(odds, factor) in found
    assert found.width <= 1e-15


@pytest.mark.parametrize("hair", [Fraction(-1, 10**12), Fraction(0), Fraction(1, 10**12)])
def test_losses_too_near_to_be_told_apart_in_floats(hair: Fraction) -> None:
    """One of the four losses is ln(3/2), next to the ε that is asked for."""
    odds, factor = [Fraction(2), Fraction(3)], Fraction(3, 2) + hair
    found = optimal_delta(epsilon=[Ln(2), Ln(3)], total_epsilon=Ln(factor))
    assert enumerated(odds, factor) in found
    assert found.width <= 1e-15


@given(ODDS, st.integers(1, 6), st.fractions(1, 9, max_denominator=20))
def test_one_epsilon_repeated_is_the_sum_over_all_outcomes(
    odds: Fraction, count: int, factor: Fraction
) -> None:
    found = optimal_delta(epsilon=Ln(odds), count=count, total_epsilon=Ln(factor))
    assert enumerated([odds] * count, factor) in found


def test_a_sum_without_its_maximum_is_caught() -> None:
    """The twin: leave out the maximum with zero, and the enumeration contradicts it."""
    found = optimal_delta(epsilon=[Ln(2), Ln(3)], total_epsilon=Ln("3/2"))
    odds, factor = [Fraction(2), Fraction(3)], Fraction(3, 2)
    assert enumerated(odds, factor) in found
    assert enumerated(odds, factor, positive_only=False) not in found


@given(st.lists(ODDS, min_size=1, max_size=4), DELTAS, st.fractions(0, 4, max_denominator=9))
def test_steps_that_may_fail(odds: list[Fraction], failure: Fraction, level: Fraction) -> None:
    epsilons = [Ln(each) for each in odds]
    pure = optimal_delta(epsilon=epsilons, total_epsilon=level)
    found = optimal_delta(epsilon=epsilons, total_epsilon=level, delta=failure)
    expected = 1 - (1 - failure) ** len(odds) * (1 - Fraction(pure.upper))
    assert found.upper == pytest.approx(float(expected), rel=1e-12)
    unmet = optimal_epsilon(epsilon=epsilons, total_delta=failure / 2, delta=failure)
    assert unmet == Enclosure(math.inf, math.inf)


@given(st.lists(EPSILONS, min_size=1, max_size=5), st.integers(1, 5), DELTAS)
def test_optimal_composition_is_never_worse_than_the_bounds(
    epsilons: list[Fraction], count: int, delta: Fraction
) -> None:
    """Optimal ≤ basic, and optimal ≤ tight advanced ≤ advanced."""
    best = optimal_epsilon(epsilon=epsilons, count=count, total_delta=delta).upper
    tight = tight_advanced_composition(epsilon=epsilons, count=count, slack=delta)
    assert best <= basic_composition(epsilon=epsilons, count=count).epsilon
    assert best <= tight.epsilon
    assert tight.epsilon <= advanced_composition(epsilon=epsilons, count=count, slack=delta).epsilon


@given(st.lists(EPSILONS, min_size=1, max_size=5), DELTAS)
def test_the_two_ways_to_read_the_optimal_curve_agree(
    epsilons: list[Fraction], delta: Fraction
) -> None:
    level = optimal_epsilon(epsilon=epsilons, total_delta=delta)
    assert optimal_delta(epsilon=epsilons, total_epsilon=Fraction(level.upper)).lower <= delta
    if level.lower > 0:
        assert optimal_delta(epsilon=epsilons, total_epsilon=Fraction(level.lower)).upper >= delta


@given(EPSILONS, FEW, DELTAS)
def test_optimal_composition_is_monotone(epsilon: Fraction, count: int, delta: Fraction) -> None:
    def least(more: Fraction, steps: int, allowed: Fraction) -> Enclosure:
        return optimal_epsilon(epsilon=more, count=steps, total_delta=allowed)

    here = least(epsilon, count, delta)
    assert here.lower <= least(epsilon * 2, count, delta).upper
    assert here.lower <= least(epsilon, count + 1, delta).upper
    assert here.upper >= least(epsilon, count, delta * 2).lower


def test_whole_budgets_are_exact() -> None:
    assert optimal_epsilon(epsilon=0.1, count=100, total_delta=0) == Enclosure(10.0, 10.0)
    assert optimal_delta(epsilon=0.1, count=100, total_epsilon=10) == Enclosure(0.0, 0.0)
    assert optimal_delta(epsilon=Ln(2), count=3, total_epsilon=Ln(8)) == Enclosure(0.0, 0.0)
    assert optimal_delta(epsilon=[Ln(2), 1], total_epsilon=1.7) == Enclosure(0.0, 0.0)
    assert optimal_delta(epsilon=0, count=9, total_epsilon=0) == Enclosure(0.0, 0.0)
    assert optimal_epsilon(epsilon=1, total_delta=0.9) == Enclosure(0.0, 0.0)


def test_a_tie_at_zero_is_answered_within_a_sliver() -> None:
    """δ(0) of these odds is exactly 1/2, which balls alone cannot see."""
    for epsilon in (Ln(3), [Ln(3), Ln(2)]):
        found = optimal_epsilon(epsilon=epsilon, total_delta=0.5)
        assert found.lower == 0
        assert found.upper <= 2**-64


def test_a_function_undecided_at_zero_only_is_searched_above_it() -> None:
    def excess(level: float) -> arb:
        return arb(2).sqrt() ** 2 - 2 if level == 0 else arb(1) - arb(level)

    found = crossing_above_zero(excess, 3.0)
    assert found.lower <= 1 <= found.upper
    assert found.width <= 1e-15


# --- bounded range ------------------------------------------------------------------------------


def range_delta(epsilon: float, count: int, limit: float, top: float) -> float:
    """δ of ``count`` mechanisms with losses ``top`` and ``top - epsilon``, in floats."""
    p = (math.exp(epsilon) - math.exp(top)) / math.expm1(epsilon)
    return math.fsum(
        math.comb(count, lesser)
        * p ** (count - lesser)
        * (1 - p) ** lesser
        * max(0.0, -math.expm1(limit - count * top + lesser * epsilon))
        for lesser in range(count + 1)
    )


@pytest.mark.parametrize(("count", "figure"), [(10, 0.628636838773), (50, 1.53374035292)])
def test_bounded_range_s_figures(count: int, figure: float) -> None:
    found = bounded_range_epsilon(epsilon=0.1, count=count, total_delta=1e-6)
    assert close(found, figure)


@given(st.floats(0.05, 3), st.integers(1, 12), st.floats(0, 0.95))
def test_bounded_range_is_the_worst_over_all_ranges(
    epsilon: float, count: int, share: float
) -> None:
    limit = share * count * epsilon
    found = bounded_range_delta(epsilon=epsilon, count=count, total_epsilon=limit).upper
    tops = np.linspace(0, epsilon, 400, endpoint=False)
    worst = max(range_delta(epsilon, count, limit, float(top)) for top in tops)
    assert worst <= found * (1 + 1e-9) + 1e-15
    assert found <= worst * 1.01 + 1e-6


def test_peaks_taken_at_the_wrong_place_are_caught() -> None:
    """The twin: k in place of k + 1 gives less than the worst range."""
    epsilon, count, limit = 1.0, 5, 2.0
    tops = [(limit + lesser * epsilon) / count for lesser in range(count - 1)]
    wrong = max(range_delta(epsilon, count, limit, top) for top in tops)
    found = bounded_range_delta(epsilon=epsilon, count=count, total_epsilon=limit)
    assert wrong < 0.99 * found.lower


@given(EPSILONS, st.integers(1, 12), DELTAS)
def test_bounded_range_composes_better_than_a_pure_guarantee(
    epsilon: Fraction, count: int, delta: Fraction
) -> None:
    narrow = bounded_range_epsilon(epsilon=epsilon, count=count, total_delta=delta)
    plain = optimal_epsilon(epsilon=epsilon, count=count, total_delta=delta)
    assert narrow.lower <= plain.upper
    more = bounded_range_epsilon(epsilon=epsilon, count=count + 1, total_delta=delta)
    assert narrow.lower <= more.upper


def test_bounded_range_at_the_ends() -> None:
    whole = bounded_range_epsilon(epsilon=0.1, count=10, total_delta=0)
    assert whole == Enclosure(1.0, 1.0)
    assert bounded_range_delta(epsilon=0.1, count=10, total_epsilon=1) == Enclosure(0.0, 0.0)
    assert bounded_range_epsilon(epsilon=0, count=3, total_delta=1e-6) == Enclosure(0.0, 0.0)
    assert bounded_range_zcdp(epsilon=1) == pure_to_zcdp(epsilon=1) / 4
