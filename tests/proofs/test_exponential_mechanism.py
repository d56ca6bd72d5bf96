"""The exponential mechanism: the losses of its exact distribution, and its utility."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import sfumato as sf
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb

    Moves = tuple[int, ...]

ALMOST = Fraction(99, 100)
EPSILON = Fraction(3, 2)
UTILITIES = [(0, 0, 0), (3, 0, 1), (0, -40, 2)]


def moves() -> Iterator[tuple[bool, tuple[int, ...], Moves]]:
    """Whether utilities are monotone, the utilities, and how one change moves each."""
    for utilities in UTILITIES:
        for moved in product((-1, 0, 1), repeat=len(utilities)):
            yield False, utilities, moved
            if min(moved) >= 0 or max(moved) <= 0:
                yield True, utilities, moved


def losses(monotone: bool, utilities: tuple[int, ...], moved: Moves) -> list[arb]:  # noqa: FBT001
    choice = sf.mechanisms.Exponential(epsilon=EPSILON, sensitivity=1, monotone=monotone)
    one = choice.distribution(utilities)
    other = choice.distribution([u + by for u, by in zip(utilities, moved, strict=True)])
    return [(other.ball(c) / one.ball(c)).log() for c in range(len(utilities))]


def most(values: list[arb]) -> arb:
    found = values[0]
    for each in values[1:]:
        found = found.max(each)
    return found


def spread(values: list[arb]) -> arb:
    return most(values) + most([-each for each in values])


def test_exponential_range() -> None:
    prove(
        moves(),
        lambda *case: spread(losses(*case)),
        lambda *_: EPSILON,
        twin=lambda *_: ALMOST * EPSILON,
    )


def test_exponential_ratio() -> None:
    """Where one candidate has nearly all the odds and moves against the other two."""
    prove(
        moves(),
        lambda *case: most([abs(each) for each in losses(*case)]),
        lambda *_: EPSILON,
        twin=lambda *_: ALMOST * EPSILON,
    )


def test_exponential_utility() -> None:
    """All but one lie just below -t."""
    choice = sf.mechanisms.Exponential(epsilon=1, sensitivity=1)

    def missed(candidates: int, short: Fraction) -> arb:
        below = -short - Fraction(1, 10**9)
        return 1 - choice.distribution([Fraction(0), *[below] * (candidates - 1)]).ball(0)

    def bound(candidates: int, short: Fraction) -> arb:
        odds = (candidates - 1) * as_ball(-choice.rate * short).exp()
        return odds / (1 + odds)

    prove(
        product([2, 3, 20], [Fraction(0), Fraction(1), Fraction(9, 2), Fraction(40)]),
        missed,
        bound,
        twin=lambda candidates, short: as_ball(ALMOST) * bound(candidates, short),
    )
