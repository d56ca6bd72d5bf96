"""Contribution bounding: weights in doubles, one person's sums in both norms, and joint noise."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import floor, isqrt, sqrt
from typing import TYPE_CHECKING, Any

import sfumato as sf
from sfumato.numeric import as_ball
from sfumato.tables.plan.measurements import FINE_BITS
from tests.proofs.inequalities import prove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb

    #: What rows of one person add: for each group a list.
    Owned = list[list[int]]

ALMOST = Fraction(99, 100)
FINE = 1 << FINE_BITS
LIMITS = [Fraction(1), Fraction(7), Fraction(1449, 1024), Fraction(10**9)]
#: The most that a row adds.
MOST = 10


def weight(size: float, limit: Fraction) -> int:
    """As the engine computes it, in doubles."""
    if size <= limit:
        return FINE
    return floor(float(limit * FINE) * (1 - 2.0**-40) / size)


def sizes(limit: Fraction) -> Iterator[int]:
    """Around the limit, and around what makes the quotient nearly whole."""
    first = floor(limit) + 1
    yield from (first, first + 1, 2 * first, 3 * first - 1, 65536 * first, 10**15 + 7)


def test_bounding_floats() -> None:
    """Sizes of rows, and roots of whole numbers, which are rounded; squares are compared."""

    def whole(size: int, limit: Fraction) -> Fraction:
        return Fraction(weight(float(size), limit) * size) ** 2

    def root(square: int, limit: Fraction) -> Fraction:
        found = sqrt(float(square)) * (1 + 2.0**-50)
        return Fraction(weight(found, limit) ** 2 * square)

    def squared(_size: int, limit: Fraction) -> Fraction:
        return FINE**2 * limit * limit

    counted = [(size, limit) for limit in LIMITS for size in sizes(limit)]
    squares = [
        (size, limit)
        for limit in LIMITS
        for size in (floor(limit**2) + 1, floor(limit**2) + 2, 5 * floor(limit**2) + 3)
    ]
    prove(counted, whole, squared, twin=lambda *case: ALMOST * squared(*case))
    prove(squares, root, squared, twin=lambda *case: ALMOST * squared(*case))


def people() -> Iterator[Owned]:
    """Rows of a person in up to three groups, of both signs."""
    yield from (
        [[MOST]],
        [[MOST] * 3, [-MOST] * 4],
        [[1, -2], [3] * 5, [MOST] * 20],
        [[-MOST] * 9, [], [MOST] * 9],
        [[MOST, -MOST] * 6, [7]],
    )


def test_bounding_rows() -> None:
    def moved(owned: Owned, limit: Fraction) -> int:
        weighed = weight(float(sum(map(len, owned))), limit)
        return sum(abs(sum(weighed * each for each in group)) for group in owned)

    prove(
        product(people(), LIMITS[:3]),
        moved,
        lambda _, limit: FINE * limit * MOST,
        twin=lambda _, limit: ALMOST * FINE * limit * MOST,
    )


def test_bounding_roots() -> None:
    """Squares of the L2 norm."""

    def moved(owned: Owned, limit: Fraction) -> int:
        square = sum(len(group) ** 2 for group in owned)
        weighed = weight(sqrt(float(square)) * (1 + 2.0**-50), limit)
        return sum(sum(weighed * each for each in group) ** 2 for group in owned)

    prove(
        product(people(), LIMITS[:3]),
        moved,
        lambda _, limit: (FINE * limit * MOST) ** 2,
        twin=lambda _, limit: ALMOST * (FINE * limit * MOST) ** 2,
    )


def test_bounding_values() -> None:
    def moved(owned: Owned, limit: Fraction) -> int:
        size = sum(abs(each) for group in owned for each in group)
        return weight(float(size), limit * MOST) * size

    prove(
        product(people(), LIMITS[:3]),
        moved,
        lambda _, limit: FINE * limit * MOST,
        twin=lambda _, limit: ALMOST * FINE * limit * MOST,
    )


def sums(owned: Owned, limit: Fraction) -> list[int]:
    weighed = weight(float(sum(map(len, owned))), limit)
    return [sum(weighed * each for each in group) for group in (*owned, [], [])][:3]


def test_bounding_neighbours() -> None:
    """One person goes and another comes; the twin counts one of both."""

    def moved(one: Owned, other: Owned, limit: Fraction) -> int:
        both = zip(sums(one, limit), sums(other, limit), strict=True)
        return sum(abs(before - after) for before, after in both)

    prove(
        product(people(), people(), LIMITS[:3]),
        moved,
        lambda _one, _other, limit: 2 * FINE * limit * MOST,
        twin=lambda _one, _other, limit: FINE * limit * MOST,
    )


def test_bounding_together() -> None:
    """Two parts of a column and the rows without it; each row adds at most one of its most."""
    scale_of = {"upper": MOST, "lower": MOST, "missing": 1}
    epsilon = Fraction(3, 2)

    def added(value: int | None) -> dict[str, int]:
        if value is None:
            return {"upper": 0, "lower": 0, "missing": 1}
        return {"upper": value, "lower": MOST - value, "missing": 0}

    def exponent(values: tuple[int | None, ...], limit: Fraction) -> Fraction:
        weighed = weight(float(len(values)), limit)
        total = Fraction(0)
        for part, most in scale_of.items():
            moved = abs(sum(weighed * added(each)[part] for each in values))
            total += moved / (FINE * limit * most / epsilon)
        return total

    rows = [values for size in (1, 2, 3) for values in product((0, 4, MOST, None), repeat=size)]
    prove(
        product(rows, LIMITS[:3]),
        exponent,
        lambda *_: epsilon,
        twin=lambda *_: ALMOST * epsilon,
    )


def test_bounding_choices() -> None:
    """Of weights 1 in all over two groups, added, or taken from a cell and given to another."""
    epsilon, cells = Fraction(3, 2), [(5, 3), (0, 0)]
    shares = [Fraction(1), Fraction(1, 3)]

    def made(kind: Any, substituted: bool) -> Any:  # noqa: FBT001
        relation = sf.privacy.Substitute() if substituted else sf.privacy.AddRemove()
        most = 2 if substituted else 1
        return kind(epsilon=epsilon, sensitivity=most, monotone=True, relation=relation)

    def held(place: int | None, share: Fraction) -> list[list[Fraction]]:
        """The counts of both groups with one person, who has two shares in the same cell."""
        parts = (share, 1 - share)
        return [
            [count + part * (cell == place) for cell, count in enumerate(counts)]
            for counts, part in zip(cells, parts, strict=True)
        ]

    def chance(
        kind: Any, change: tuple[int | None, int], share: Fraction, side: int, y: Any
    ) -> arb:
        mechanism = made(kind, substituted=change[0] is not None)
        groups = held(change[side], share)
        first, second = (mechanism.distribution(counts) for counts in groups)
        product_of_both: arb = first.ball(y[0]) * second.ball(y[1])
        return product_of_both

    kinds = [sf.mechanisms.Exponential, sf.mechanisms.PermuteAndFlip]
    changes = [(None, 0), (None, 1), (0, 1), (1, 0)]
    prove(
        product(kinds, changes, shares, (0, 1), product((0, 1), repeat=2)),
        chance,
        lambda kind, change, share, side, y: (
            as_ball(epsilon).exp() * chance(kind, change, share, 1 - side, y)
        ),
        twin=lambda kind, change, share, side, y: (
            as_ball(epsilon / 2).exp() * chance(kind, change, share, 1 - side, y)
        ),
    )


def test_roots_of_whole_numbers_in_doubles_are_not_below_the_root() -> None:
    """What the proof says of the relative error of a root, raised by 2^-50."""
    for square in [*range(1, 2000), 10**15 + 1, 2**53 - 1, 2**60 + 12345]:
        raised = Fraction(sqrt(float(square)) * (1 + 2.0**-50))
        assert raised**2 >= square or isqrt(square) ** 2 == square
