"""The engine reads the files it was given, nothing else, and quotes no cell."""

from __future__ import annotations

import builtins
import gzip
import math
import os
from typing import TYPE_CHECKING, Any

import duckdb
import ibis
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.data import count_groups, count_pairs, doubles, open_source, open_sources
from sfumato.data.csv_text import Header
from sfumato.data.engines.embedded import EmbeddedEngine
from sfumato.data.engines.engine import guarded
from sfumato.errors import InputError, MissingExtraError
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "canary-4711"  # noqa: S105


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(data: Any, column: str = "a", weights: str | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        count_groups(open_source(data), [column], weights=weights)
    return caught.value


def test_only_the_given_file_can_be_read(tmp_path: Path) -> None:
    inside = written(tmp_path / "inside.csv", "a\n1\n")
    outside = written(tmp_path / "outside.csv", f"a\n{SECRET}\n")
    engine = open_source(inside).engine
    assert isinstance(engine, EmbeddedEngine)
    with raises_code("E-TABLE-UNREADABLE", match="closed"):
        engine.read_csv(outside, Header(",", ("a",)), complaint="closed")


def test_the_locks_cannot_be_undone_and_no_extension_loads(tmp_path: Path) -> None:
    engine = EmbeddedEngine([])
    connection = engine._backend.con  # noqa: SLF001
    for statement in (
        "SET enable_external_access = true",
        "SET autoload_known_extensions = true",
        f"COPY (SELECT 1) TO '{tmp_path}/out.csv'",
        f"ATTACH '{tmp_path}/other.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
    ):
        with pytest.raises(duckdb.Error):
            connection.execute(statement)
    assert list(tmp_path.iterdir()) == []


def test_spilled_rows_go_to_a_private_folder_that_is_removed() -> None:
    engine = EmbeddedEngine([])
    folder = engine._backend.settings["temp_directory"]  # noqa: SLF001
    assert os.stat(folder).st_mode & 0o777 == 0o700  # noqa: PTH116
    del engine
    assert not os.path.exists(folder)  # noqa: PTH110


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("ragged.csv", f"a,b\n1,2\n{SECRET},4,5\n", "line 3 has more cells than the header"),
        ("short.csv", f"a,b\n{SECRET}\n1,2\n", "line 2 has fewer cells than the header"),
        ("quote.csv", f'a,b\n"{SECRET},1\n2,3\n', "a quote in line 2 opens a cell"),
        ("latin.csv", b"a,b\ncaf\xe9 canary-4711,1\n", "is not text in UTF-8 (line 2)"),
        ("latin-header.csv", b"caf\xe9,b\ncanary-4711,1\n", "is not text in UTF-8"),
        ("utf16.csv", f"a,b\n{SECRET},1\n".encode("utf-16"), "is not text in UTF-8"),
        ("empty.csv", "", "has no header"),
        ("blank.csv", f"\n\na\n{SECRET}\n", "has no header"),
        ("header.csv", "a,b\n", "has no rows below its header"),
        ("plain.csv.gz", f"a\n{SECRET}\n", "cannot be opened"),
        ("cut.csv.gz", gzip.compress(SECRET.encode() * 99, mtime=0)[:30], "cannot be opened"),
        ("fake.parquet", f"PAR1 {SECRET} PAR1", "cannot be read as Parquet"),
        ("empty.parquet", "", "cannot be read as Parquet"),
        ("notes.txt", SECRET, "its name should end in"),
    ],
)
def test_bad_files_are_one_sentence_without_a_cell(
    tmp_path: Path, name: str, content: str | bytes, sentence: str
) -> None:
    error = refusal(written(tmp_path / name, content))
    assert sentence in str(error)
    assert name in str(error)
    assert SECRET not in repr(error)
    assert "\n" not in str(error)
    assert error.__cause__ is None


def test_the_error_of_the_engine_is_not_kept_as_context(tmp_path: Path) -> None:
    bad = "".join(f"{i},x\n" for i in range(60_000)) + f"{SECRET},1,2\n"
    error = refusal(written(tmp_path / "late.csv", f"a,b\n{bad}"))
    assert "cannot be read as CSV" in str(error)
    assert error.__context__ is None


def test_a_late_fault_in_one_of_two_files_names_it(tmp_path: Path) -> None:
    bad = "".join(f"{i},x\n" for i in range(60_000)) + f"{SECRET},1,2\n"
    late = written(tmp_path / "late.csv", f"a,b\n{bad}")
    good = written(tmp_path / "good.csv", "a,b\n1,2\n")
    first, second = open_sources(good, late)
    with raises_code("E-FILE-FORM") as caught:
        count_pairs(first, second, ["a"])
    assert SECRET not in str(caught.value)


def test_folders_and_missing_files(tmp_path: Path) -> None:
    assert "is a folder" in str(refusal(tmp_path))
    assert "there is no file" in str(refusal(tmp_path / "nowhere.csv"))


@pytest.mark.parametrize("data", [42, None, [1, 2], {"a": [1]}, pd.DataFrame({"a": [SECRET, 1]})])
def test_what_is_no_table_is_refused(data: Any) -> None:
    error = refusal(data)
    assert "give a pandas, polars or Arrow table" in str(error)
    assert SECRET not in str(error)


def test_a_missing_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_ibis(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == "ibis":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_ibis)
    with raises_code("E-EXTRA-MISSING", kind=MissingExtraError):
        open_source(pa.table({"a": [1]}))


@pytest.mark.parametrize(
    ("raised", "message", "expected", "code"),
    [
        (duckdb.OutOfMemoryException, SECRET, InputError, "E-ENGINE-MEMORY"),
        (duckdb.InterruptException, SECRET, KeyboardInterrupt, None),
        (RuntimeError, "Query interrupted", KeyboardInterrupt, None),
        (RuntimeError, "something else", RuntimeError, None),
    ],
)
def test_memory_interrupts_and_bugs_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
    raised: type[Exception],
    message: str,
    expected: type[BaseException],
    code: str | None,
) -> None:
    source = open_source(pa.table({"a": [1]}))
    assert isinstance(source.engine, EmbeddedEngine)

    def fail(*_: Any, **__: Any) -> None:
        raise raised(message)

    monkeypatch.setattr(source.engine._backend, "compile", fail)  # noqa: SLF001
    with pytest.raises(expected) as caught:
        count_groups(source, ["a"])
    assert getattr(caught.value, "code", None) == code
    assert SECRET not in str(caught.value)


def test_a_late_ragged_line_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "late.csv"
    path.write_text("a,b\n" + "1,2\n" * 300_000 + f"{SECRET},2,3\n")
    with raises_code("E-FILE-FORM") as caught:
        count_groups(open_source(path), ["a"])
    assert SECRET not in str(caught.value)


def test_a_source_shows_no_rows() -> None:
    assert repr(open_source(pa.table({"a": [SECRET]}))) == "Source(name='the table')"


def test_what_is_said_instead_of_an_engine_s_error_does_not_carry_it() -> None:
    def failing() -> None:
        raise ValueError(SECRET)

    with raises_code("E-INTERNAL", match="closed") as caught:
        guarded(failing, lambda _: InputError("E-INTERNAL", "closed"))
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


def test_a_double_that_is_no_whole_number_is_null_and_no_error() -> None:
    values = [1.5, math.nan, math.inf, -1e300, None]
    column = ibis.memtable(pa.table({"v": values})).v
    for whole, found in [(doubles.floor, 1), (doubles.ceiling, 2), (doubles.nearest, 2)]:
        answer = ibis.duckdb.connect().to_pyarrow(whole(column).name("n").as_table())
        assert answer["n"].to_pylist() == [found, None, None, None, None]


def test_a_nan_that_a_file_s_statistics_leave_out_is_seen(tmp_path: Path) -> None:
    """They say that no number is above 2, by which a guard would be left out as always true."""
    pq.write_table(pa.table({"v": [1.0, 2.0, math.nan]}), tmp_path / "t.parquet")
    source = open_source(tmp_path / "t.parquet")
    values = source.table.v
    seen = source.table.aggregate(nan=values.isnan().sum(), small=(values.abs() <= 5).sum())
    assert source.fetch(seen).to_pylist() == [{"nan": 1, "small": 2}]
