"""Quantiles: how ranks and losses move, the mechanism's odds, and two groups together."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.mechanisms import ExponentialQuantile
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from flint import arb

ALMOST = Fraction(99, 100)
POINTS = range(4)
RANKS = [Fraction(0), Fraction(1, 2), Fraction(2, 3), Fraction(1)]
OFFSETS = [Fraction(0), Fraction(-3, 2), Fraction(2)]
EPSILON = Fraction(1)


def utility(values: Sequence[int], y: int) -> int:
    return -max(sum(v < y for v in values), sum(v > y for v in values))


def columns() -> Iterator[tuple[int, ...]]:
    yield from (each for size in range(4) for each in product(POINTS, repeat=size))


def test_median_move() -> None:
    def moved(values: tuple[int, ...], place: int, new: int, y: int) -> int:
        after = (*values[:place], new, *values[place + 1 :])
        return abs(utility(after, y) - utility(values, y))

    prove(
        (
            (values, place, new, y)
            for values in columns()
            for place, new, y in product(range(len(values)), POINTS, POINTS)
        ),
        moved,
        lambda *_: 1,
        twin=lambda *_: ALMOST,
    )


def test_median_monotone() -> None:
    half = Fraction(1, 2)
    prove(
        product(columns(), POINTS, POINTS),
        lambda values, new, y: abs(utility((*values, new), y) - utility(values, y) + half),
        lambda *_: half,
        twin=lambda *_: ALMOST * half,
    )


def loss(weights: Sequence[int], rank: Fraction, offset: Fraction, y: int) -> Fraction:
    """As it is displayed, with the ends left open."""
    target = rank * sum(weights) + offset
    below, upto = sum(weights[:y]), sum(weights[: y + 1])
    over = below - target if y > 0 else Fraction(0)
    under = target - upto if y < len(weights) - 1 else Fraction(0)
    return max(over, under, Fraction(0))


def quantile(rank: Fraction, offset: Fraction) -> ExponentialQuantile:
    return ExponentialQuantile(epsilon=EPSILON, rank=rank, offset=offset)


def rate(rank: Fraction) -> Fraction:
    return EPSILON / (2 * max(rank, 1 - rank))


WEIGHTS = [(0, 0, 0), (3, 0, 1), (1, 5, 0), (0, 2, 40)]


def test_quantile_loss() -> None:
    """Odds of the mechanism, which rounds its rate down by less than 2^-30."""

    def odds(weights: tuple[int, ...], rank: Fraction, offset: Fraction, y: int) -> Fraction:
        """The exponent that the mechanism's exact probabilities tell, in millionths, rounded."""
        found = quantile(rank, offset).distribution(weights)
        least = min(range(3), key=lambda each: loss(weights, rank, offset, each))
        exponent = (found.ball(least) / found.ball(y)).log() / as_ball(rate(rank))
        return Fraction(round(float(exponent) * 1e6), 10**6)

    def told(weights: tuple[int, ...], rank: Fraction, offset: Fraction, y: int) -> Fraction:
        losses = [loss(weights, rank, offset, each) for each in range(3)]
        return Fraction(round((losses[y] - min(losses)) * 10**6), 10**6)

    prove_equal(
        product(WEIGHTS, RANKS, OFFSETS, range(3)),
        odds,
        told,
        twin=lambda weights, rank, offset, y: told(weights, rank, offset + ALMOST, y),
    )


def test_quantile_move() -> None:
    def moved(
        weights: tuple[int, ...], rank: Fraction, offset: Fraction, y: int, v: int, m: int
    ) -> Fraction:
        after = [w + m * (place == v) for place, w in enumerate(weights)]
        return abs(loss(after, rank, offset, y) - loss(weights, rank, offset, y))

    prove(
        product(WEIGHTS, RANKS, OFFSETS, range(3), range(3), (1, 4)),
        moved,
        lambda _weights, rank, _offset, _y, _v, m: m * max(rank, 1 - rank),
        twin=lambda _weights, rank, _offset, _y, _v, m: ALMOST * m * max(rank, 1 - rank),
    )


def test_quantile_groups() -> None:
    """Weights of one half in each of two groups, as one change of 1 may move them."""
    mechanism = quantile(Fraction(1, 2), Fraction(0))
    one, other = (
        [Fraction(1, 2), *[Fraction(0)] * 9, Fraction(1)],
        [Fraction(0)] * 10 + [Fraction(1)],
    )

    def both(first: Any, second: Any, points: tuple[int, int]) -> arb:
        chances = (
            mechanism.distribution(each).ball(y)
            for each, y in zip((first, second), points, strict=True)
        )
        return next(chances) * next(chances)

    prove(
        (
            (*pair, points)
            for pair in ((one, other), (other, one))
            for points in product((0, 5, 10), repeat=2)
        ),
        lambda before, _, points: both(before, before, points),
        lambda _, after, points: as_ball(EPSILON).exp() * both(after, after, points),
        twin=lambda _, after, points: as_ball(Fraction(1, 3)).exp() * both(after, after, points),
    )
