"""A unit that enters a sample with some probability, and outputs as mixtures over samples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from sfumato.numeric import Ln
from sfumato.privacy import compose, events
from tests.proofs.finite import (
    FACTORS,
    HALF,
    NEARLY,
    PAIRS,
    Chances,
    hockey_stick,
    mixed,
    response,
)
from tests.proofs.inequalities import prove, prove_equal

RATES = [Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)]
#: e^ε' of the whole, on both sides of 1.
LEVELS = [Fraction(1, 20), Fraction(2, 3), Fraction(99, 100), *FACTORS]


def sampled(p: Chances, q: Chances, rate: Fraction) -> Chances:
    return mixed((1 - rate, rate), (q, p))


def test_mixed_samples() -> None:
    """The twin is the least of the parts."""
    shares = [(HALF, HALF), (Fraction(1, 10), Fraction(9, 10))]
    pairs = PAIRS[::5]

    def parts(
        one: tuple[Chances, Chances], two: tuple[Chances, Chances], level: Fraction
    ) -> Chances:
        return hockey_stick(*one, level), hockey_stick(*two, level)

    prove(
        product(shares, pairs, pairs, LEVELS),
        lambda share, one, two, level: hockey_stick(
            mixed(share, (one[0], two[0])), mixed(share, (one[1], two[1])), level
        ),
        lambda share, one, two, level: sum(
            a * b for a, b in zip(share, parts(one, two, level), strict=True)
        ),
        twin=lambda _share, one, two, level: min(parts(one, two, level)),
    )


def test_poisson_removed() -> None:
    def right(p: Chances, q: Chances, rate: Fraction, level: Fraction) -> Fraction:
        farther = 1 + (level - 1) / rate
        return rate * hockey_stick(p, q, farther) if farther > 0 else 1 - level

    prove_equal(
        ((p, q, rate, level) for (p, q), rate, level in product(PAIRS, RATES, LEVELS)),
        lambda p, q, rate, level: hockey_stick(sampled(p, q, rate), q, level),
        right,
        twin=lambda p, q, rate, level: right(p, q, rate / 2, level),
    )


def test_poisson_added() -> None:
    def right(p: Chances, q: Chances, rate: Fraction, level: Fraction) -> Fraction:
        left = 1 - level * (1 - rate)
        return left * hockey_stick(q, p, level * rate / left) if left > 0 else Fraction(0)

    prove_equal(
        ((p, q, rate, level) for (p, q), rate, level in product(PAIRS, RATES, LEVELS)),
        lambda p, q, rate, level: hockey_stick(q, sampled(p, q, rate), level),
        right,
        twin=lambda p, q, rate, level: right(p, q, rate / 2, level),
    )


def test_poisson_pure() -> None:
    """And what the accountant says is the upper end, to which randomized response comes."""
    for factor, rate in product(FACTORS[1:], RATES):
        event = events.Subsampled(events.Pure(epsilon=Ln(factor)), rate=rate)
        bounds, exact = compose(event).bounds(delta=0), 1 + rate * (factor - 1)
        assert Ln(exact) in bounds
        p, q = response(factor)
        assert hockey_stick(sampled(p, q, rate), q, exact) == 0
        assert hockey_stick(sampled(p, q, rate), q, NEARLY * exact) > 0
    prove(
        product(FACTORS, RATES),
        lambda factor, rate: 1 / (1 - rate * (1 - 1 / factor)),
        lambda factor, rate: 1 + rate * (factor - 1),
        twin=lambda factor, rate: 1 + rate * (factor - 1) / 2,
    )
