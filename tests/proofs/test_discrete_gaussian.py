"""Discrete Gaussian noise: the theta function, Rényi divergences, and the exact curve."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import floor
from typing import TYPE_CHECKING

from flint import arb

from sfumato.mechanisms.distributions.integers import DiscreteGaussianNoise
from sfumato.mechanisms.noise.discrete_gaussian import exact_delta
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from collections.abc import Iterable

ALMOST = Fraction(99, 100)
SIGMAS = [Fraction(1, 3), Fraction(3, 4), Fraction(2)]
EPSILONS = [Fraction(0), Fraction(1, 3), Fraction(2)]
#: Weights beyond so many σ are far below the slack.
DEVIATIONS = 24


def around(centre: Fraction, sigma: Fraction) -> Iterable[int]:
    reach = floor(DEVIATIONS * sigma) + 2
    return range(floor(centre) - reach, floor(centre) + reach + 1)


def theta(centre: Fraction, sigma: Fraction) -> arb:
    """Σ exp(-(y - μ)²/(2σ²)) over whole numbers y."""
    exponents = (-((y - centre) ** 2) / (2 * sigma**2) for y in around(centre, sigma))
    return sum((as_ball(each).exp() for each in exponents), arb(0))


def test_discrete_gaussian_theta() -> None:
    prove(
        product([Fraction(each, 10) for each in range(11)], SIGMAS),
        theta,
        lambda _centre, sigma: theta(Fraction(0), sigma),
        twin=lambda _centre, sigma: as_ball(ALMOST) * theta(Fraction(0), sigma),
    )


def test_discrete_gaussian_renyi() -> None:
    def divergence(order: Fraction, shift: int, sigma: Fraction) -> arb:
        """Of the exact masses, term by term: its largest terms lie around α·s."""
        noise, alpha = DiscreteGaussianNoise(sigma), as_ball(order)
        terms = (
            noise.mass(abs(y - shift)) ** alpha * noise.mass(abs(y)) ** (1 - alpha)
            for y in around(order * shift, sigma)
        )
        return sum(terms, arb(0)).log() / (alpha - 1)

    def bound(order: Fraction, shift: int, sigma: Fraction) -> Fraction:
        return order * shift**2 / (2 * sigma**2)

    prove(
        product([Fraction(5, 4), Fraction(2), Fraction(15, 2)], [1, -1, 3], SIGMAS),
        divergence,
        bound,
        twin=lambda order, shift, sigma: ALMOST * bound(order, shift, sigma),
    )


def hockey_stick(epsilon: Fraction, sigma: Fraction, shift: int) -> arb:
    """Σ (p - e^ε q)₊ over all outputs."""
    noise, factor = DiscreteGaussianNoise(sigma), as_ball(epsilon).exp()
    gains = (
        noise.mass(abs(y)) - factor * noise.mass(abs(y + shift)) for y in around(Fraction(0), sigma)
    )
    return sum((gain.max(arb(0)) for gain in gains), arb(0))


def test_discrete_gaussian_curve() -> None:
    def found(epsilon: Fraction, sigma: Fraction, shift: int) -> arb:
        return exact_delta(epsilon=epsilon, sigma=sigma, sensitivity=shift)

    prove_equal(
        product(EPSILONS, SIGMAS, [1, 2, 5]),
        found,
        hockey_stick,
        twin=lambda epsilon, sigma, shift: hockey_stick(epsilon, sigma * ALMOST, shift),
    )


def test_discrete_gaussian_monotone() -> None:
    prove(
        product(EPSILONS, SIGMAS, [1, 2, 3]),
        hockey_stick,
        lambda epsilon, sigma, _shift: hockey_stick(epsilon, sigma, 3),
        twin=lambda epsilon, sigma, _shift: as_ball(ALMOST) * hockey_stick(epsilon, sigma, 3),
    )
