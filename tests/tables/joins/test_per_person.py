"""One row of all the rows of a person, computed exactly whatever the others' rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.data import open_source
from sfumato.data.policy import Limits
from sfumato.errors import InputError
from sfumato.tables.expressions import compile_expression
from sfumato.tables.run.rows import per_person
from sfumato.tables.tree.rows import PerPerson
from tests.refusing import raises_code
from tests.tables.joins.asked import answered, places, visits

if TYPE_CHECKING:
    from sfumato.tables import PrivateTable

LAST = 2**63 - 1


def each_person(table: PrivateTable, **asked: Any) -> list[dict[str, Any]]:
    """What is computed of the rows of each person, in the order of their ids."""
    rows = table.source.table
    step = PerPerson("id", tuple(asked.items()))
    known, types = table.steps.known, table.steps.types
    made = per_person(rows, step, known, lambda of: compile_expression(of, rows, types))
    found: list[dict[str, Any]] = table.source.fetch(made.order_by("id")).to_pylist()
    return found


def table_of(**columns: Any) -> PrivateTable:
    return sf.table(pa.table(columns), unit="id")


def test_each_person_has_one_row() -> None:
    of_each = {
        "n": sf.count(),
        "places": sf.count("zip"),
        "cost": sf.sum("cost"),
        "mean": sf.mean("cost"),
        "least": sf.minimum("cost"),
        "most": sf.maximum("cost"),
    }
    assert each_person(visits(), **of_each) == [
        {"id": 7, "n": 2, "places": 2, "cost": 30.5, "mean": 15.25, "least": 10.5, "most": 20.0},
        {"id": 8, "n": 1, "places": 1, "cost": 5.0, "mean": 5.0, "least": 5.0, "most": 5.0},
        {"id": 9, "n": 3, "places": 2, "cost": 6.0, "mean": 2.0, "least": 1.0, "most": 3.0},
    ]


def test_what_is_asked_of_them_follows() -> None:
    table = visits().per_person(n=sf.count(), cost=sf.sum("cost"))
    assert table.columns == ("id", "n", "cost")
    assert table.policy.limits == Limits(rows=1, groups=1)
    query = table.declare(keys={"n": [1, 2, 3]}).group_by("n")
    assert answered(query.agg(people=sf.people(), cost=sf.mean("cost", bounds=(0, 100)))) == [
        {"n": 1, "people": 1, "cost": 5.0},
        {"n": 2, "people": 1, "cost": 30.5},
        {"n": 3, "people": 1, "cost": 6.0},
    ]


def test_nothing_is_spent_on_a_limit_nor_left_out_by_one() -> None:
    plan = visits(limits={}).per_person(n=sf.count()).agg(people=sf.count()).plan(epsilon=1)
    assert plan.choices == ()
    assert "contributions above" not in str(plan)
    beside = visits().per_person(zip=sf.count()).with_columns(zip=sf.tables.lit("1010"))
    assert "contributions above" not in str(
        beside.join(places(), on="zip").agg(n=sf.count()).plan(epsilon=1)
    )
    assert "contributions above" in str(visits().agg(n=sf.count()).plan(epsilon=1))


def test_a_sum_without_values_is_missing() -> None:
    table = table_of(id=[1, 1, 2], x=pa.array([None, None, 3], pa.int64()))
    assert each_person(table, s=sf.sum("x"), m=sf.mean("x"), n=sf.count("x")) == [
        {"id": 1, "s": None, "m": None, "n": 0},
        {"id": 2, "s": 3, "m": 3.0, "n": 1},
    ]


def test_a_sum_of_whole_numbers_is_exact_and_ends_where_64_bits_do() -> None:
    table = table_of(id=[1, 1, 2, 2, 3, 3], x=[LAST, LAST, -LAST, -LAST, 2**53, 1])
    found = each_person(table, s=sf.sum("x"), m=sf.mean("x"))
    assert [each["s"] for each in found] == [LAST, -LAST - 1, 2**53 + 1]
    assert [each["m"] for each in found] == [float(2**63), -float(2**63), 2.0**52]


def test_values_are_taken_between_their_bounds() -> None:
    table = table_of(id=[1] * 4, x=[-5, 200, 3, None], y=[-1e308, float("nan"), float("inf"), 0.5])
    asked = {
        "s": sf.sum("x", bounds=(0, 100)),
        "low": sf.minimum("x", bounds=(0, 100)),
        "y": sf.sum("y", bounds=(0, 10)),
        "m": sf.mean("y", bounds=(0, 10)),
    }
    assert each_person(table, **asked) == [{"id": 1, "s": 103, "low": 0, "y": 10.5, "m": 3.5}]


def test_whole_numbers_between_broken_bounds_are_numbers() -> None:
    table = table_of(id=[1, 1], x=[-5, 200])
    assert each_person(table, s=sf.sum("x", bounds=(0.5, 2.25))) == [{"id": 1, "s": 2.75}]


@pytest.mark.parametrize("seed", range(3))
def test_a_sum_depends_on_no_order(seed: int) -> None:
    """A sum in floating point would: 1e16 + 1 - 1e16 is 0 or 1 or 2."""
    rows = [*[(1, 1e16), (1, 1.0), (1, -1e16)] * 50, *[(who, 0.1) for who in range(2, 5_000)]]
    np.random.default_rng(seed).shuffle(rows)
    table = table_of(id=[who for who, _ in rows], x=[x for _, x in rows])
    (found, *_) = each_person(table, s=sf.sum("x", bounds=(-1e16, 1e16)))
    exact = round(1 / 2.0**14) * 2.0**14 * 50
    assert found == {"id": 1, "s": exact}


def test_twin_a_sum_in_floating_point_depends_on_the_order() -> None:
    found = set()
    for seed in range(3):
        rows = [1e16, 1.0, -1e16] * 50
        np.random.default_rng(seed).shuffle(rows)
        source = open_source(pa.table({"x": rows}))
        added = source.table.aggregate(s=source.table.x.sum())
        found.add(source.fetch(added)["s"][0].as_py())
    assert len(found) > 1


def test_of_two_zeros_the_one_without_a_sign_is_taken() -> None:
    table = table_of(id=[1, 1, 2], x=[-0.0, 0.0, -0.0])
    found = each_person(table, low=sf.minimum("x"), high=sf.maximum("x"))
    assert all(str(row[name]) == "0.0" for row in found for name in ("low", "high"))


def test_dates_have_a_first_and_a_last() -> None:
    table = visits([(7, "2020-01-02", 1.0), (7, "2021-01-01", 1.0), (8, "x", 1.0)])
    dated = table.with_columns(day=sf.col("zip").cast("date"))
    each = dated.per_person(first=sf.minimum("day"), last=sf.maximum("day"))
    asked = each.with_columns(days=sf.col("first").days_until(sf.col("last")))
    assert answered(asked.agg(n=sf.count("first"), s=sf.sum("days", bounds=(0, 1000)))) == [
        {"n": 1, "s": 365.0}
    ]


def test_bounds_hold_of_what_is_not_beyond_them() -> None:
    each = visits().per_person(low=sf.minimum("cost"), mean=sf.mean("cost"), sum=sf.sum("cost"))
    assert each.agg(a=sf.mean("low"), b=sf.mean("mean")).plan(epsilon=1).columns["low"].bounds
    with raises_code("E-BOUNDS-MISSING"):
        each.agg(s=sf.sum("sum")).plan(epsilon=1)


def test_a_person_can_be_told_apart_by_what_their_rows_have_in_common() -> None:
    often = visits().per_person(n=sf.count()).filter(sf.col("n") >= 2)
    assert answered(often.agg(people=sf.count())) == [{"people": 2}]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "per_person takes at least one aggregate"),
        ({"m": 3}, "per_person takes aggregates, and 'm' is int"),
        ({"id": sf.count()}, "'id' is the privacy unit; give the new column another name"),
        ({"m": sf.median("cost")}, "median.cost., which is not computed of the rows of one person"),
        ({"v": sf.variance("cost")}, "which is not computed of the rows of one person"),
        ({"p": sf.people()}, "which is not computed of the rows of one person"),
        ({"m": sf.mean("cost", rows=3)}, "which is not computed of the rows of one person"),
        ({"s": sf.sum("zip")}, "zip is of type text; it is computed of columns of type integer"),
        ({"s": sf.minimum("zip")}, "zip is of type text"),
        ({"s": sf.sum(sf.col("cost") * 2)}, "of which no bounds are declared; write sf.sum"),
        ({"s": sf.sum("cost", bounds="auto")}, "of which no bounds are declared"),
        ({"s": sf.sum("coost")}, "there is no column 'coost'; did you mean 'cost'"),
    ],
)
def test_what_cannot_be_computed_of_a_person_is_refused_by_name(asked: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        visits().per_person(**asked)


def test_rows_of_nobody_in_particular_are_refused() -> None:
    with raises_code("E-UNIT-IS-ROW"):
        visits(unit="row", limits={}).per_person(n=sf.count())


def test_a_column_that_was_not_asked_for_is_gone() -> None:
    with raises_code("E-NAME-UNKNOWN", match="there is no column 'zip'"):
        visits().per_person(n=sf.count()).filter(sf.col("zip") == "1010")
