"""Limits that are chosen privately: histograms of people, buckets of rows, and what comes next."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from sfumato.tables.plan.measurements import FINE_BITS, histogram_sensitivity
from tests.proofs.inequalities import prove
from tests.proofs.test_definitions import DISTRIBUTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    Chances = tuple[Fraction, ...]

import sfumato as sf

ALMOST = Fraction(99, 100)
FINE = 1 << FINE_BITS
CELLS = 22


def test_limits_histogram() -> None:
    """A person comes, or is in another cell; and in the L2 norm it is less."""

    def unit(cell: int | None) -> list[int]:
        return [int(place == cell) for place in range(CELLS)]

    def moved(before: int | None, after: int | None) -> int:
        apart = [a - b for a, b in zip(unit(before), unit(after), strict=True)]
        assert sum(each * each for each in apart) <= sum(map(abs, apart)) ** 2
        return sum(map(abs, apart))

    def sensitivity(before: int | None, after: int | None) -> Fraction:
        substituted = before is not None and after is not None
        relation = sf.privacy.Substitute() if substituted else sf.privacy.AddRemove()
        return histogram_sensitivity(relation)

    prove(
        product([None, *range(CELLS)], repeat=2),
        moved,
        sensitivity,
        twin=lambda *case: ALMOST * sensitivity(*case),
    )


def test_limits_buckets() -> None:
    """However a person's rows lie in buckets, each has its share of the whole."""

    def held(rows: int, buckets: int) -> int:
        lying = [rows // buckets + (place < rows % buckets) for place in range(buckets)]
        return sum(each * (FINE // rows) for each in lying)

    prove(
        product([1, 2, 3, 7, 1000, 65535, 65536, 65537, 100_000], [1, 3, 193]),
        held,
        lambda *_: FINE,
        twin=lambda *_: ALMOST * FINE,
    )


def test_limits_then() -> None:
    """The second step has another pair of distributions for each output of the first."""

    def ratio(p: Chances, q: Chances) -> Fraction:
        return max(max(a / b, b / a) for a, b in zip(p, q, strict=True))

    full = [each for each in DISTRIBUTIONS if all(each)]
    pairs = [(one, other) for one in full for other in full]

    def cases() -> Iterator[tuple[int, int, int, int, int]]:
        for first, then in product(range(len(pairs)), repeat=2):
            yield from ((first, then, 5, y, z) for y, z in product(range(4), repeat=2))

    def second(then: int, other: int, y: int) -> tuple[Chances, Chances]:
        return pairs[then] if y % 2 else pairs[other]

    def likelier(first: int, then: int, other: int, y: int, z: int) -> Fraction:
        (p, q), (p2, q2) = pairs[first], second(then, other, y)
        return p[y] * p2[z] / (q[y] * q2[z])

    def bound(first: int, then: int, other: int, _y: int, _z: int) -> Fraction:
        worst = max(ratio(*pairs[then]), ratio(*pairs[other]))
        return ratio(*pairs[first]) * worst

    prove(cases(), likelier, bound, twin=lambda *case: ALMOST * bound(*case))
