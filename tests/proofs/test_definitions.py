"""The five facts that all proofs share, on distributions with rational probabilities."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, product
from math import ceil, floor
from typing import TYPE_CHECKING

from tests.proofs.inequalities import prove

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Chances = tuple[Fraction, ...]

#: e^ε as rationals, so that all is exact.
FACTORS = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5)]
WEIGHTS = [(1, 1, 1, 1), (1, 2, 3, 4), (4, 3, 2, 1), (0, 1, 1, 6), (5, 0, 1, 1)]
DISTRIBUTIONS = [tuple(Fraction(each, sum(row)) for each in row) for row in WEIGHTS]
PAIRS = list(product(DISTRIBUTIONS, repeat=2))


def sets(size: int) -> Iterator[tuple[int, ...]]:
    """All sets of outputs."""
    return chain.from_iterable(combinations(range(size), count) for count in range(size + 1))


def hockey_stick(one: Sequence[Fraction], other: Sequence[Fraction], factor: Fraction) -> Fraction:
    return sum(
        (max(p - factor * q, Fraction(0)) for p, q in zip(one, other, strict=True)), Fraction(0)
    )


def of(chances: Chances, outputs: tuple[int, ...]) -> Fraction:
    return sum((chances[each] for each in outputs), Fraction(0))


def test_pointwise_ratio() -> None:
    def points() -> Iterator[tuple[Chances, Chances, Fraction, tuple[int, ...]]]:
        for (p, q), outputs in product(PAIRS, sets(4)):
            if all(q):
                yield p, q, max(a / b for a, b in zip(p, q, strict=True)), outputs

    prove(
        points(),
        lambda p, _q, _factor, outputs: of(p, outputs),
        lambda _p, q, factor, outputs: factor * of(q, outputs),
        twin=lambda _p, q, factor, outputs: Fraction(99, 100) * factor * of(q, outputs),
    )


def test_worst_set() -> None:
    prove(
        ((p, q, factor, outputs) for (p, q), factor, outputs in product(PAIRS, FACTORS, sets(4))),
        lambda p, q, factor, outputs: of(p, outputs) - factor * of(q, outputs),
        lambda p, q, factor, _outputs: hockey_stick(p, q, factor),
        twin=lambda p, q, factor, _outputs: Fraction(99, 100) * hockey_stick(p, q, factor),
    )


def test_worst_set_as_a_mean_of_the_loss() -> None:
    """The sum is the mean of (1 - e^(ε - L))₊ under P, where outputs that Q lacks count whole."""
    for (p, q), factor in product(PAIRS, FACTORS):
        gains = (a * max(1 - factor * b / a, Fraction(0)) for a, b in zip(p, q, strict=True) if a)
        assert sum(gains, Fraction(0)) == hockey_stick(p, q, factor)


def test_post_processing() -> None:
    """Every random function to two values is a mixture of these, which send outputs to one of them.

    The twin looks at something else than the output: at the table.
    """

    def processed(chances: Chances, function: Chances) -> Chances:
        first = sum((a * b for a, b in zip(chances, function, strict=True)), Fraction(0))
        return first, 1 - first

    functions = list(product([Fraction(0), Fraction(1, 3), Fraction(1)], repeat=4))
    prove(
        (
            (p, q, factor, function)
            for (p, q), factor, function in product(PAIRS[::4], FACTORS[:2], functions)
        ),
        lambda p, q, factor, function: hockey_stick(
            processed(p, function), processed(q, function), factor
        ),
        lambda p, q, factor, _function: hockey_stick(p, q, factor),
        twin=lambda p, q, factor, _function: Fraction(99, 100) * hockey_stick(p, q, factor),
    )


def test_two_changes() -> None:
    """Of three distributions, each within the same factor of the next."""

    def greatest(p: Chances, q: Chances) -> Fraction:
        return max(max(a / b, b / a) for a, b in zip(p, q, strict=True))

    full = [each for each in DISTRIBUTIONS if all(each)] + [
        (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 8)),
        (Fraction(1, 4), Fraction(1, 2), Fraction(1, 8), Fraction(1, 8)),
        (Fraction(1, 8), Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)),
    ]
    doubled = [(Fraction(1 << i), Fraction(1)) for i in range(3)]
    two_outputs = [tuple(each / sum(row) for each in row) for row in doubled]
    prove(
        [*product(full, repeat=3), *product(two_outputs, repeat=3)],
        lambda first, _between, last: greatest(first, last),
        lambda first, between, last: max(greatest(first, between), greatest(between, last)) ** 2,
        twin=lambda first, between, last: max(greatest(first, between), greatest(between, last)),
    )


def test_grid_steps() -> None:
    places = [Fraction(each, 8) for each in range(-20, 21)]

    def steps(value: Fraction, step: Fraction) -> int:
        return floor(value / step + Fraction(1, 2))

    prove(
        product(places, places, [Fraction(1, 4), Fraction(1), Fraction(3, 2)]),
        lambda one, other, step: abs(steps(one, step) - steps(other, step)),
        lambda one, other, step: ceil(abs(one - other) / step),
        twin=lambda one, other, step: floor(abs(one - other) / step),
    )
