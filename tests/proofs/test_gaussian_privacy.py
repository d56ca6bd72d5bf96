"""The normal pair: its square, its sums, and randomized response as a threshold on it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from flint import arb

from sfumato.numeric import as_ball
from sfumato.privacy.theorems import pure_to_gaussian
from tests.proofs.finite import NEARLY
from tests.proofs.inequalities import prove, prove_equal

PLACES = [Fraction(each, 3) for each in (-7, -1, 0, 2, 10)]
MUS = [Fraction(1, 10), Fraction(1), Fraction(5)]


def normal(z: arb) -> arb:
    """Φ."""
    return (-z / arb(2).sqrt()).erfc() / 2


def test_gaussian_square() -> None:
    def left(z: Fraction, mu: Fraction, order: Fraction) -> Fraction:
        return order * (z - mu) ** 2 + (1 - order) * z**2

    prove_equal(
        product(PLACES, MUS, [Fraction(3, 2), Fraction(2), Fraction(20)]),
        left,
        lambda z, mu, order: (z - order * mu) ** 2 - order * (order - 1) * mu**2,
        twin=lambda z, mu, order: (z - order * mu) ** 2 - order * mu**2,
    )


def test_gaussian_adds() -> None:
    """Of three steps, at real s; the twin adds up μ in place of μ²."""

    def one(mu: Fraction, s: Fraction) -> arb:
        return as_ball(s * (s + 1) * mu**2 / 2).exp()

    def root(*mus: Fraction) -> arb:
        return as_ball(sum(mu**2 for mu in mus)).sqrt()

    prove_equal(
        product(MUS, MUS, MUS, [Fraction(1, 2), Fraction(4)]),
        lambda a, b, c, s: one(a, s) * one(b, s) * one(c, s),
        lambda a, b, c, s: (as_ball(s * (s + 1)) * root(a, b, c) * root(a, b, c) / 2).exp(),
        twin=lambda a, b, c, s: one(a + b + c, s),
    )


def test_gaussian_response() -> None:
    """The μ that is found is enough, up to its rounding; a hundredth less is not."""

    def odds(epsilon: Fraction) -> arb:
        grown = as_ball(epsilon).exp()
        return grown / (1 + grown)

    def reached(epsilon: Fraction, share: Fraction) -> arb:
        return normal(arb(pure_to_gaussian(epsilon=epsilon)) * as_ball(share) / 2)

    epsilons = [Fraction(1, 1000), Fraction(1, 2), Fraction(1), Fraction(4), Fraction(30)]
    prove(
        ((epsilon,) for epsilon in epsilons),
        odds,
        lambda epsilon: reached(epsilon, Fraction(1)),
        twin=lambda epsilon: reached(epsilon, NEARLY),
    )
