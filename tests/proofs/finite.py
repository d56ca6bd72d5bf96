"""Finite distributions with rational probabilities, and what proofs compute of pairs of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import as_ball

if TYPE_CHECKING:
    from collections.abc import Sequence

Chances = tuple[Fraction, ...]

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
#: Just below 1: what a bound is multiplied by to make a wrong one.
NEARLY = Fraction(99, 100)


def of(*weights: int | Fraction) -> Chances:
    """The distribution in proportion to some weights."""
    return tuple(Fraction(each) / sum(weights) for each in weights)


#: e^ε as rationals, so that all is exact.
FACTORS = [ONE, Fraction(3, 2), Fraction(2), Fraction(5)]
FULL = [of(1, 1, 1), of(1, 2, 4), of(4, 2, 1), of(3, 1, 6)]
SOME = [*FULL, of(0, 1, 3), of(5, 0, 1)]
FULL_PAIRS = list(product(FULL, repeat=2))
PAIRS = list(product(SOME, repeat=2))


def response(factor: Fraction) -> tuple[Chances, Chances]:
    """Randomized response with odds of e^ε, for either true answer."""
    return of(factor, 1), of(1, factor)


def failing(factor: Fraction, delta: Fraction) -> tuple[Chances, Chances]:
    """Randomized response that fails openly with probability δ: the worst (ε, δ) pair."""
    (yes, no), zero = response(factor)[0], ZERO
    kept = 1 - delta
    return (delta, yes * kept, no * kept, zero), (zero, no * kept, yes * kept, delta)


def hockey_stick(p: Sequence[Fraction], q: Sequence[Fraction], factor: Fraction) -> Fraction:
    """H at e^ε = factor."""
    return sum((max(a - factor * b, ZERO) for a, b in zip(p, q, strict=True)), ZERO)


def ratio(p: Chances, q: Chances) -> Fraction:
    """The greatest p/q."""
    return max(a / b for a, b in zip(p, q, strict=True) if a or b)


def both_ways(p: Chances, q: Chances) -> Fraction:
    """The least e^ε within which two distributions are of each other."""
    return max(ratio(p, q), ratio(q, p))


def joint(first: Chances, second: Sequence[Chances]) -> Chances:
    """The distribution of two steps, the second of which depends on what the first gave."""
    return tuple(a * b for a, row in zip(first, second, strict=True) for b in row)


def times(p: Chances, q: Chances) -> Chances:
    """The distribution of two independent outputs."""
    return joint(p, [q] * len(p))


def mixed(shares: Sequence[Fraction], parts: Sequence[Chances]) -> Chances:
    """The distribution of a part that is drawn with these shares."""
    return tuple(
        sum((share * each for share, each in zip(shares, column, strict=True)), ZERO)
        for column in zip(*parts, strict=True)
    )


def moment(p: Chances, q: Chances, order: Fraction) -> arb:
    """Σ p^α q^(1-α), for a q that is positive wherever p is."""
    terms = ((as_ball(a), as_ball(b)) for a, b in zip(p, q, strict=True) if a)
    a = as_ball(order)
    return sum((x**a * y ** (1 - a) for x, y in terms), arb(0))


def renyi(p: Chances, q: Chances, order: Fraction) -> arb:
    """The Rényi divergence of an order."""
    return moment(p, q, order).log() / as_ball(order - 1)


def mean_loss(p: Chances, q: Chances) -> arb:
    """The Kullback-Leibler divergence, which is the mean of the loss."""
    return sum((as_ball(a) * as_ball(a / b).log() for a, b in zip(p, q, strict=True) if a), arb(0))
