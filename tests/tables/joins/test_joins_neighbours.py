"""How far one person moves what is measured of joined rows, beside a reference in plain Python."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from tests.cases import rings
from tests.tables.audits.families import SWEEP
from tests.tables.joins.asked import Person, Visit, core, people, places, visits

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.tables import PrivateTable

    #: What is done to both tables, and the same in Python: person, key and value of each row.
    Shape = tuple[
        Callable[[PrivateTable, PrivateTable], PrivateTable],
        Callable[[list[Visit], list[Person]], list[tuple[Any, Any, Any]]],
    ]

FINE = 2**16
ZIPS = {"zip": ["1010", "8010", "1010", None], "region": ["a", "b", "b", "a"], "beds": [3, 5, 4, 1]}
IDS = [1, 2, 3, None]

visit = st.tuples(
    st.sampled_from(IDS),
    st.sampled_from(["1010", "8010", "9999", None]),
    st.sampled_from([0.0, 1.5, 10.0, -3.0, float("nan"), float("inf"), None]),
)
person = st.tuples(st.sampled_from(IDS), st.sampled_from([0, 30, 61, 110, None]))


def _beside_public(rows: list[Visit], _: list[Person]) -> list[tuple[Any, Any, Any]]:
    zips = list(zip(*ZIPS.values(), strict=True))
    return [
        (who, region, beds)
        for who, where, _cost in rows
        for known, region, beds in zips
        if where is not None and where == known
    ]


def _beside_people(rows: list[Visit], others: list[Person]) -> list[tuple[Any, Any, Any]]:
    return [
        (who, "a", age)
        for who, _where, _cost in rows
        for other, age in others
        if who is not None and who == other
    ]


def _left(rows: list[Visit], others: list[Person]) -> list[tuple[Any, Any, Any]]:
    known = {each for each, _ in others if each is not None}
    alone = [(who, "a", None) for who, _, _ in rows if who not in known]
    return _beside_people(rows, others) + alone


def _per_person(rows: list[Visit], _: list[Person]) -> list[tuple[Any, Any, Any]]:
    found: dict[Any, int] = defaultdict(int)
    for who, _where, _cost in rows:
        found[who] += 1
    return [(who, "a", count) for who, count in found.items()]


def _public(table: PrivateTable, _: PrivateTable) -> PrivateTable:
    joined = table.join(places(**ZIPS), on="zip")
    return joined.with_columns(key=sf.col("region"), value=sf.col("beds"))


def _people(table: PrivateTable, other: PrivateTable) -> PrivateTable:
    return table.join(other).with_columns(key=sf.tables.lit("a"), value=sf.col("age"))


def _kept(table: PrivateTable, other: PrivateTable) -> PrivateTable:
    return table.join(other, how="left").with_columns(key=sf.tables.lit("a"), value=sf.col("age"))


def _one_each(table: PrivateTable, _: PrivateTable) -> PrivateTable:
    return table.per_person(value=sf.count()).with_columns(key=sf.tables.lit("a"))


SHAPES: dict[str, Shape] = {
    "a public table": (_public, _beside_public),
    "another private table": (_people, _beside_people),
    "another private table, left": (_kept, _left),
    "one row each": (_one_each, _per_person),
}
#: Sensitivities in L1, and in L2.
ROOTED = [*zip(SHAPES, [False, True] * 2, strict=True)]


def joined(name: str, rows: list[Visit], others: list[Person], limit: int) -> PrivateTable:
    made = SHAPES[name][0](visits(rows), people(others))
    return made.declare(keys={"key": ["a", "b"]}, limits={"rows": limit})


@pytest.mark.full
@pytest.mark.parametrize("name", SHAPES)
@given(rows=st.lists(visit, max_size=8), others=st.lists(person, max_size=5))
@settings(max_examples=50 if SWEEP else 4)
def test_rows_are_those_of_the_reference(
    name: str, rows: list[Visit], others: list[Person]
) -> None:
    plan = joined(name, rows, others, 1000).group_by("key").agg(n=sf.count()).plan(epsilon=1)
    (counts,) = core(plan).values()
    expected = SHAPES[name][1](rows, others)
    assert counts == [FINE * sum(key == each for _, key, _ in expected) for each in ("a", "b")]


@pytest.mark.parametrize(("name", "rooted"), rings(ROOTED, first=ROOTED[:2]))
@given(rows=st.lists(visit, min_size=4, max_size=10), others=st.lists(person, max_size=6))
@settings(max_examples=50 if SWEEP else 2)
def test_one_person_in_both_tables_moves_no_measurement_by_more_than_claimed(
    name: str, rows: list[Visit], others: list[Person], *, rooted: bool
) -> None:
    asked = {"n": sf.count(), "m": sf.mean("value", bounds=(0, 9)), "p": sf.people()}

    def measured(away: Any) -> Any:
        stay = [each for each in rows if each[0] != away]
        rest = [each for each in others if each[0] != away]
        query = joined(name, stay, rest, 2).group_by("key").agg(**asked)
        plan = query.plan(rho=1) if rooted else query.plan(epsilon=1)
        return plan, core(plan)

    plan, full = measured(away="nobody")
    for each in (1, None):
        _, without = measured(each)
        for measurement, column in full.items():
            moved = [abs(one - two) for one, two in zip(column, without[measurement], strict=True)]
            size = sum(step**2 for step in moved) if rooted else sum(moved) ** 2
            assert size <= plan.contribution.sensitivity(measurement) ** 2


def test_twin_a_limit_before_the_join_is_moved_past() -> None:
    """Two rows of a person, each beside two public ones, are four."""
    rows: list[Visit] = [(1, "1010", 1.0)] * 2
    before = visits(rows, limits={"rows": 2}).agg(n=sf.count()).plan(epsilon=1)
    after = visits(rows).join(places(**ZIPS), on="zip").declare(limits={"rows": 4})
    (count,) = core(after.agg(n=sf.count()).plan(epsilon=1)).values()
    (measurement,) = core(before)
    assert count[0] > before.contribution.sensitivity(measurement)
