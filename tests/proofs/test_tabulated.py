"""A table of probabilities: every set of outputs, and how many draws lead to each output."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, permutations
from typing import TYPE_CHECKING

import numpy as np

import sfumato as sf
from sfumato.numeric import Ln
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

ALMOST = Fraction(99, 100)
TABLES = ([[3, 1], [1, 3]], [[1, 2, 3], [2, 2, 2], [3, 2, 1]], [[5, 0, 1], [4, 0, 2], [1, 0, 1]])


def ratio(table: list[list[int]]) -> Fraction:
    """e^ε of the mechanism, with all inputs neighbours."""
    found = sf.mechanisms.Tabulated(table, neighbours="all").epsilon
    assert isinstance(found, Ln)
    return found.argument


def events(table: list[list[int]]) -> Iterator[tuple[list[list[int]], Fraction, Fraction]]:
    """Every set of outputs, with its probabilities on any two inputs."""
    rows = [[Fraction(each, sum(row)) for each in row] for row in table]
    places = range(len(table[0]))
    sets = chain.from_iterable(combinations(places, size) for size in range(1, len(places) + 1))
    for event in sets:
        for one, other in permutations(rows, 2):
            first, second = (sum((row[y] for y in event), Fraction(0)) for row in (one, other))
            yield table, first, second


def test_table_ratio() -> None:
    prove(
        chain.from_iterable(map(events, TABLES)),
        lambda _table, one, _other: one,
        lambda table, _one, other: ratio(table) * other,
        twin=lambda table, _one, other: ALMOST * ratio(table) * other,
    )


def test_table_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every whole number below the denominator is drawn once."""

    def drawn(table: list[list[int]], value: int) -> Counter[object]:
        totals: list[int] = []
        told: Counter[object] = Counter()
        mechanism = sf.mechanisms.Tabulated(table, neighbours="all")
        while not totals or told.total() < totals[0]:

            def next_one(total: int, _size: int, *, source: object) -> object:
                assert source is not None
                totals.append(total)
                return np.array([told.total()])

            monkeypatch.setattr("sfumato.mechanisms.choices.tabulated.uniform_below", next_one)
            told[mechanism.release(value).value] += 1
        return told

    found = [(table, value, drawn(table, value)) for table in TABLES for value in range(len(table))]
    prove_equal(
        (
            (row, told, y)
            for table, value, told in found
            for row in [table[value]]
            for y in range(len(row))
        ),
        lambda _row, told, y: Fraction(told[y], told.total()),
        lambda row, _told, y: Fraction(row[y], sum(row)),
        twin=lambda row, _told, y: Fraction(row[y] + 1, sum(row) + 1),
    )
