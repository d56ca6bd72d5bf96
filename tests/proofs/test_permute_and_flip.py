"""Permute-and-flip: the integral without a maximum, and the ratio on all small moves."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb, arb_poly

import sfumato as sf
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove, prove_equal
from tests.proofs.test_exponential_mechanism import EPSILON, UTILITIES, moves

if TYPE_CHECKING:
    from collections.abc import Sequence

ALMOST = Fraction(99, 100)


def chance(utilities: Sequence[int], candidate: int, *, monotone: bool = False) -> arb:
    """In the mechanism's own distribution."""
    choice = sf.mechanisms.PermuteAndFlip(epsilon=EPSILON, sensitivity=1, monotone=monotone)
    return choice.distribution(utilities).ball(candidate)


def integral(utilities: Sequence[int], candidate: int, rate: Fraction) -> arb:
    """∫ w_c 1[v w_c ≤ 1] Π (1 - v w)₊ dv: a polynomial up to where the greatest weight ends it."""
    weights = [as_ball(rate * u).exp() for u in utilities]
    product = arb_poly([weights[candidate]])
    for place, weight in enumerate(weights):
        if place != candidate:
            product *= arb_poly([1, -weight])
    return product.integral()(1 / as_ball(rate * max(utilities)).exp())


def test_flip_integral() -> None:
    rate = EPSILON / 2
    prove_equal(
        [(utilities, c) for utilities in UTILITIES for c in range(3)],
        chance,
        lambda utilities, c: integral(utilities, c, rate),
        twin=lambda utilities, c: integral(utilities, c, ALMOST * rate),
    )


def test_flip_ratio() -> None:
    def moved(utilities: Sequence[int], by: Sequence[int]) -> list[int]:
        return [u + each for u, each in zip(utilities, by, strict=True)]

    def after(monotone: bool, utilities: Sequence[int], by: Sequence[int], c: int) -> arb:  # noqa: FBT001
        return chance(moved(utilities, by), c, monotone=monotone)

    def before(monotone: bool, utilities: Sequence[int], _: Sequence[int], c: int) -> arb:  # noqa: FBT001
        return chance(utilities, c, monotone=monotone)

    prove(
        ((*case, c) for case in moves() for c in range(3)),
        after,
        lambda *case: as_ball(EPSILON).exp() * before(*case),
        twin=lambda *case: as_ball(ALMOST * EPSILON).exp() * before(*case),
    )
