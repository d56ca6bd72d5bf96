"""The exponential mechanism: its distribution, its draws, and the range of its losses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.mechanisms.choices.exponential import Exponential
from sfumato.mechanisms.choices.permute_and_flip import PermuteAndFlip
from sfumato.numeric import as_ball, working_precision
from sfumato.sampling import SeededSource
from tests.mechanisms.choosing import NEIGHBOURS, balls, best_or_not
from tests.sampling.scripted import FALSE_ALARM, surprise

if TYPE_CHECKING:
    from sfumato.mechanisms.choices.selection import Selection

ONE = Exponential(epsilon=1, sensitivity=1)


@pytest.mark.parametrize(
    ("epsilon", "utilities", "figures"),
    [
        (1, (0, -1, -2), (0.506480391056, 0.307195885718, 0.186323723226)),
        (2, (0, -1, -2), (0.665240955775,)),
    ],
)
def test_figures(epsilon: int, utilities: tuple[int, ...], figures: tuple[float, ...]) -> None:
    distribution = Exponential(epsilon=epsilon, sensitivity=1).distribution(utilities)
    for outcome, figure in enumerate(figures):
        assert distribution.probability(outcome).upper == pytest.approx(figure, abs=1e-12)


def test_expected_shortfall() -> None:
    distribution = ONE.distribution([0, -1, -2])
    assert sum(i * distribution.probability(i).upper for i in range(3)) == pytest.approx(
        0.67984333217
    )


@pytest.mark.parametrize("worse", [0, 1, 7, 1000])
def test_the_distribution_against_enumeration_m_exp_1(worse: int) -> None:
    """M-EXP-1: of two candidates the better one has probability 1/(1 + e^{-ε·worse/(2Δ)})."""
    distribution = Exponential(epsilon=0.5, sensitivity=3).distribution([10**30, 10**30 - worse])
    with working_precision(128):
        exact = 1 / (1 + (-as_ball(Fraction(worse, 12))).exp())
        assert distribution.ball(0).overlaps(exact)
        assert distribution.ball(0).rad() < 1e-30


@pytest.mark.parametrize(
    "utilities",
    [[1e308, -1e308], [10**400, 0], [5e-324, 0.0], [math.inf, -math.inf], [Fraction(1, 7**99), 0]],
)
def test_no_utility_overflows_m_exp_1(utilities: list[Any]) -> None:
    assert ONE.release(utilities, source=SeededSource(1)).value in {0, 1}
    with working_precision(128):
        assert ONE.distribution(utilities).cumulative(1).overlaps(as_ball(1))


def test_the_better_of_two_far_apart_always_wins() -> None:
    assert {ONE.release([1e308, -1e308]).value for _ in range(20)} == {0}


def test_draws_follow_the_distribution() -> None:
    """One against ten that are e^4 times less likely; the twin is 5 % off."""
    utilities = [0, *(10 * [-4])]
    seen = best_or_not(Exponential(epsilon=2, sensitivity=1), utilities, 9000)

    def doubt(epsilon: float) -> float:
        best = (
            Exponential(epsilon=epsilon, sensitivity=1).distribution(utilities).probability(0).upper
        )
        return surprise(seen, [best, 1 - best])

    assert doubt(2) > FALSE_ALARM
    assert doubt(2.1) < FALSE_ALARM


def losses(mechanism: Selection) -> float:
    """The widest interval of privacy losses over all neighbours of the box."""
    widest = 0.0
    for one, other in NEIGHBOURS:
        pairs = zip(
            balls(mechanism.distribution(one)), balls(mechanism.distribution(other)), strict=True
        )
        ratios = [math.log(float(a.mid()) / float(b.mid())) for a, b in pairs]
        widest = max(widest, max(ratios) - min(ratios))
    return widest


def test_only_the_exponential_mechanism_is_of_bounded_range() -> None:
    """Which is why its event composes better than that of permute-and-flip."""
    assert losses(ONE) <= 1 + 1e-12
    assert losses(PermuteAndFlip(epsilon=1, sensitivity=1)) > 1.5
