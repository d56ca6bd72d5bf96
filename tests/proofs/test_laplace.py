"""Laplace noise: the ratio of densities, the scale, and the rounded output."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import sfumato as sf
from sfumato.numeric import Ln, as_ball
from sfumato.sampling import grid
from tests.proofs.inequalities import prove

if TYPE_CHECKING:
    from flint import arb

ALMOST = Fraction(99, 100)
PLACES = [Fraction(each, 4) for each in (-9, -3, 0, 1, 5, 22)]
SCALES = [Fraction(1, 3), Fraction(1), Fraction(10)]


def test_laplace_ratio() -> None:
    def log_ratio(y: tuple[Fraction, ...], v: tuple[Fraction, ...], scale: Fraction) -> Fraction:
        """Of the densities around v and around 0."""
        exponents = (abs(at) - abs(at - near) for at, near in zip(y, v, strict=True))
        return sum(exponents, Fraction(0)) / scale

    def moved(v: tuple[Fraction, ...], scale: Fraction) -> Fraction:
        return sum(map(abs, v), Fraction(0)) / scale

    prove(
        (
            (y, v, scale)
            for size in (1, 2)
            for y, v, scale in product(
                product(PLACES, repeat=size), product(PLACES, repeat=size), SCALES
            )
        ),
        log_ratio,
        lambda _y, v, scale: moved(v, scale),
        twin=lambda _y, v, scale: ALMOST * moved(v, scale),
    )


def test_laplace_scale() -> None:
    def rate(epsilon: Any, sensitivity: Any) -> Fraction:
        return 1 / sf.mechanisms.Laplace(epsilon=epsilon, sensitivity=sensitivity).scale

    prove(
        product([Fraction(1, 7), 1, Ln(2), Ln("1.5"), Ln(3) * 40], [Fraction(1, 3), 1, 110]),
        lambda epsilon, sensitivity: sensitivity * rate(epsilon, sensitivity),
        lambda epsilon, _: as_ball(epsilon),
        twin=lambda epsilon, _: as_ball(ALMOST) * as_ball(epsilon),
    )


def test_laplace_rounded() -> None:
    """In the mechanism's own distribution, at steps on all sides of both values."""
    epsilon = Fraction(1, 2)
    mechanism = sf.mechanisms.Laplace(epsilon=epsilon, sensitivity=1)
    step = grid(mechanism.scale)

    def mass(value: Fraction, steps: int) -> arb:
        return mechanism.distribution(value).steps(steps, steps)

    values = [(Fraction(0), Fraction(1)), (Fraction(1, 3), Fraction(-2, 3)), (Fraction(0), step)]
    steps = [0, 1, -1, int(1 / step), int(-1 / step), int(Fraction(1, 3) / step), 10**9, -(10**9)]
    prove(
        (
            (*pair, at)
            for (one, other), at in product(values, steps)
            for pair in ((one, other), (other, one))
        ),
        lambda one, _other, at: mass(one, at),
        lambda _one, other, at: as_ball(epsilon).exp() * mass(other, at),
        twin=lambda _one, other, at: as_ball(ALMOST * epsilon).exp() * mass(other, at),
    )
