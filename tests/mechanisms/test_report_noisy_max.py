"""Report noisy max: its distribution by quadrature, its draws, and noise that is known so far."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import laplace

from sfumato.mechanisms.choices.report_noisy_max import ReportNoisyMax
from sfumato.numeric import as_ball, working_precision
from tests.mechanisms.choosing import best_or_not
from tests.sampling.scripted import FALSE_ALARM, ScriptedSource, surprise

if TYPE_CHECKING:
    from collections.abc import Sequence

ONE = ReportNoisyMax(epsilon=1, sensitivity=1)


def by_quadrature(utilities: Sequence[float], index: int, scale: float) -> float:
    """The probability that the noisy utility of one candidate is the greatest."""

    def density(x: float) -> float:
        others = np.delete(np.array(utilities, dtype=float), index)
        wins = np.prod(laplace.cdf(x, loc=others, scale=scale))
        return float(laplace.pdf(x, loc=utilities[index], scale=scale) * wins)

    ends = [-200.0, *sorted(utilities), 200.0]
    return float(sum(quad(density, a, b)[0] for a, b in pairwise(ends)))


@pytest.mark.full
@pytest.mark.parametrize("utilities", [(0, 0), (0, -1, -2), (0, 0, -3, -5), (3, 1, 4, 1, 5, 9, 2)])
def test_the_distribution_by_quadrature(utilities: tuple[int, ...]) -> None:
    distribution = ONE.distribution(utilities)
    for index in range(len(utilities)):
        expected = by_quadrature(utilities, index, 2.0)
        assert distribution.probability(index).upper == pytest.approx(expected, abs=1e-9)


def test_two_candidates_in_closed_form() -> None:
    """The worse of two wins with probability (2 + s)e^{-s}/4, s its shortfall in scales."""
    with working_precision(128):
        shortfall = as_ball(3)
        exact = (2 + shortfall) * (-shortfall).exp() / 4
        assert ONE.distribution([0, -6]).ball(1).overlaps(exact)


@given(st.lists(st.fractions(-1000, 1000, max_denominator=1000), min_size=1, max_size=10))
def test_the_distribution_sums_to_one(utilities: list[Any]) -> None:
    with working_precision(128):
        total = ONE.distribution(utilities).cumulative(len(utilities) - 1)
        assert total.overlaps(as_ball(1))
        assert total.rad() < 1e-25


def test_the_order_of_the_candidates_does_not_matter() -> None:
    with working_precision(128):
        one, other = ONE.distribution([2, 2, 0]), ONE.distribution([0, 2, 2])
        assert one.ball(0).overlaps(other.ball(1))
        assert one.ball(0).overlaps(other.ball(2))


@pytest.mark.full
def test_draws_follow_the_distribution() -> None:
    """One against ten that are worse by three scales; the twin is 5 % off."""
    utilities = [0, *(10 * [-3])]
    seen = best_or_not(ReportNoisyMax(epsilon=2, sensitivity=1), utilities, 10_000)

    def doubt(epsilon: float) -> float:
        best = (
            ReportNoisyMax(epsilon=epsilon, sensitivity=1)
            .distribution(utilities)
            .probability(0)
            .upper
        )
        return surprise(seen, [best, 1 - best])

    assert doubt(2) > FALSE_ALARM
    assert doubt(2.1) < FALSE_ALARM


# --- Noise known only so far: the smaller the uniform number, the greater its positive noise --


@pytest.mark.parametrize(
    ("bits", "winner"),
    [
        ([1, 1, 5 << 60, 1 << 60], 1),
        ([0, 0, 5 << 60, 1 << 60], 0),
        ([1, 0, 5 << 60, 1 << 60], 0),
        ([1, 1, 7 << 60, 7 << 60, 9, 5], 1),
        ([1, 1, 0, 0, 1 << 60, 1 << 61], 0),
        ([0, 0, 0, 0, 1 << 60, 1 << 61], 1),
        ([1, 1, 0, 1 << 60, 5, 5], 0),
    ],
)
def test_bits_are_drawn_until_one_wins(bits: list[int], winner: int) -> None:
    assert ONE.release([0, 0], source=ScriptedSource(integers=bits)).value == winner
