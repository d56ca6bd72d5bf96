"""Private rows beside public ones."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.data.policy import Limits
from sfumato.errors import InputError, UnknownNameError
from tests.refusing import raises_code
from tests.tables.joins.asked import answered, core, places, visits


def test_each_row_stands_beside_every_public_row_that_is_alike() -> None:
    joined = visits().join(places(), on="zip")
    assert joined.columns == ("id", "zip", "cost", "region")
    assert answered(joined.group_by("region").agg(n=sf.count(), cost=sf.sum("cost"))) == [
        {"region": "Old Vienna", "n": 2, "cost": 15.5},
        {"region": "Styria", "n": 2, "cost": 23.0},
        {"region": "Vienna", "n": 2, "cost": 15.5},
    ]


def test_a_left_join_keeps_rows_that_are_like_no_public_one() -> None:
    joined = visits().join(places(), on="zip", how="left")
    assert answered(joined.group_by("region").agg(n=sf.count())) == [
        {"region": "Old Vienna", "n": 2},
        {"region": "Styria", "n": 2},
        {"region": "Vienna", "n": 2},
        {"region": None, "n": 2},
    ]


def test_a_missing_value_is_like_no_other() -> None:
    public = places(zip=["9999", None], region=["Carinthia", "Nowhere"])
    joined = visits().join(public, on="zip")
    assert answered(joined.group_by("region").agg(n=sf.count())) == [
        {"region": "Carinthia", "n": 1},
        {"region": "Nowhere", "n": 0},
    ]


def test_columns_that_are_called_otherwise_are_named_in_pairs() -> None:
    public = places(code=["1010", "8010"], year=[1, 2], region=["Vienna", "Styria"])
    table = visits().with_columns(era=sf.when(sf.col("cost") > 15, 2).otherwise(1))
    joined = table.join(public, on={"zip": "code", "era": "year"})
    assert joined.columns == ("id", "zip", "cost", "era", "region")
    assert answered(joined.group_by("region").agg(n=sf.count())) == [
        {"region": "Styria", "n": 1},
        {"region": "Vienna", "n": 2},
    ]


def test_what_follows_uses_the_columns_that_came_along() -> None:
    joined = visits().join(places(), on="zip")
    asked = joined.filter(sf.col("region").lower().contains("vienna"))
    asked = asked.with_columns(share=sf.col("cost") / 2)
    assert answered(asked.agg(n=sf.count(), s=sf.sum("share", bounds=(0, 50)))) == [
        {"n": 4, "s": 15.5}
    ]


def test_the_values_of_a_public_column_are_public_keys_and_bounds() -> None:
    public = places(zip=["1010", "8010"], beds=[3, 5])
    plan = visits().join(public, on="zip").group_by("beds").agg(m=sf.mean("beds")).plan(epsilon=1)
    assert plan.keys.rows == ((3,), (5,))
    assert plan.columns["beds"].bounds == (3, 5)


def test_what_is_missing_is_a_group_and_no_favourite() -> None:
    left = visits().join(places(), on="zip", how="left")
    assert left.group_by("region").agg(n=sf.count()).plan(epsilon=1).keys.count == 4
    with raises_code("E-ARGUMENT-RANGE", match="asks for 4 values, and there are 3 to choose"):
        left.agg(r=sf.tables.top_k("region", 4)).plan(epsilon=1)


def test_an_inner_join_leaves_only_public_values_in_the_columns_it_is_on() -> None:
    inner, left = (visits().join(places(), on="zip", how=how) for how in ("inner", "left"))
    assert inner.group_by("zip").agg(n=sf.count()).plan(epsilon=1).keys.count == 2
    with raises_code("E-KEYS-MISSING"):
        left.group_by("zip").agg(n=sf.count()).plan(epsilon=1)


def test_keys_that_were_declared_stay_those() -> None:
    table = visits(keys={"zip": ["1010", "4020"]})
    joined = table.join(places(), on="zip")
    assert answered(joined.group_by("zip").agg(n=sf.count())) == [
        {"zip": "1010", "n": 4},
        {"zip": "4020", "n": 0},
    ]


def test_a_limit_on_rows_grows_with_the_rows_that_are_alike() -> None:
    table = visits(limits={"rows": 4, "groups": 2})
    assert table.join(places(), on="zip").policy.limits == Limits(rows=8)
    once = places(zip=["1010", "8010"], region=["Vienna", "Styria"])
    assert table.join(once, on="zip").policy.limits == table.policy.limits


def test_a_limit_that_grows_out_of_hand_is_chosen_privately() -> None:
    table = visits(limits={"rows": 10**9})
    plan = table.join(places(), on="zip").agg(n=sf.count()).plan(epsilon=1)
    assert [str(each) for each in plan.choices] == [
        "choose the contribution limit of the number of rows: ε = 0.1667"
    ]


def test_limits_are_declared_of_the_joined_rows() -> None:
    joined = visits(limits={}).join(places(), on="zip").declare(limits={"rows": 3})
    assert joined.agg(n=sf.count()).plan(epsilon=1).contribution.limits["rows"].most == 3


def test_where_rows_are_protected_a_row_becomes_one_or_none() -> None:
    table = visits(unit="row", limits={})
    with raises_code("E-JOIN-MULTIPLIES"):
        table.join(places(), on="zip")
    once = places(zip=["1010", "8010"], region=["Vienna", "Styria"])
    (count,) = core(table.join(once, on="zip").agg(n=sf.count()).plan(epsilon=1)).values()
    assert count == [4]


def test_zeros_with_and_without_a_sign_are_one_key() -> None:
    """The engine takes one for the other, so a row would become two."""
    public = sf.public(pa.table({"cost": [0.0, -0.0, math.nan], "kind": ["a", "b", "c"]}))
    with raises_code("E-JOIN-MULTIPLIES"):
        visits(unit="row", limits={}).join(public, on="cost")
    assert public.column("cost").values == (0.0,)
    assert public.column("cost").has_missing


def test_files_are_joined_like_frames(tmp_path: Path) -> None:
    Path(tmp_path, "visits.csv").write_text("id,zip,beds\n7,01,3\n7,1,4\n8,01,5\n")
    Path(tmp_path, "places.csv").write_text("zip,beds,since\n01,3,2020-01-01\n1,4,2021-01-01\n")
    types = {"beds": "integer", "since": "date"}
    public = sf.public(tmp_path / "places.csv", types=types)
    assert dict(public.schema) == {"zip": "text", "beds": "integer", "since": "date"}
    table = sf.table(
        tmp_path / "visits.csv", unit="id", types={"beds": "integer"}, limits={"rows": 2}
    )
    joined = table.join(public, on=["zip", "beds"]).with_columns(year=sf.col("since").year())
    query = joined.declare(keys={"year": [2020, 2021]}).group_by("year").agg(n=sf.count())
    assert answered(query) == [{"year": 2020, "n": 1}, {"year": 2021, "n": 1}]


def test_a_public_table_is_read_once(tmp_path: Path) -> None:
    """A file that changes later cannot give one row two keys."""
    file = tmp_path / "places.parquet"
    pq.write_table(pa.table({"zip": ["1010"], "region": ["Vienna"]}), file)
    joined = visits(unit="row", limits={}).join(sf.public(file), on="zip")
    pq.write_table(pa.table({"zip": ["1010"] * 9, "region": ["Vienna"] * 9}), file)
    (count,) = core(joined.agg(n=sf.count()).plan(epsilon=1)).values()
    assert count == [2]


def test_a_public_table_prints_as_one() -> None:
    assert repr(places()) == "<the table, public: zip, region; 3 rows>"
    joined = visits().join(places(), on="zip", how="left")
    assert str(joined.agg(n=sf.count())) == (
        "n = count(*) left joined with the public rows of the table on zip"
    )


def test_private_tables_print_like_public_ones() -> None:
    assert repr(visits()) == "<the table, private: add or remove one id>"
    assert repr(visits().group_by("zip")) == "<the table, private, by zip>"


def test_columns_that_no_question_can_use_are_said_to_be_left_out() -> None:
    public = places(nr=[b"a", b"b"], zip=["1010", "8010"], region=["Vienna", "Styria"])
    assert repr(public) == (
        "<the table, public: zip, region; 2 rows; without nr, which no query can use>"
    )
    with raises_code(
        "E-COLUMN-TYPE", match="the column 'nr' of the table has a type that no query"
    ):
        visits().join(public, on={"zip": "nr"})
    assert public.rename({"zip": "nr"}).column("nr").values == ("1010", "8010")
    chosen = sf.public(pa.table({"nr": [b"a"], "zip": ["1010"]}), columns="zip")
    assert repr(chosen) == "<the table, public: zip; 1 row>"
    with raises_code("E-COLUMN-TYPE", match="no column of the table has a type that a query can"):
        sf.public(pa.table({"nr": [b"a"]}))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([1], "tables takes tables by their names, not list; write tables={'regions': "),
        ({1: places()}, "tables takes tables by their names, not dict; write tables={'regions': "),
        ({"regions": 5}, "tables has int by the name 'regions', which is neither a public table"),
    ],
)
def test_what_is_no_table_is_not_joined_in_sql(given: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        visits().query("SELECT COUNT(*) AS n FROM visits", tables=given)
    assert str(refused.value).startswith(said)


def test_a_column_of_many_values_has_bounds_and_no_keys() -> None:
    public = places(zip=[str(each) for each in range(100_001)], nr=list(range(100_001)))
    assert public.column("zip").values is None
    assert public.column("nr").values is None
    assert public.column("nr").bounds == (0, 100_000)
    odd = places(x=[math.inf, 1.0], y=[1e305, 2.0], z=[None, None])
    assert [odd.column(each).bounds for each in "xy"] == [None, None]
    assert odd.column("y").values == (2.0, 1e305)


def test_columns_are_chosen_and_renamed() -> None:
    public = sf.public(pa.table({"zip": ["1010"], "cost": [3], "other": [[1]]}))
    assert public.columns == ("zip", "cost")
    assert visits().join(public.rename({"cost": "price"}), on="zip").columns[-1] == "price"
    chosen = sf.public(pa.table({"zip": ["1010"], "cost": [3]}), columns="zip")
    assert visits().join(chosen, on="zip").columns == ("id", "zip", "cost")


@pytest.mark.parametrize(
    ("on", "how", "said"),
    [
        (None, "inner", "it is not said which columns must be alike; write on='zip'"),
        ("zipp", "inner", "there is no column 'zipp' in the table; did you mean 'zip'"),
        ({"zip": "code"}, "inner", "there is no column 'code' in the table"),
        (["zip", "zip"], "inner", "on names a column twice"),
        ([], "inner", "on names a column twice, or none"),
        ("cost", "inner", "there is no column 'cost'"),
        ({"cost": "zip"}, "inner", "'cost' is of type number, and 'zip' of the table of type text"),
        (7, "inner", "on takes the name of a column"),
        ("zip", "outer", "not 'outer'; write how='inner', or 'left'"),
    ],
)
def test_a_join_that_cannot_be_is_refused_in_a_sentence(on: Any, how: str, said: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=said):
        visits().join(places(), on=on, how=how)


def test_a_column_of_both_is_refused_with_the_way() -> None:
    public = places(zip=["1010"], cost=[3])
    with raises_code("E-COLUMN-TWICE"):
        visits().join(public, on="zip")
    with raises_code("E-COLUMN-NAME"):
        visits().join(public.rename({"cost": "Cost"}), on="zip")


def test_what_is_no_table_is_refused() -> None:
    with raises_code("E-ARGUMENT-TYPE", match="join takes a public table or another private one"):
        visits().join(pa.table({"zip": ["1010"]}), on="zip")
