"""A question is put into SQL once, and answered anew each time that it is asked."""

from __future__ import annotations

import gc
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.data import open_source
from tests.forking import assert_ended_well, forked
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engines import Engines

FRAME = pd.DataFrame({"age": [64, 61, 61], "sex": ["M", "F", "F"]})
BY_AGE = [{"age": 61, "rows": 2}, {"age": 64, "rows": 1}]


class Rows:
    """Asks how many rows have each value, and counts how often it is put together."""

    def __init__(self) -> None:
        self.written: Counter[str] = Counter()

    def __call__(self, table: Any, column: str) -> Any:
        self.written[column] += 1
        return table.group_by(column).agg(rows=table.count()).order_by(column)


@pytest.mark.parametrize("engine", ["duckdb", "postgres", "spark"])
def test_a_question_is_put_together_once_in_every_engine(engine: str, engines: Engines) -> None:
    source, rows = engines.source(engine, pa.Table.from_pandas(FRAME)), Rows()
    assert [source.ask(rows, "age") for _ in range(3)] == [BY_AGE] * 3
    assert [line["rows"] for line in source.ask(rows, "sex")] == [2, 1]
    assert rows.written == {"age": 1, "sex": 1}


def test_the_sql_of_a_file_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_people(tmp_path / "people.parquet", FRAME)
    source, rows = open_source(tmp_path / "people.parquet"), Rows()
    assert source.ask(rows, "age") == BY_AGE

    def not_again(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(source.engine._backend, "compile", not_again)  # type: ignore[attr-defined]  # noqa: SLF001
    assert source.ask(rows, "age") == BY_AGE
    with pytest.raises(AssertionError):
        source.ask(rows, "sex")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_an_answer_is_of_the_rows_that_there_are(tmp_path: Path, suffix: str) -> None:
    path, rows = tmp_path / f"people.{suffix}", Rows()
    write_people(path, FRAME)
    source = open_source(path)
    assert [line["rows"] for line in source.ask(rows, "sex")] == [2, 1]
    write_people(path, pd.concat([FRAME, FRAME]))
    assert [line["rows"] for line in source.ask(rows, "sex")] == [4, 2]


def write_people(path: Path, people: pd.DataFrame) -> None:
    if path.suffix == ".csv":
        people.to_csv(path, index=False)
    else:
        pq.write_table(pa.Table.from_pandas(people, preserve_index=False), path)


def test_a_frame_stays_in_the_engine_as_long_as_its_source() -> None:
    source, rows = open_source(FRAME.copy()), Rows()
    source.ask(rows, "age")
    gc.collect()
    assert source.ask(rows, "age") == BY_AGE


def test_another_table_of_the_same_engine_is_asked_for_itself() -> None:
    source, rows = open_source(FRAME), Rows()
    source.ask(rows, "age")
    old = replace(source, table=source.table.filter(source.table.age > 62))
    assert old.ask(rows, "age") == BY_AGE[1:]
    assert source.ask(rows, "age") == BY_AGE


@pytest.mark.full
def test_not_every_question_ever_asked_is_kept() -> None:
    source, rows = open_source(FRAME), Rows()

    def older(table: Any, years: int) -> Any:
        return rows(table.filter(table.age > years), "age")

    for years in range(600):
        source.ask(older, years)
    assert rows.written["age"] == 600
    assert len(source._prepared) <= 256  # noqa: SLF001


def test_what_the_engine_says_of_a_cell_stays_inside(tmp_path: Path) -> None:
    path, rows = tmp_path / "people.csv", Rows()
    people = "age,sex\n" + "64,M\n" * 5_000
    path.write_text(people)
    source = open_source(path)
    assert source.ask(rows, "age") == [{"age": "64", "rows": 5_000}]
    path.write_text(people + "canary,M,too many\n")
    with raises_code("E-FILE-FORM") as caught:
        source.ask(rows, "age")
    assert "canary" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_forked_child_is_refused() -> None:
    source, rows = open_source(FRAME), Rows()
    source.ask(rows, "age")

    def ask() -> None:
        with raises_code("E-PROCESS-FORKED"):
            source.ask(rows, "age")
        with raises_code("E-PROCESS-FORKED"):
            source.ask(rows, "sex")

    assert_ended_well(forked(ask))
