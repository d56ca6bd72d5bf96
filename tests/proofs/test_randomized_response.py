"""Randomized response: exact probabilities of one person's answer, and of those of three."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import sfumato as sf
from sfumato.numeric import Ln
from tests.proofs.inequalities import prove

ALMOST = Fraction(99, 100)
#: e^ε.
RATIOS = [Fraction(101, 100), Fraction(2), Fraction(9, 2)]


def told(ratio: Fraction, answers: int, true: int, said: int) -> Fraction:
    """In the mechanism's own distribution."""
    coin = sf.mechanisms.RandomizedResponse(epsilon=Ln(ratio), categories=answers)
    found = coin.distribution(true).exact(said)
    assert found is not None
    return found


def test_response_ratio() -> None:
    prove(
        (
            (ratio, answers, *three)
            for ratio, answers in product(RATIOS, (2, 3, 5))
            for three in product(range(answers), repeat=3)
        ),
        lambda ratio, answers, said, one, _: told(ratio, answers, one, said),
        lambda ratio, answers, said, _, other: ratio * told(ratio, answers, other, said),
        twin=lambda ratio, answers, said, _, other: (
            ALMOST * ratio * told(ratio, answers, other, said)
        ),
    )


def test_response_people() -> None:
    """Of two answers; one person's true answer differs."""

    def chance(ratio: Fraction, said: tuple[int, ...], true: tuple[int, ...]) -> Fraction:
        return prod(
            (told(ratio, 2, *each) for each in zip(true, said, strict=True)), start=Fraction(1)
        )

    def changed(true: tuple[int, ...], place: int) -> tuple[int, ...]:
        return tuple(1 - each if i == place else each for i, each in enumerate(true))

    bits = list(product((0, 1), repeat=3))
    prove(
        product(RATIOS[1:2], bits, bits, range(3)),
        lambda ratio, said, true, _: chance(ratio, said, true),
        lambda ratio, said, true, place: ratio * chance(ratio, said, changed(true, place)),
        twin=lambda ratio, said, true, place: (
            ALMOST * ratio * chance(ratio, said, changed(true, place))
        ),
    )
