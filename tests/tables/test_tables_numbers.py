"""Columns of numbers that a private table hands over, and those that it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import InputError, UnknownNameError
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.data.number_columns import Measured

PEOPLE = pd.DataFrame(
    {
        "id": [7, 7, 8],
        "age": [61, 64, 12],
        "paid": [10.5, None, float("inf")],
        "sex": ["F", "F", "M"],
    }
)
BOUNDS = {"age": (0, 110), "paid": (0, 50)}


def held(**declared: Any) -> sf.tables.PrivateTable:
    return sf.table(PEOPLE, **{"unit": "id", "bounds": BOUNDS, **declared})


def rows(measured: Measured) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = measured.source.fetch(measured.table).to_pylist()
    return found


def test_all_bounded_columns_of_numbers_are_handed_over_but_the_unit() -> None:
    found = held(bounds={**BOUNDS, "id": (0, 9)}, limits={"rows": 3}).numbers()
    assert found.names == ("age", "paid")
    assert (found.low, found.high) == ((0.0, 0.0), (110.0, 50.0))
    assert found.limit == 3
    assert found.has_people
    assert rows(found)[0] == {"person": 7, "x0": 61.0, "x1": 10.5}


def test_columns_come_in_the_order_asked_for() -> None:
    found = held(unit="row").numbers(["paid", "age"])
    assert found.names == ("paid", "age")
    assert not found.has_people
    assert [each["x1"] for each in rows(found)] == [61.0, 64.0, 12.0]


def test_what_is_done_to_rows_is_done_before() -> None:
    old = held().filter(sf.col("age") > 60).with_columns(half=sf.col("age") / 2)
    found = old.declare(bounds={"half": (0, 55)}).numbers("half")
    assert [each["x0"] for each in rows(found)] == [30.5, 32.0]


def test_joined_columns_are_handed_over() -> None:
    public = sf.public(pd.DataFrame({"sex": ["F", "M"], "tall": [1.6, 1.8]}))
    found = held().join(public, on="sex").declare(bounds={"tall": (1, 2)}).numbers("tall")
    assert sorted(each["x0"] for each in rows(found)) == [1.6, 1.6, 1.8]


def test_one_row_of_each_person_is_handed_over() -> None:
    each = held().per_person(visits=sf.count()).declare(bounds={"visits": (0, 5)})
    found = each.numbers("visits")
    assert found.limit == 1
    assert sorted(row["x0"] for row in rows(found)) == [1.0, 2.0]


def test_texts_of_a_file_are_read_as_numbers_and_never_fail(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,sex\n61,F\nold,F\n,M\n1e999,M\n")
    found = sf.table(path, unit="row", bounds={"age": (0, 110)}).numbers()
    assert [each["x0"] for each in rows(found)] == [61.0, None, None, None]


def test_the_ledger_and_the_budget_are_told() -> None:
    place = {"path": "ledger.db", "book": "people"}
    found = held(ledger=place, budget={"epsilon": 1}).numbers()
    assert found.ledger is not None
    assert (found.ledger.book, found.budgeted) == ("people", True)
    assert not held().numbers().budgeted


def test_other_rows_have_another_digest() -> None:
    table = held()
    some = [table, table.filter(sf.col("age") > 60), table.filter(sf.col("age") > 61)]
    digests = [each.numbers().digest for each in (*some, held(limits={"rows": 2}))]
    assert len(set(digests)) == 4
    assert held().numbers().digest == digests[0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("sex", "'sex' is of type text, and only numbers are added up"),
        ("id", "'id' is the privacy unit"),
        ([], "no column is named"),
        (["age", "age"], "named twice"),
        (3, "int is not the type of a name"),
    ],
)
def test_other_columns_are_refused(columns: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        held().numbers(columns)


def test_an_unknown_column_is_refused_with_the_nearest() -> None:
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'age'", kind=UnknownNameError):
        held().numbers("agee")


@pytest.mark.parametrize("columns", [None, "age"])
@pytest.mark.parametrize("bounds", [None, {"age": "auto"}])
def test_bounds_have_to_be_declared(columns: Any, bounds: Any) -> None:
    with raises_code("E-BOUNDS-MISSING"):
        held(bounds=bounds).numbers(columns)


def test_bounds_that_are_the_same_double_are_refused() -> None:
    near = {"paid": ("0.1", "0.10000000000000000001")}
    with raises_code("E-BOUNDS-WIDTH"):
        held(bounds=near).numbers()


def test_a_limit_that_is_not_known_yet_is_refused() -> None:
    with raises_code("E-LIMITS-MISSING"):
        held(limits={"rows": "auto"}).numbers()
