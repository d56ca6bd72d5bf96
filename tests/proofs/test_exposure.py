"""Exposure: ranks on average, given the model, and of several canaries in one model."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING

from tests.proofs.inequalities import prove

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ALMOST = Fraction(99, 100)
#: e^ε.
RATIOS = (Fraction(1), Fraction(2), Fraction(5))
SIXTHS = [Fraction(each, 6) for each in range(7)]


def allowed(chance: Fraction, ratio: Fraction, delta: Fraction) -> Fraction:
    """The greatest probability with the canary, where it is so much without."""
    return min(ratio * chance + delta, 1 - (1 - delta - chance) / ratio)


def test_exposure_average() -> None:
    prove(
        (
            (chances, k, ratio, delta)
            for chances in product(SIXTHS[::2], repeat=3)
            for k in (1, 2)
            if sum(chances) <= k
            for ratio, delta in product(RATIOS, (Fraction(0), Fraction(1, 10)))
        ),
        lambda chances, _k, ratio, delta: (
            sum((allowed(each, ratio, delta) for each in chances), Fraction(0)) / len(chances)
        ),
        lambda chances, k, ratio, delta: allowed(Fraction(k, len(chances)), ratio, delta),
        twin=lambda chances, k, ratio, delta: (
            ALMOST * allowed(Fraction(k, len(chances)), ratio, delta)
        ),
    )


def greatest_share(k: int, size: int, ratio: Fraction) -> Fraction:
    return k * ratio / (k * ratio + size - k)


def test_exposure_given() -> None:
    prove(
        (
            (weights, k, ratio)
            for ratio in RATIOS
            for size in (2, 3, 4)
            for weights in product((Fraction(1), ratio), repeat=size)
            for k in range(1, size)
        ),
        lambda weights, k, _: sum(weights[:k], Fraction(0)) / sum(weights, Fraction(0)),
        lambda weights, k, ratio: greatest_share(k, len(weights), ratio),
        twin=lambda weights, k, ratio: ALMOST * greatest_share(k, len(weights), ratio),
    )


def dependent(trials: int) -> Iterator[dict[tuple[int, ...], Fraction]]:
    """Trials whose chances, of at most a half, depend on what came before."""
    before = [each for size in range(trials) for each in product((0, 1), repeat=size)]
    for chances in product(SIXTHS[:4:3] if trials > 2 else SIXTHS[:4], repeat=len(before)):
        yield dict(zip(before, chances, strict=True))


def tail(chances: dict[tuple[int, ...], Fraction], trials: int, least: int) -> Fraction:
    found = Fraction(0)
    for outcome in product((0, 1), repeat=trials):
        if sum(outcome) >= least:
            steps = ((chances[outcome[:at]], hit) for at, hit in enumerate(outcome))
            found += prod((p if hit else 1 - p for p, hit in steps), start=Fraction(1))
    return found


def binomial_tail(trials: int, share: Fraction, least: int) -> Fraction:
    sizes: Sequence[int] = range(least, trials + 1)
    return sum(
        (comb(trials, v) * share**v * (1 - share) ** (trials - v) for v in sizes), Fraction(0)
    )


def test_exposure_binomial() -> None:
    half = SIXTHS[3]
    prove(
        (
            (chances, trials, least)
            for trials in (2, 3)
            for chances in dependent(trials)
            for least in range(1, trials + 1)
        ),
        tail,
        lambda _, trials, least: binomial_tail(trials, half, least),
        twin=lambda _, trials, least: binomial_tail(trials, half * ALMOST, least),
    )
