"""Small mechanisms with exact output distributions, on which the statements are checked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from itertools import chain, combinations, product
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "Mechanism",
    "OutputDistribution",
    "answer",
    "events",
    "neighbours",
    "noisy_count",
    "survey",
]

OutputDistribution = Mapping[Hashable, Fraction]
Mechanism = Mapping[tuple[Hashable, ...], OutputDistribution]


def answer(value: int, truth: Fraction) -> dict[Hashable, Fraction]:
    """Return the distribution of a yes or no that is true with a given probability."""
    return {value: truth, 1 - value: 1 - truth}


def survey(people: int, truth: Fraction) -> Mechanism:
    """Return randomized response of some people: for each table, that of all answers."""
    tables = list(product((0, 1), repeat=people))
    return {
        table: {
            given: _product(answer(x, truth)[y] for x, y in zip(table, given, strict=True))
            for given in tables
        }
        for table in tables
    }


def noisy_count(people: int, falling: Fraction) -> Mechanism:
    """Return a count whose noise falls by a factor with every step, cut to 0 … people."""
    return {
        table: _normalised({y: falling ** abs(y - sum(table)) for y in range(people + 1)})
        for table in product((0, 1), repeat=people)
    }


def neighbours(mechanism: Mechanism) -> Iterator[tuple[OutputDistribution, OutputDistribution]]:
    """Yield the distributions on any two tables that differ in one row, in both orders."""
    for one, other in product(mechanism, repeat=2):
        if sum(a != b for a, b in zip(one, other, strict=True)) == 1:
            yield mechanism[one], mechanism[other]


def events(p: OutputDistribution, q: OutputDistribution) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield both probabilities of every event but the empty one."""
    outcomes = list(dict.fromkeys([*p, *q]))
    sizes = range(1, len(outcomes) + 1)
    for event in chain.from_iterable(combinations(outcomes, size) for size in sizes):
        yield _probability(p, event), _probability(q, event)


def _probability(distribution: OutputDistribution, event: tuple[Hashable, ...]) -> Fraction:
    return sum((distribution.get(each, Fraction(0)) for each in event), Fraction(0))


def _product(factors: Iterable[Fraction]) -> Fraction:
    return prod(factors, start=Fraction(1))


def _normalised(weights: dict[Hashable, Fraction]) -> dict[Hashable, Fraction]:
    total = sum(weights.values(), Fraction(0))
    return {outcome: weight / total for outcome, weight in weights.items()}
