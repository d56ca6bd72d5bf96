"""Shuffled reports: the figures of hiding among clones, and real shuffles of a few people."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from sfumato.information import hockey_stick
from sfumato.numeric import Ln
from sfumato.privacy.inversion import LossProfile
from sfumato.privacy.loss import TabulatedLosses, TotalLosses
from sfumato.privacy.loss import shuffled as module
from sfumato.privacy.loss.shuffled import binomial, even_splits, shuffled_loss, unanimous_loss

if TYPE_CHECKING:
    from sfumato.privacy.loss import FiniteLoss

    Distribution = list[Fraction]


def delta_of(distribution: FiniteLoss, epsilon: float) -> float:
    """Delta of a distribution of many values, in floats."""
    beyond = distribution.values.mid > epsilon
    gaps = epsilon - distribution.values.mid[beyond]
    return float(distribution.masses.mid[beyond] @ -np.expm1(gaps)) + float(distribution.lost)


# --- published figures ----------------------------------------------------------------------------

#: Population, epsilon, delta, and the epsilon of the shuffle: of any reports, of two answers.
FIGURES = [
    (10**3, "0.5", 1e-6, 0.0705234676, 0.0626865657),
    (10**4, "0.5", 1e-6, 0.0204014551, 0.0181174069),
    (10**4, "1", 1e-6, 0.0530053165, 0.0432061581),
    (10**5, "1", 1e-6, 0.0152820624, 0.0124298975),
    (10**4, "2", 1e-6, 0.1550452425, 0.1143996153),
    (10**5, "3", 1e-6, 0.0927575381, 0.0656272128),
    (10**6, "4", 1e-6, 0.0493070744, 0.0342797677),
]
if os.environ.get("SFUMATO_TEST_PROFILE") == "sweep":
    FIGURES.append((10**6, "1", 1e-8, 0.0061254765, 0.0050116208))
#: Half a unit in the last place of a figure, and how close the distributions are to it as a share.
LAST_PLACE, CLOSE, CLOSE_BELOW = 0.6e-10, 2e-9, 5e-8


@pytest.mark.full
@pytest.mark.parametrize(("population", "epsilon", "delta", "any_way", "two_answers"), FIGURES)
def test_the_distributions_enclose_the_figures(
    population: int, epsilon: str, delta: float, any_way: float, two_answers: float
) -> None:
    """R10 and its neighbours: each bound reaches delta within the last place of the figure."""
    for figure, binary in ((any_way, False), (two_answers, True)):
        distribution = shuffled_loss(Fraction(epsilon), population, binary=binary)
        assert delta_of(distribution.upper, figure - LAST_PLACE) > delta
        assert delta_of(distribution.upper, figure * (1 + CLOSE) + LAST_PLACE) < delta
        assert delta_of(distribution.lower, figure + LAST_PLACE) < delta
        assert delta_of(distribution.lower, figure * (1 - CLOSE_BELOW) - LAST_PLACE) > delta


def test_the_inversion_gives_the_same_figure() -> None:
    """R10, with proven bounds all the way."""
    distribution = shuffled_loss(Fraction(1), 10_000, binary=False, cells=1 << 15)
    upper = LossProfile(TabulatedLosses(distribution.upper)).epsilon(1e-6, 1e-9)
    lower = LossProfile(TabulatedLosses(distribution.lower)).epsilon(1e-6, 1e-9)
    assert lower.lower <= 0.0530053165 + LAST_PLACE
    assert upper.upper >= 0.0530053165 - LAST_PLACE
    assert upper.upper - lower.lower < 1e-7 * upper.upper


def test_a_year_of_shuffles_lies_between_the_composed_distributions() -> None:
    """Coarser cells still enclose what finer ones say."""
    ends = []
    for cells in (1 << 10, 1 << 12):
        distribution = shuffled_loss(Fraction(1), 1_000, binary=True, cells=cells)
        both = [
            LossProfile(TotalLosses({TabulatedLosses(part): 365}))
            for part in (distribution.lower, distribution.upper)
        ]
        ends += [profile.epsilon(1e-6, 1e-6) for profile in both]
    coarse_lower, coarse_upper, fine_lower, fine_upper = ends
    assert coarse_lower.lower <= fine_lower.upper <= fine_upper.lower <= coarse_upper.upper
    assert fine_upper.upper - fine_lower.lower < 2e-5 * fine_upper.upper


# --- a few people, exactly ------------------------------------------------------------------------


def fractions(trials: int, share: Fraction) -> Distribution:
    return [
        math.comb(trials, count) * share**count * (1 - share) ** (trials - count)
        for count in range(trials + 1)
    ]


def convolved(one: Distribution, other: Distribution) -> Distribution:
    result = [Fraction(0)] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            result[i + j] += a * b
    return result


def exact(p: Distribution, q: Distribution, epsilon: Ln) -> Fraction:
    value = hockey_stick(p, q, epsilon=epsilon)
    assert isinstance(value, Fraction)
    return value


def real_shuffle(population: int, odds: Fraction, epsilon: Ln) -> Fraction:
    """The worst delta of shuffled randomized response, over all tables and both directions."""
    right = odds / (1 + odds)
    worst = Fraction(0)
    for ones in range(population):
        others = convolved(fractions(ones, right), fractions(population - 1 - ones, 1 - right))
        p, q = convolved(others, [1 - right, right]), convolved(others, [right, 1 - right])
        worst = max(worst, exact(p, q, epsilon), exact(q, p, epsilon))
    return worst


def clones(population: int, odds: Fraction, share: Fraction) -> tuple[Distribution, Distribution]:
    """The pair of the theorem, outcome by outcome: how many clones, and how many look like one."""
    right = odds / (1 + odds)
    p, q = [], []
    for count, weight in enumerate(fractions(population - 1, share)):
        fair = fractions(count, Fraction(1, 2))
        p += [weight * each for each in convolved(fair, [1 - right, right])]
        q += [weight * each for each in convolved(fair, [right, 1 - right])]
    return p, q


ODDS = st.sampled_from([Fraction(3, 2), Fraction(3), Fraction(8)])
LEVELS = st.fractions(1, 8, max_denominator=40)
FEW = st.integers(1, 8)


@given(FEW, ODDS, LEVELS, st.sampled_from(["two", "any"]))
def test_the_distributions_enclose_the_pair_of_the_theorem(
    population: int, odds: Fraction, level: Fraction, answers: str
) -> None:
    binary = answers == "two"
    share = 2 / (odds + 1) if binary else 1 / odds
    true = float(exact(*clones(population, odds, share), Ln(level)))
    distribution = shuffled_loss(Ln(odds), population, binary=binary, cells=1 << 10)
    assert distribution.upper.lost == 0
    assert delta_of(distribution.lower, math.log(level)) <= true + 1e-13
    assert delta_of(distribution.upper, math.log(level)) >= true - 1e-13
    assert (
        delta_of(distribution.upper, math.log(level))
        - delta_of(distribution.lower, math.log(level))
        < 5e-3
    )


@given(FEW, ODDS, LEVELS)
def test_a_real_shuffle_lies_between_the_clones_and_one_unanimous_table(
    population: int, odds: Fraction, level: Fraction
) -> None:
    epsilon, at = Ln(odds), math.log(level)
    true = float(real_shuffle(population, odds, Ln(level)))
    two_answers = shuffled_loss(epsilon, population, binary=True, cells=1 << 10)
    any_way = shuffled_loss(epsilon, population, binary=False, cells=1 << 10)
    assert delta_of(unanimous_loss(epsilon, population, cells=1 << 10), at) - 1e-13 <= true
    assert true <= delta_of(two_answers.upper, at) + 1e-13
    assert delta_of(two_answers.lower, at) <= delta_of(any_way.upper, at) + 1e-13


def test_the_clones_of_two_answers_tell_more_than_a_real_shuffle() -> None:
    """The theorem is not tight from three people on: a shuffle does not tell who is a clone."""
    odds, level = Fraction(3), Ln(Fraction(11, 10))
    assert real_shuffle(2, odds, level) == exact(*clones(2, odds, Fraction(1, 2)), level)
    assert real_shuffle(3, odds, level) == Fraction(89, 320)
    assert exact(*clones(3, odds, Fraction(1, 2)), level) == Fraction(93, 320)


def one_table(
    population: int, odds: Fraction, categories: int
) -> tuple[Distribution, Distribution]:
    """How many give the second answer when all have the first, and when one has the second."""
    share = 1 / (odds + categories - 1)
    before = fractions(population, share)
    after = convolved(fractions(population - 1, share), [1 - odds * share, odds * share])
    return before, after


@given(FEW, ODDS, LEVELS, st.integers(2, 5))
def test_the_unanimous_distribution_is_that_of_a_table_from_below(
    population: int, odds: Fraction, level: Fraction, categories: int
) -> None:
    true = float(exact(*one_table(population, odds, categories), Ln(level)))
    distribution = unanimous_loss(Ln(odds), population, categories=categories, cells=1 << 12)
    found = delta_of(distribution, math.log(level))
    assert true - 5e-3 <= found <= true + 1e-13


def test_the_unanimous_distribution_would_be_wrong_for_more_answers() -> None:
    """The twin: two answers reveal more than three."""
    p, q = one_table(4, Fraction(3), 3)
    distribution = unanimous_loss(Ln(3), 4)
    assert delta_of(distribution, 0.2) > float(hockey_stick(p, q, epsilon=0.2)) + 0.01


# --- many people ----------------------------------------------------------------------------------


def test_more_people_hide_one_better() -> None:
    """What the groups of clones rest on: at every epsilon delta falls with the population."""
    distributions = [
        shuffled_loss(Fraction(1), n, binary=False, cells=1 << 12) for n in (50, 51, 60, 200)
    ]
    for epsilon in (0.0, 0.1, 0.3, 0.6):
        upper = [delta_of(distribution.upper, epsilon) for distribution in distributions]
        lower = [delta_of(distribution.lower, epsilon) for distribution in distributions]
        assert all(low < high for low, high in zip(lower[1:], upper, strict=False))


def test_groups_of_clones_enclose_what_each_alone_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    fine = shuffled_loss(Fraction(1), 5_000, binary=False, cells=1 << 14)
    monkeypatch.setattr(module, "_MOST_PAIRS", 1 << 14)
    coarse = shuffled_loss(Fraction(1), 5_000, binary=False, cells=1 << 14)
    for epsilon in (0.01, 0.05, 0.08):
        at = delta_of(fine.upper, epsilon)
        assert delta_of(coarse.lower, epsilon) < delta_of(fine.lower, epsilon) < at
        assert at < delta_of(coarse.upper, epsilon) < 1.2 * at


@pytest.mark.parametrize("population", [10**8, 10**13])
def test_a_distribution_for_any_population(population: int) -> None:
    distribution = shuffled_loss(Fraction(12), population, binary=True, cells=1 << 10)
    assert 0 < distribution.upper.values.mid[0] < 12
    assert delta_of(distribution.lower, 1e-4) <= delta_of(distribution.upper, 1e-4)


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 10**120), Fraction(301), Ln(10**200)])
def test_a_distribution_for_any_epsilon(epsilon: Fraction | Ln) -> None:
    """Where no table is made the unshuffled guarantee holds."""
    distribution = shuffled_loss(epsilon, 100, binary=True)
    assert distribution.upper.values.mid[0] >= epsilon
    for part in (distribution.upper, distribution.lower, unanimous_loss(epsilon, 100)):
        found = LossProfile(TotalLosses({TabulatedLosses(part): 3})).epsilon(1e-6, 1e-6)
        assert found.lower <= 3 * float(epsilon) * (1 + 1e-12)


# --- binomial probabilities -----------------------------------------------------------------------


@given(st.integers(0, 3_000), st.fractions(Fraction(1, 1000), Fraction(999, 1000)))
def test_binomial_probabilities_are_right_and_nearly_all(trials: int, share: Fraction) -> None:
    success = arb(share.numerator) / share.denominator
    first, masses = binomial(trials, lambda: success, lambda: 1 - success)
    counts = first + np.arange(masses.size)
    assert masses == pytest.approx(binom.pmf(counts, trials, float(share)), rel=1e-9, abs=1e-300)
    assert binom.cdf(first - 1, trials, float(share)) < 1e-30
    assert binom.sf(counts[-1], trials, float(share)) < 1e-30


def test_even_splits_are_exact_up_to_rounding() -> None:
    counts = np.arange(5.0, 400.0)
    ways = [math.comb(int(each), (int(each) + 1) // 2) / 2 ** int(each) for each in counts]
    assert even_splits(counts) == pytest.approx(ways, rel=1e-13)
