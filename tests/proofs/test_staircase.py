"""Staircase noise: its masses, and that a move by a width is one stair at most."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from flint import arb

from sfumato.mechanisms.noise.staircase import StaircaseNoise
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from collections.abc import Iterator

ALMOST = Fraction(99, 100)
EPSILONS = [Fraction(2), Fraction(5)]
#: So far out are all weights below the slack.
STAIRS = 80


def shapes() -> Iterator[tuple[int, int]]:
    """Widths, each with all of its treads."""
    yield from ((width, tread) for width in (1, 3, 6) for tread in range(1, width + 1))


def stair(k: int, width: int, tread: int) -> int:
    return (abs(k) + width - tread) // width


def test_staircase_mass() -> None:
    def mass(epsilon: Fraction, shape: tuple[int, int], k: int) -> arb:
        return StaircaseNoise(epsilon, *shape).mass(abs(k))

    @cache
    def total(epsilon: Fraction, shape: tuple[int, int]) -> arb:
        reach = STAIRS * shape[0]
        every = (as_ball(-epsilon * stair(y, *shape)).exp() for y in range(-reach, reach + 1))
        return sum(every, arb(0))

    def formula(epsilon: Fraction, shape: tuple[int, int], k: int) -> arb:
        return as_ball(-epsilon * stair(k, *shape)).exp() / total(epsilon, shape)

    prove_equal(
        product(EPSILONS, shapes(), [0, 1, -2, 7, 20]),
        mass,
        formula,
        twin=lambda epsilon, shape, k: as_ball(ALMOST) * formula(epsilon, shape, k),
    )


def test_staircase_stairs() -> None:
    """The twin says that a move by a width stays on its stair."""
    prove(
        (
            (shape, k, s)
            for shape in shapes()
            for k in range(-20, 21)
            for s in range(-shape[0], shape[0] + 1)
        ),
        lambda shape, k, s: stair(k + s, *shape),
        lambda shape, k, _s: stair(k, *shape) + 1,
        twin=lambda shape, k, _s: stair(k, *shape),
    )


def test_staircase_ratio() -> None:
    def ratio(epsilon: Fraction, shape: tuple[int, int], k: int, s: int) -> arb:
        noise = StaircaseNoise(epsilon, *shape)
        return noise.mass(abs(k)) / noise.mass(abs(k + s))

    prove(
        (
            (epsilon, shape, k, s)
            for epsilon, shape in product(EPSILONS, shapes())
            for k in (-8, 0, 1, 5)
            for s in (-shape[0], 1, shape[0])
        ),
        ratio,
        lambda epsilon, *_: as_ball(epsilon).exp(),
        twin=lambda epsilon, *_: as_ball(ALMOST * epsilon).exp(),
    )
