"""Discrete Laplace noise: its masses, and their ratio on neighbours."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import sfumato as sf
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from flint import arb

ALMOST = Fraction(99, 100)
SCALES = [Fraction(1, 5), Fraction(1), Fraction(17, 2), Fraction(1000)]


def mass(scale: Fraction, value: int, outcome: int) -> arb:
    """In the mechanism's own distribution."""
    return sf.mechanisms.DiscreteLaplace(scale=scale).distribution(value).ball(outcome)


def test_discrete_laplace_mass() -> None:
    def formula(scale: Fraction, value: int, outcome: int) -> arb:
        rate = as_ball(-1 / scale).exp()
        return (1 - rate) / (1 + rate) * as_ball(-abs(outcome - value) / scale).exp()

    prove_equal(
        product(SCALES, [0, 7], [-30, 0, 6, 8, 41]),
        mass,
        formula,
        twin=lambda scale, value, outcome: formula(scale * ALMOST, value, outcome),
    )


def test_discrete_laplace_ratio() -> None:
    prove(
        product(SCALES, [0, 3, -2], [0, 1, -4], [-9, 0, 1, 2, 5]),
        lambda scale, one, other, y: mass(scale, one, y) / mass(scale, other, y),
        lambda scale, one, other, _y: as_ball(abs(one - other) / scale).exp(),
        twin=lambda scale, one, other, _y: as_ball(ALMOST * abs(one - other) / scale).exp(),
    )


def test_the_masses_add_up_to_one() -> None:
    """Σ a^|k| = (1 + a)/(1 - a), for rational a, where the rest of the sum is known."""
    for rate in (Fraction(1, 3), Fraction(9, 10)):
        head = 1 + 2 * sum((rate**k for k in range(1, 50)), Fraction(0))
        assert head + 2 * rate**50 / (1 - rate) == (1 + rate) / (1 - rate)
