"""A quantile of weighted points: the guarantee on all neighbours, exact draws at every scale."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from sfumato.mechanisms import ExponentialQuantile
from sfumato.sampling import SeededSource
from tests.mechanisms.noise_checks import FALSE_ALARM, fit, keeps

RANKS = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)]
SMALL = list(product(range(3), repeat=3))


def added(weights: tuple[int, ...], place: int) -> tuple[int, ...]:
    return tuple(each + (place == other) for other, each in enumerate(weights))


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("offset", [0, 1, -2])
def test_the_guarantee_is_kept_on_all_neighbours(rank: Fraction, offset: int) -> None:
    mechanism = ExponentialQuantile(epsilon=1, rank=rank, offset=offset)
    distributions = {each: mechanism.distribution(each) for each in product(range(4), repeat=3)}
    for weights, place in product(SMALL, range(3)):
        one, other = distributions[weights], distributions[added(weights, place)]
        assert keeps(one, other, range(3), 1)
        assert keeps(other, one, range(3), 1)


@pytest.mark.parametrize("rank", RANKS)
def test_a_twin_with_less_noise_breaks_it(rank: Fraction) -> None:
    mechanism = ExponentialQuantile(epsilon=4, rank=rank)
    distributions = {each: mechanism.distribution(each) for each in product(range(4), repeat=3)}
    pairs = [(each, added(each, place)) for each, place in product(SMALL, range(3))]
    assert not all(
        keeps(distributions[one], distributions[other], range(3), 1)
        and keeps(distributions[other], distributions[one], range(3), 1)
        for one, other in pairs
    )


@pytest.mark.parametrize(
    ("sensitivity", "unit"), [(1, 1), (Fraction(1, 3), 1), (2**16, 2**16), (2**50, 2**50)]
)
def test_draws_follow_the_distribution_at_every_scale(sensitivity: Any, unit: int) -> None:
    """In floats, and where a loss times the rate has too many digits for one."""
    weights = np.array([3, 0, 5, 1, 2], dtype=np.int64) * unit
    mechanism = ExponentialQuantile(epsilon="1/2", rank="2/3", sensitivity=sensitivity)
    source = SeededSource(3)
    drawn = np.array([mechanism.release(weights, source=source).value for _ in range(2000)])
    distribution = mechanism.distribution(dict(enumerate(weights.tolist())))
    twin = ExponentialQuantile(epsilon="1/10", rank="2/3", sensitivity=sensitivity)
    cells = range(4)
    assert fit(drawn, distribution, cells) > FALSE_ALARM
    assert fit(drawn, twin.distribution(weights.tolist()), cells) < FALSE_ALARM


def test_weights_beyond_a_word_are_exact() -> None:
    huge = np.array([2**62, 2**62, 2**62, 1], dtype=np.int64)
    mechanism = ExponentialQuantile(epsilon=1, rank="1/2")
    assert mechanism.release(huge, source=SeededSource(1)).value == 1
    assert mechanism.distribution(huge).probability(1).lower > 0.999


def test_a_tied_point_is_found_by_all_ranks_in_it() -> None:
    weights = [0] * 40 + [1000] + [0] * 40
    for rank in ("1/10", "1/2", "9/10"):
        distribution = ExponentialQuantile(epsilon=1, rank=rank).distribution(weights)
        assert distribution.probability(40).lower > 0.999


def test_an_offset_aims_beside_the_rank_and_stays_among_the_points() -> None:
    weights = [10] * 10
    at = [
        ExponentialQuantile(epsilon=50, rank="1/2", offset=offset)
        .release(weights, source=SeededSource(1))
        .value
        for offset in (-1000, -21, -1, 1, 21, 1000)
    ]
    assert at == [0, 2, 4, 5, 7, 9]
