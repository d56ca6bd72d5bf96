"""No row decides whether a question is answered, on any storage; `make totality` is the sweep."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.data import doubles
from sfumato.data.engines import embedded
from sfumato.errors import EngineError, InputError
from sfumato.sampling import SeededSource
from sfumato.tables.release.charge import release_plan
from tests.totality.storages import STORAGES, named
from tests.totality.sweep import sweep

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.tables import PrivateTable

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

#: A file with statistics beside one without, and the same where nobody says that there may be NaN.
TELLING = (
    ("Parquet of pyarrow", "Parquet, no statistics"),
    ("DuckDB view of Parquet", "DuckDB table"),
)
#: What failed on DuckDB 2.0.0 where one person's cell is NaN, and the file says that none is.
FAILED = (
    "FLOOR(v) > 1",
    "CEIL(v) > 1",
    "ROUND(v) > 1",
    "ROUND(v, 2) > 1",
    "v // 2 > 1",
    "CAST(v AS BIGINT) > 1",
    "name = 'p2' AND FLOOR(v) > 1",
    "CASE WHEN name = 'p2' AND age > 50 THEN FLOOR(v) END = 1",
)


@pytest.mark.parametrize("people", [False, True], ids=["rows", "people"])
def test_no_row_decides_whether_a_question_is_answered(people: bool) -> None:  # noqa: FBT001
    found = sweep(STORAGES, seed=20 + people, tables=1, questions=6, people=people)
    assert found.differing == []
    assert found.answered.total() >= 50
    assert set(found.answered) == {each.name for each in STORAGES}


@pytest.fixture
def guards_of_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operations that may fail behind conditions, and files whose statistics are believed."""

    call = doubles.call

    def guarded(name: str, gives: str, value: Any) -> Any:
        return value.abs() <= doubles.LARGEST if name == "isfinite" else call(name, gives, value)

    def cast(name: str, value: Any) -> Any:
        return call(name, "float64", value).cast("int64")

    monkeypatch.setattr(doubles, "call", guarded)
    monkeypatch.setattr(doubles, "_whole", cast)
    monkeypatch.setattr(embedded, "_ANY_CELL", {})


@pytest.mark.usefixtures("guards_of_old")
@pytest.mark.parametrize("names", TELLING, ids=["file", "view"])
def test_twin_guards_that_statistics_decide_are_caught(names: tuple[str, str]) -> None:
    found = sweep(named(names), seed=3, tables=4, questions=24)
    assert any("EngineError" in each for each in found.differing)
    assert any("add up otherwise" in each for each in found.differing)


def rows(*, with_nan: bool = True) -> pa.Table:
    values = [1.0, 2.0, math.nan] if with_nan else [1.0, 2.0]
    some = range(len(values))
    return pa.table(
        {"id": [*some], "name": [f"p{n}" for n in some], "age": [61.0] * len(some), "v": values}
    )


def held(folder: Path, given: pa.Table, *, view: bool, **declared: Any) -> PrivateTable:
    """A file of pyarrow, or a view of it in a connection of the user's own."""
    path = folder / "t.parquet"
    pq.write_table(given, path)
    if not view:
        return sf.table(path, **declared)
    backend = ibis.duckdb.connect()
    backend.con.execute(f"CREATE VIEW t AS SELECT * FROM '{path}'").fetchall()  # noqa: S608
    return sf.table(backend.table("t"), **declared)


@pytest.mark.parametrize("condition", FAILED)
@pytest.mark.parametrize("view", [False, True], ids=["file", "view"])
def test_a_nan_that_the_file_does_not_tell_of_fails_nothing(
    tmp_path: Path,
    condition: str,
    view: bool,  # noqa: FBT001
) -> None:
    table = held(tmp_path, rows(), view=view, unit="id", limits={"rows": 1})
    question = table.query(f"SELECT COUNT(*) AS n FROM t WHERE {condition}")  # noqa: S608
    release_plan(question.plan(epsilon=1), source=SeededSource(1))


@pytest.mark.usefixtures("guards_of_old")
@pytest.mark.parametrize("view", [False, True], ids=["file", "view"])
def test_twin_by_the_guards_of_old_it_fails_where_the_person_is_there(
    tmp_path: Path,
    view: bool,  # noqa: FBT001
) -> None:
    asked = "SELECT COUNT(*) AS n FROM t WHERE FLOOR(v) > 1"
    (tmp_path / "without").mkdir()
    declared = {"unit": "id", "limits": {"rows": 1}}
    without = held(tmp_path / "without", rows(with_nan=False), view=view, **declared)
    release_plan(without.query(asked).plan(epsilon=1), source=SeededSource(1))
    with pytest.raises(EngineError):
        release_plan(
            held(tmp_path, rows(), view=view, **declared).query(asked).plan(epsilon=1),
            source=SeededSource(1),
        )


@pytest.mark.parametrize("view", [False, True], ids=["file", "view"])
def test_nan_is_missing_whatever_a_file_tells(tmp_path: Path, view: bool) -> None:  # noqa: FBT001
    given = pa.table({"v": [1.0] * 100 + [2.0] * 100 + [math.nan] * 100})
    for table in (
        held(tmp_path, given, view=view, unit="row", bounds={"v": (0, 10)}),
        sf.table(given, unit="row", bounds={"v": (0, 10)}),
    ):
        plan = table.agg(n=sf.count("v"), mean=sf.mean("v")).plan(epsilon=10**6)
        found = release_plan(plan, source=SeededSource(1)).to_arrow().to_pylist()[0]
        assert found["n"] == pytest.approx(200, abs=1)
        assert found["mean"] == pytest.approx(1.5, abs=0.01)


@pytest.mark.parametrize("view", [False, True], ids=["file", "view"])
def test_centres_are_found_beside_a_nan(tmp_path: Path, view: bool) -> None:  # noqa: FBT001
    given = pa.table({"id": range(40), "x": [0.5, -0.5, 0.25, math.nan] * 10})
    table = held(tmp_path, given, view=view, unit="id", bounds={"x": (-1, 1)}, limits={"rows": 1})
    found = sf.KMeans(n_clusters=2, epsilon=100).fit(table).cluster_centers_
    assert np.isfinite(found).all()


FAR = pa.array([0, 2**62], pa.int64())


@pytest.mark.parametrize("statistics", [False, True])
def test_far_milliseconds_are_refused_by_their_type_before_a_charge(
    tmp_path: Path,
    statistics: bool,  # noqa: FBT001
) -> None:
    given = pa.table({"id": ["u", "v"], "m": FAR.cast(pa.timestamp("ms")), "x": [1.0, 2.0]})
    pq.write_table(given, tmp_path / "t.parquet", write_statistics=statistics)
    table = sf.table(tmp_path / "t.parquet", unit="id", limits={"rows": 1})
    release_plan(table.agg(n=sf.count(), s=sf.sum("x", bounds=(0, 9))).plan(epsilon=1))
    for asked in ("COUNT(m) AS n FROM t", "COUNT(*) AS n FROM t WHERE m IS NULL"):
        with pytest.raises(InputError, match="'m' has a type that expressions cannot use"):
            table.query(f"SELECT {asked}").plan(epsilon=1)


def test_milliseconds_are_no_ids(tmp_path: Path) -> None:
    given = pa.table({"m": FAR.cast(pa.timestamp("ms")), "x": [1.0, 2.0]})
    pq.write_table(given, tmp_path / "t.parquet")
    with pytest.raises(InputError, match="is of a type in which ids could be rounded"):
        sf.table(tmp_path / "t.parquet", unit="m")
    pq.write_table(given.drop_columns("x"), tmp_path / "t.parquet")
    with pytest.raises(InputError, match="has only timestamps in milliseconds"):
        sf.table(tmp_path / "t.parquet", unit="row")


def not_utf8() -> pa.Array:
    offsets, content = pa.py_buffer(b"\0\0\0\0\2\0\0\0\4\0\0\0"), pa.py_buffer(b"ab\xff\xfe")
    return pa.StringArray.from_buffers(2, offsets, content)


def test_texts_that_are_not_utf8_fail_nothing(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2], "s": not_utf8()}), tmp_path / "t.parquet")
    table = sf.table(tmp_path / "t.parquet", unit="id", limits={"rows": 1}, keys={"s": ["ab"]})
    for query in (
        table.group_by("s").agg(n=sf.count()),
        table.filter(sf.col("s").upper().length() > 1).agg(n=sf.count()),
    ):
        release_plan(query.plan(epsilon=1), source=SeededSource(1))


def test_ids_that_are_not_utf8_are_refused_since_two_could_be_taken_for_one(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": not_utf8()}), tmp_path / "t.parquet")
    with pytest.raises(InputError, match="holds texts that are not UTF-8"):
        sf.table(tmp_path / "t.parquet", unit="id")


@pytest.mark.parametrize("last", [9, 10**38, -(10**38)])
def test_ids_of_128_bits_fail_nothing(last: int) -> None:
    backend = ibis.duckdb.connect()
    backend.con.execute(
        "CREATE TABLE t AS SELECT i::HUGEINT AS id, 1.0 AS v FROM range(8) r(i) "  # noqa: S608
        f"UNION ALL SELECT {last}::HUGEINT, 1.0"
    )
    table = sf.table(backend.table("t"), unit="id", bounds={"v": (0, 1)})
    for asked in ("SUM(v) AS a", "COUNT(*) AS a", "COUNT(DISTINCT id) AS a", "MEDIAN(v) AS a"):
        plan = table.query(f"SELECT {asked} FROM t").plan(epsilon=1)  # noqa: S608
        release_plan(plan, source=SeededSource(1))


OBJECTS: dict[str, tuple[list[Any], list[Any]]] = {
    "decimals": ([Decimal("12.50")] * 3, [Decimal("12.50"), Decimal("12.50"), Decimal("1e40")]),
    "bytes": ([b"a"] * 3, [b"a", b"a", "text"]),
    "whole numbers": ([1, 2, 3], [1, 2, 2**70]),
    "dates": ([dt.date(2024, 2, 29)] * 3, [dt.date(2024, 2, 29), "soon", None]),
}


@pytest.mark.parametrize(("one", "other"), OBJECTS.values(), ids=OBJECTS)
def test_no_object_of_pandas_decides_the_type_of_a_column(one: list[Any], other: list[Any]) -> None:
    told = set()
    for cells in (one, other):
        frame = pd.DataFrame({"id": range(3), "x": pd.Series(cells, dtype=object)})
        with pytest.raises(InputError, match="holds objects of Python") as caught:
            sf.table(frame, unit="id")
        told.add(str(caught.value))
    assert len(told) == 1


@pytest.mark.parametrize("cells", [[None] * 3, [None, None, "a"], [float("nan"), "a", None]])
def test_objects_that_are_texts_are_text_also_where_there_is_none(cells: list[Any]) -> None:
    frame = pd.DataFrame({"id": range(3), "x": pd.Series(cells, dtype=object)})
    table = sf.table(frame, unit="id", limits={"rows": 1})
    assert table.schema["x"] == "text"
    release_plan(table.agg(n=sf.count("x")).plan(epsilon=1), source=SeededSource(1))


@pytest.mark.parametrize("kind", [pa.float16(), pa.decimal256(50, 2), pa.list_(pa.float16())])
def test_types_that_the_engine_does_not_read_are_refused_before_a_charge(kind: pa.DataType) -> None:
    given = pa.table({"id": [1, 2], "x": pa.nulls(2, kind)})
    with pytest.raises(InputError, match="the column 'x' of the table is of the type"):
        sf.table(given, unit="id")
