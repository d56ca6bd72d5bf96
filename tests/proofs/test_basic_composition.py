"""Two steps, of which the second is chosen by what the first gave."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from tests.proofs.finite import (
    FACTORS,
    FULL_PAIRS,
    HALF,
    NEARLY,
    ONE,
    PAIRS,
    ZERO,
    both_ways,
    failing,
    hockey_stick,
    joint,
    of,
    ratio,
    response,
)
from tests.proofs.inequalities import prove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.proofs.finite import Chances

    #: What an output of the first step leads to, on either table.
    Seconds = tuple[tuple[Chances, Chances], ...]

_TWO = Fraction(2)
#: The second step after each of three outputs: the same, others, and none after the last.
SECONDS: list[Seconds] = [
    (response(_TWO),) * 3,
    (response(_TWO), response(Fraction(5)), (of(1, 2), of(2, 1))),
    (response(Fraction(3)), (of(1, 1), of(1, 3)), (of(1, 0), of(1, 0))),
]


def test_basic_pure() -> None:
    def joined(p: Chances, q: Chances, after: Seconds) -> Fraction:
        return ratio(joint(p, [a for a, _ in after]), joint(q, [b for _, b in after]))

    def second(after: Seconds) -> Fraction:
        return max(both_ways(a, b) for a, b in after)

    prove(
        ((p, q, after) for (p, q), after in product(FULL_PAIRS, SECONDS)),
        joined,
        lambda p, q, after: ratio(p, q) * second(after),
        twin=lambda p, q, after: max(ratio(p, q), second(after)),
    )


def test_basic_test() -> None:
    tests = list(product([ZERO, HALF, ONE], repeat=3))

    def mean(chances: Chances, test: Chances) -> Fraction:
        return sum((a * t for a, t in zip(chances, test, strict=True)), ZERO)

    prove(
        ((p, q, factor, test) for (p, q), factor, test in product(PAIRS, FACTORS, tests)),
        lambda p, _q, _factor, test: mean(p, test),
        lambda p, q, factor, test: factor * mean(q, test) + hockey_stick(p, q, factor),
        twin=lambda p, q, factor, test: (
            factor * mean(q, test) + NEARLY * hockey_stick(p, q, factor)
        ),
    )


def test_basic_two_steps() -> None:
    """Both steps are as bad as (ε, δ) allows, or as bad as some pairs are."""
    steps = [failing(_TWO, Fraction(1, 10)), failing(ONE, Fraction(1, 5)), failing(_TWO, ZERO)]
    afters: list[tuple[tuple[Chances, Chances], ...]] = [
        tuple(steps[(i + j) % 3] for i in range(4)) for j in range(3)
    ]

    def points() -> Iterator[tuple[Chances, Chances, Fraction, Fraction, Fraction, Fraction]]:
        for (p, q), after, one, two in product(steps, afters, FACTORS, FACTORS):
            together = joint(p, [a for a, _ in after]), joint(q, [b for _, b in after])
            first = hockey_stick(p, q, one)
            second = max(hockey_stick(a, b, two) for a, b in after)
            yield *together, one, two, first, second

    prove(
        points(),
        lambda p, q, one, two, _first, _second: hockey_stick(p, q, one * two),
        lambda _p, _q, _one, _two, first, second: first + second,
        twin=lambda _p, _q, _one, _two, first, second: max(first, second),
    )
