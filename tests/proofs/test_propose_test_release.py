"""Propose-test-release: when the test passes, and how far the distance of a median moves."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from sfumato.mechanisms import ProposeTestRelease
from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove
from tests.proofs.test_smooth_median import made, neighbours

if TYPE_CHECKING:
    from flint import arb

    from tests.proofs.test_smooth_median import Column

EPSILONS = [Fraction(1, 10), Fraction(1), Fraction(5)]
DELTAS = [Fraction(1, 10**6), Fraction(1, 20), Fraction(9, 10)]
#: Where no column is far enough.
NEVER = 100


def test_ptr_passes() -> None:
    """The twin would have it that one more step were needed."""

    def passes(epsilon: Fraction, delta: Fraction) -> arb:
        mechanism = ProposeTestRelease.median(
            epsilon=epsilon, delta=delta, proposed=1, bounds=(0, 9)
        )
        return DiscreteLaplaceNoise(2 / epsilon).tail(mechanism.passing)

    prove(
        product(EPSILONS, DELTAS),
        passes,
        lambda _, delta: delta,
        twin=lambda epsilon, delta: as_ball(delta) * as_ball(-epsilon / 2).exp(),
    )


def test_ptr_distance() -> None:
    def distance(column: Column, bound: int) -> int:
        found = made(column).distance_to(bound)
        return NEVER if found is None else found

    for (one, other), bound in product(neighbours(), range(6)):
        if distance(one, bound) > 0:
            assert abs(made(one).median - made(other).median) <= bound
    prove(
        ((*pair, bound) for pair in neighbours() for bound in range(6)),
        lambda one, other, bound: abs(distance(one, bound) - distance(other, bound)),
        lambda *_: 1,
        twin=lambda *_: 0,
    )


def test_a_distance_that_is_no_whole_number_moves_by_no_more_when_it_is_rounded_down() -> None:
    places = [Fraction(each, 4) for each in range(12)]
    for one, other in product(places, repeat=2):
        if abs(one - other) <= 1:
            assert abs(math.floor(one) - math.floor(other)) <= 1
