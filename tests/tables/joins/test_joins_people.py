"""Rows of one person in two private tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.data.policy import Limits
from sfumato.errors import InputError
from tests.refusing import raises_code
from tests.tables.joins.asked import answered, people, places, visits

OLD = sf.when(sf.col("age") > 60, "old").otherwise("young")


def test_rows_stand_beside_those_of_the_same_person() -> None:
    joined = visits().join(people())
    assert joined.columns == ("id", "zip", "cost", "age")
    assert answered(joined.agg(n=sf.count(), age=sf.sum("age"))) == [{"n": 3, "age": 157.0}]


def test_a_left_join_keeps_people_who_are_in_one_table_only() -> None:
    joined = visits().join(people(), how="left")
    assert answered(joined.agg(n=sf.count(), known=sf.count("age"))) == [{"n": 6, "known": 3}]


def test_a_column_without_gaps_has_some_after_a_left_join() -> None:
    """Else whoever is not in the other table would count as the middle of the bounds."""
    whole = people(complete=["age"])
    for how, total in (("inner", 157.0), ("left", 157.0)):
        assert answered(visits().join(whole, how=how).agg(s=sf.sum("age"))) == [{"s": total}]


def test_rows_without_an_id_are_nobody_s() -> None:
    one = visits([(None, "1010", 1.0), (7, "1010", 2.0)])
    two = people([(None, 50), (7, 61)])
    assert answered(one.join(two).agg(n=sf.count())) == [{"n": 1}]


def test_what_was_done_to_both_tables_is_done_before() -> None:
    one = visits().join(places(), on="zip").filter(sf.col("region") == "Vienna")
    two = people().with_columns(band=OLD).declare(keys={"band": ["old", "young"]})
    asked = one.join(two.filter(sf.col("age") > 40)).group_by("band").agg(n=sf.count())
    assert answered(asked) == [{"band": "old", "n": 1}, {"band": "young", "n": 0}]
    assert str(asked) == (
        "n = count(*) by band joined with the public rows of the table on zip "
        "where region = 'Vienna' joined with the rows of the same person in (the table with band "
        "= CASE WHEN age > 60 THEN 'old' ELSE 'young' END declaring band in ('old', 'young') "
        "where age > 40)"
    )


def test_three_tables_are_joined_in_any_shape() -> None:
    third = sf.table(pd.DataFrame({"nr": [7, 7, 9], "drug": ["a", "b", "a"]}), unit="nr")
    flat = visits().join(people()).join(third)
    nested = visits().join(people().join(third))
    for joined in (flat, nested):
        assert joined.columns == ("id", "zip", "cost", "age", "drug")
        asked = joined.declare(keys={"drug": ["a", "b"]}, limits={"rows": 9})
        assert answered(asked.group_by("drug").agg(n=sf.count())) == [
            {"drug": "a", "n": 2},
            {"drug": "b", "n": 2},
        ]


def test_files_that_were_opened_apart_are_read_in_one_engine(tmp_path: Path) -> None:
    Path(tmp_path, "visits.csv").write_text("id,cost\n07,10\n07,20\n7,1\n")
    pq.write_table(pa.table({"id": ["07", "8"], "age": [61, 35]}), tmp_path / "people.parquet")
    given = {"unit": "id", "limits": {"rows": 2}}
    one = sf.table(tmp_path / "visits.csv", **given, bounds={"cost": (0, 100)})
    two = sf.table(tmp_path / "people.parquet", **given)
    assert answered(one.join(two).agg(n=sf.count(), cost=sf.sum("cost"))) == [{"n": 2, "cost": 30}]
    assert answered(two.join(one).agg(n=sf.count())) == [{"n": 2}]
    frame = sf.table(pd.DataFrame({"id": ["07"], "sex": ["F"]}), **given)
    assert answered(frame.join(one).join(two).agg(n=sf.count())) == [{"n": 2}]


def test_a_file_that_has_other_columns_by_then_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "visits.csv"
    file.write_text("id,cost\n7,10\n")
    table = sf.table(file, unit="id")
    file.write_text("id,price\n7,10\n")
    other = sf.table(pd.DataFrame({"id": ["7"], "age": [61]}), unit="id")
    with raises_code("E-TABLE-CHANGED"):
        other.join(table)


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        ({"rows": 4, "groups": 2}, {"rows": 1}, Limits(rows=4, groups=2)),
        ({"rows": 1}, {"rows": 5, "rows_per_group": 2}, Limits(rows=5, rows_per_group=2)),
        ({"rows": 4, "groups": 2}, {"rows": 3}, Limits(rows=12)),
        ({"rows": 4}, {}, Limits()),
        ({}, {"rows": 3}, Limits()),
        ({"rows": "auto"}, {"rows": 3}, Limits(rows="auto")),
    ],
)
def test_limits_on_rows_multiply(one: Any, two: Any, both: Limits) -> None:
    assert visits(limits=one).join(people(limits=two)).policy.limits == both


def test_what_is_declared_of_both_tables_holds() -> None:
    other = people(keys={("age", "who"): [(61, 7)]})
    joined = visits(keys={"zip": ["1010"]}).join(other)
    assert joined.group_by("zip").agg(m=sf.mean("age")).plan(epsilon=1).keys.count == 1
    assert joined.policy.keysets == ()


def test_public_combinations_come_along() -> None:
    frame = pd.DataFrame({"id": [7], "sex": ["F"], "ward": [1]})
    other = sf.table(frame, unit="id", keys={("sex", "ward"): [("F", 1), ("M", 2)]})
    plan = visits().join(other).group_by("sex", "ward").agg(n=sf.count()).plan(epsilon=1)
    assert plan.keys.rows == (("F", 1), ("M", 2))


@pytest.mark.parametrize(
    ("other", "on", "said"),
    [
        (
            people(unit="row", limits={}),
            None,
            "one table is declared for “add or remove one id",
        ),
        (people(relation="substitute"), None, "the other for “substitute one who"),
        (people(), "zip", r"joined by the person's id alone; leave on out, or write on=\{'id'"),
        (people(ledger={"path": "a.db", "book": "b"}), None, "charged to different books"),
        (sf.table(pd.DataFrame({"who": ["7"]}), unit="who"), None, "held as different types"),
        (sf.table(pd.DataFrame({"who": [7.0]}), unit="who"), None, "held as different types"),
        (sf.table(pd.DataFrame({"who": [7], "cost": [1]}), unit="who"), None, "a column 'cost'"),
    ],
)
def test_tables_that_cannot_be_joined_are_refused_in_a_sentence(
    other: Any, on: Any, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        visits().join(other, on=on)


def test_tables_of_two_books_of_a_ledger_are_not_joined() -> None:
    one, two = ({"path": "a.db", "book": book} for book in ("b", "c"))
    with raises_code("E-JOIN-LEDGERS"):
        visits(ledger=one).join(people(ledger=two))
    assert (
        visits(ledger=one).join(people(ledger=one)).policy.ledger
        == visits(ledger=one).policy.ledger
    )


def test_on_may_name_exactly_the_ids() -> None:
    assert visits().join(people(), on={"id": "who"}).columns == ("id", "zip", "cost", "age")


def test_a_table_is_not_joined_with_itself(tmp_path: Path) -> None:
    table = visits()
    third = people()
    for one, two in [(table, table), (table.join(third), third), (third, table.join(third))]:
        with raises_code("E-JOIN-ITSELF"):
            one.join(two)
    file = tmp_path / "visits.csv"
    file.write_text("id,cost\n7,10\n")
    with raises_code("E-JOIN-ITSELF"):
        sf.table(file, unit="id").join(sf.table(file, unit="id"))


def test_ids_of_whole_numbers_of_other_sizes_are_alike() -> None:
    frame = pa.table({"who": pa.array([7, 8], pa.int16()), "age": [61, 35]})
    other = sf.table(frame, unit="who", limits={"rows": 1})
    assert answered(visits().join(other).agg(n=sf.count())) == [{"n": 3}]
