"""Permute-and-flip: its figures, its distribution against all subsets, its draws."""

from __future__ import annotations

from itertools import combinations
from math import exp, fsum, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanisms.choices.exponential import Exponential
from sfumato.mechanisms.choices.permute_and_flip import PermuteAndFlip
from sfumato.numeric import as_ball, working_precision
from tests.mechanisms.choosing import best_or_not
from tests.sampling.scripted import FALSE_ALARM, ScriptedSource, surprise

ONE = PermuteAndFlip(epsilon=1, sensitivity=1)


@pytest.mark.parametrize(
    ("epsilon", "utilities", "figures"),
    [
        (1, (0, -1, -2), (0.587171669607, 0.266076969832, 0.146751360561)),
        (2, (0, -1, -2), (0.764988327252, 0.175641875858, 0.0593697968903)),
        (1, (0, 0, -3, -5), (0.450657110112, 0.450657110112, 0.0728504168087, 0.0258353629672)),
    ],
)
def test_figures(epsilon: int, utilities: tuple[int, ...], figures: tuple[float, ...]) -> None:
    distribution = PermuteAndFlip(epsilon=epsilon, sensitivity=1).distribution(utilities)
    for outcome, figure in enumerate(figures):
        assert distribution.probability(outcome).upper == pytest.approx(figure, abs=1e-12)


def test_expected_shortfall() -> None:
    distribution = ONE.distribution([0, -1, -2])
    assert sum(i * distribution.probability(i).upper for i in range(3)) == pytest.approx(
        0.559579690954
    )


def over_all_subsets(levels: list[float], index: int) -> float:
    """The distribution as the sum over all subsets of the other candidates."""
    others = [exp(each) for place, each in enumerate(levels) if place != index]
    subsets = (each for size in range(len(levels)) for each in combinations(others, size))
    return exp(levels[index]) * fsum((-1) ** len(s) * prod(s) / (len(s) + 1) for s in subsets)


@given(st.lists(st.integers(-12, 0), max_size=6))
def test_the_distribution_is_that_over_all_subsets(worse: list[int]) -> None:
    utilities = [0, *worse]
    distribution = ONE.distribution(utilities)
    for index in range(len(utilities)):
        expected = over_all_subsets([each / 2 for each in utilities], index)
        assert distribution.probability(index).upper == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.fractions(-1000, 1000, max_denominator=1000), min_size=1, max_size=12))
def test_the_distribution_sums_to_one(utilities: list[Any]) -> None:
    with working_precision(128):
        total = ONE.distribution(utilities).cumulative(len(utilities) - 1)
        assert total.overlaps(as_ball(1))
        assert total.rad() < 1e-30


@given(st.lists(st.integers(-30, 0), min_size=1, max_size=8))
def test_never_worse_than_the_exponential_mechanism(utilities: list[int]) -> None:
    """The best candidate is at least as likely, whatever the others are."""
    best = utilities.index(max(utilities))
    with working_precision(128):
        ours = ONE.distribution(utilities).ball(best)
        theirs = Exponential(epsilon=1, sensitivity=1).distribution(utilities).ball(best)
        assert not ours < theirs


def test_a_large_distribution_takes_no_exponential_time() -> None:
    distribution = ONE.distribution([0, *(299 * [-2])])
    assert distribution.probability(0).upper == pytest.approx(
        (1 - (1 - exp(-1)) ** 300) / (300 * exp(-1))
    )


@pytest.mark.full
def test_draws_follow_the_distribution() -> None:
    """One against ten that accept with probability e^-3; the twin is 5 % off."""
    utilities = [0, *(10 * [-3])]
    seen = best_or_not(PermuteAndFlip(epsilon=2, sensitivity=1), utilities, 10_000)

    def doubt(epsilon: float) -> float:
        best = (
            PermuteAndFlip(epsilon=epsilon, sensitivity=1)
            .distribution(utilities)
            .probability(0)
            .upper
        )
        return surprise(seen, [best, 1 - best])

    assert doubt(2) > FALSE_ALARM
    assert doubt(2.1) < FALSE_ALARM


def test_a_word_at_the_edge_is_decided_by_more_bits() -> None:
    """The worse candidate accepts with probability e^{-1/2}: the first word alone cannot tell."""
    with working_precision(256):
        digits = int((as_ball(-0.5).exp() * 2**128).floor().unique_fmpz() or 0)
    word, rest = divmod(digits, 2**64)
    for more, accepts in ((rest - 1, True), (rest + 1, False)):
        source = ScriptedSource([word, word, 2**64 - 1], integers=[more])
        assert ONE.release([0, -1], source=source).value == int(accepts)
