"""The median by the exponential mechanism: the guarantee on all neighbours, exact draws."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from flint import arb

from sfumato.mechanisms.estimators.exponential_median import ExponentialMedian
from sfumato.mechanisms.estimators.public_grid import GridChoice, PublicGrid
from sfumato.numeric import working_precision
from sfumato.privacy import AddRemove, Person, Substitute
from sfumato.sampling import SeededSource
from tests.mechanisms.noise_checks import NO_POSITIVE_NUMBERS, NO_VALUES, keeps, refuses
from tests.sampling.scripted import ScriptedSource

Values = tuple[int, ...]

DIGITS = [
    values for size in (0, 1, 2, 3) for values in combinations_with_replacement(range(3), size)
]


@pytest.mark.parametrize("relation", [AddRemove(), Substitute()])
def test_the_median_keeps_its_guarantee_on_all_neighbours(relation: Any) -> None:
    median = ExponentialMedian(epsilon=1, bounds=(0, 2), relation=relation)
    wrong = ExponentialMedian(epsilon=1.3, bounds=(0, 2), relation=relation)
    outputs = [0, 0.25, 1, 1.75, 2]
    pairs = [
        (one, other)
        for one, other in product(DIGITS, DIGITS)
        if one != other and distance(one, other, relation) == 1
    ]
    distributions, others = (
        {each: made.distribution(each) for each in DIGITS} for made in (median, wrong)
    )
    assert all(keeps(distributions[one], distributions[other], outputs, 1) for one, other in pairs)
    assert not all(keeps(others[one], others[other], outputs, 1) for one, other in pairs)


def distance(one: Values, other: Values, relation: Any) -> int:
    """How many changes lie between two columns, of which the order does not matter."""
    lost, gained = Counter(one) - Counter(other), Counter(other) - Counter(one)
    if isinstance(relation, AddRemove):
        return lost.total() + gained.total()
    return lost.total() if len(one) == len(other) else 99


def test_the_median_is_drawn_among_the_middle_values() -> None:
    values = [*range(100)]
    median = ExponentialMedian(epsilon=1, bounds=(0, 4096))
    distribution = median.distribution(values)
    assert distribution.cdf(49.5 + median.error(confidence=0.95)).lower > 0.95
    tied = median.distribution([7] * 40 + [4000] * 20)
    assert tied.probability(7).lower > 0.999


def test_draws_from_a_grid_follow_the_distribution_and_not_one_near_it() -> None:
    """From all beginnings of 11 bits, each once, the distribution is told to 1/2048."""
    grid, ends = PublicGrid(0, 0, 9), (3, 4, 9)
    distribution, wrong = (
        GridChoice(grid, ends, (Fraction(0), Fraction(level), Fraction(-1)))
        for level in (1, Fraction(21, 20))
    )
    source = SeededSource(9)
    scripts = [[(head << 117) | source.integer(117)] for head in range(2048)]
    steps = np.array(
        [distribution.draw(ScriptedSource(integers=each, then=source)) for each in scripts]
    )
    shares = np.array([np.mean(steps <= end) for end in ends[:2]])
    assert max(abs(shares - [distribution.cdf(end).upper for end in ends[:2]])) < 1 / 2048
    assert max(abs(shares - [wrong.cdf(end).upper for end in ends[:2]])) > 5 / 2048
    assert set(steps.tolist()) == set(range(10))


def test_a_draw_that_first_bits_do_not_settle_is_refined() -> None:
    distribution = GridChoice(PublicGrid(0, 0, 1), (0, 1), (Fraction(0), Fraction(1)))
    with working_precision(512):
        edge = (distribution.cumulative(0) * arb(2) ** 192).floor().unique_fmpz()
    assert edge is not None
    head, last = divmod(int(edge), 1 << 64)
    found = [
        distribution.draw(ScriptedSource(integers=[head, rest], then=SeededSource(1)))
        for rest in (last - 1, last + 1)
    ]
    assert found == [0, 1]


def test_the_distribution_adds_up_to_one_and_is_nothing_off_the_grid() -> None:
    distribution = GridChoice(PublicGrid(-1, -2, 3), (-1, 3), (Fraction(0), Fraction(1, 3)))
    with working_precision(128):
        total = sum((distribution.ball(step / 2) for step in range(-2, 4)), arb(0))
        assert abs(total - 1) < arb(2) ** -100
        assert distribution.ball(0.25) == distribution.ball(2) == distribution.cumulative(-1.5) == 0
        assert abs(distribution.cumulative(99) - 1) < arb(2) ** -100


def test_special_values_count_as_documented() -> None:
    median = ExponentialMedian(epsilon=1, bounds=(0, 4))
    assert median.distribution([math.nan, math.inf, -math.inf]) == median.distribution([2, 4, 0])
    assert len(median.distribution([]).ends) == 1


@pytest.mark.parametrize("values", [*NO_VALUES, 3, [[1, 2]]])
def test_values_that_are_no_numbers_are_refused_by_type(values: Any) -> None:
    median = ExponentialMedian(epsilon=1, bounds=(0, 4))
    refuses(lambda: median.release(values, source=ScriptedSource()))


@pytest.mark.parametrize("wrong", NO_POSITIVE_NUMBERS)
def test_wrong_parameters_are_refused(wrong: Any) -> None:
    refuses(lambda: ExponentialMedian(epsilon=wrong, bounds=(0, 1)))
    refuses(lambda: ExponentialMedian(epsilon=1, bounds=(2, wrong)))


@pytest.mark.parametrize("relation", [AddRemove(2), Substitute(unit=Person()), None])
def test_relations_without_a_proof_are_refused(relation: Any) -> None:
    refuses(lambda: ExponentialMedian(epsilon=1, bounds=(0, 1), relation=relation))
