"""Sensitivities: people with several rows, variances and covariances on all small tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import sfumato as sf
from sfumato.mechanisms.sensitivity import clipped_covariance, clipped_mean, clipped_variance
from tests.proofs.inequalities import prove

if TYPE_CHECKING:
    from collections.abc import Iterator

    Table = tuple[Any, ...]

ALMOST = Fraction(99, 100)
BOUNDS = (-1, 3)
VALUES = (-1, 0, 3)


def substituted(count: int) -> sf.privacy.Relation:
    return sf.privacy.Substitute(count=count)


def changed(values: tuple[Any, ...], size: int, count: int) -> Iterator[tuple[Table, Table]]:
    """Tables of a size, and those in which the first rows are other ones; rows have no order."""
    for kept in combinations_with_order(values, size - count):
        for one, other in combinations(combinations_with_order(values, count), 2):
            yield (*kept, *one), (*kept, *other)


def combinations_with_order(values: tuple[Any, ...], size: int) -> list[Table]:
    return [each for each in product(values, repeat=size) if list(each) == sorted(each)]


def test_sensitivity_people() -> None:
    """Vectors of clipped sums in the L1 norm: none to three rows give way to none to three."""
    vectors = [(-2, 0), (0, 1), (2, 2)]
    reach = max(sum(map(abs, v)) for v in vectors)
    spread = max(
        sum(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in product(vectors, repeat=2)
    )

    def total(rows: Table) -> list[int]:
        return [sum(row[place] for row in rows) for place in (0, 1)]

    def moved(one: Table, other: Table) -> int:
        return sum(abs(a - b) for a, b in zip(total(one), total(other), strict=True))

    def bound(one: Table, other: Table) -> Any:
        least, apart = min(len(one), len(other)), abs(len(one) - len(other))
        found = least * spread + apart * reach
        assert found <= 3 * max(reach, spread)
        return found

    owned = [each for size in range(4) for each in product(vectors, repeat=size)]
    prove(product(owned, repeat=2), moved, bound, twin=lambda *case: ALMOST * bound(*case))


def averages(statistic: Any, values: tuple[Any, ...], extra: tuple[Any, ...]) -> Iterator[Any]:
    """For up to six rows and two substitutions, with what the package declares."""
    for size, count in product(range(1, 7), (1, 2)):
        if count <= size:
            made = statistic(*extra, size=size, relation=substituted(count))
            yield from ((made, *pair) for pair in changed(values, size, count))


def apart(made: Any, one: Table, other: Table) -> Any:
    return abs(made(list(one)) - made(list(other)))


def test_sensitivity_variance() -> None:
    prove(
        averages(clipped_variance, VALUES, BOUNDS),
        apart,
        lambda made, *_: made.sensitivity.l1,
        twin=lambda made, *_: ALMOST * made.sensitivity.l1,
    )


def test_sensitivity_covariance() -> None:
    """Rows at the corners, which the extremes are at."""
    corners = tuple(product((0, 1), BOUNDS))

    def small() -> Iterator[Any]:
        for case in averages(clipped_covariance, corners, ((0, 1), BOUNDS)):
            if len(case[1]) <= 4:
                yield case

    prove(
        small(),
        apart,
        lambda made, *_: made.sensitivity.l1,
        twin=lambda made, *_: ALMOST * made.sensitivity.l1,
    )


def test_a_mean_of_a_public_number_of_rows_moves_by_the_width_over_it() -> None:
    found: dict[Any, Fraction] = {}
    for made, one, other in averages(clipped_mean, VALUES, BOUNDS):
        moved = apart(made, one, other)
        assert moved <= made.sensitivity.l1
        found[made.sensitivity] = max(moved, found.get(made.sensitivity, Fraction(0)))
    assert all(most == declared.l1 for declared, most in found.items())
