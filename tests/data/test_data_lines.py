"""A cell steers nothing: a CSV file is read as it is written, or refused for all questions."""

from __future__ import annotations

import gzip
from functools import partial
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import count_groups, open_source, open_sources
from sfumato.data.csv_faults import count_rows
from sfumato.data.csv_text import LONGEST, Header, read_header
from sfumato.data.engines import embedded
from sfumato.data.engines.embedded import csv_options
from sfumato.errors import InputError
from tests.cases import rings
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECRET = "canary-4711"  # noqa: S105
#: DuckDB looks for lines anew after so many bytes.
PLACES = 8_000_000


def written(path: Path, content: str | bytes) -> Path:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data, 1) if path.suffix == ".gz" else data)
    return path


def refusal(action: Callable[[], Any]) -> str:
    with pytest.raises(InputError) as caught:
        action()
    assert SECRET not in repr(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__context__ is None
    return str(caught.value)


def refusals(path: Path) -> str:
    """Return what is said to all questions, one about each column and others about none."""
    source = open_source(path)
    rows = source.table.aggregate(rows=source.table.count())
    asked: list[Callable[[], Any]] = [
        *(partial(count_groups, source, [each]) for each in source.column_names),
        lambda: source.fetch(rows),
        lambda: source.keep(rows),
        lambda: list(source.batches(source.table, rows=10)),
        lambda: source.ask(lambda table: table.aggregate(rows=table.count())),
        source.check_process,
    ]
    (said,) = {refusal(each) for each in asked}
    return said


def cells(path: Path, column: str) -> list[str | None]:
    counted = count_groups(open_source(path), [column], with_keys=True)
    assert counted.keys is not None
    texts: list[str | None] = counted.keys[column].to_pylist()
    return [
        each for each, rows in zip(texts, counted.counts.tolist(), strict=True) for _ in range(rows)
    ]


def as_told(path: Path, selected: str, **options: Any) -> Any:
    """Ask DuckDB itself of a file, with the options that we give it."""
    given = {**csv_options(path, read_header(path), parallel=True), **options}
    connection = duckdb.connect()
    return connection.read_csv(
        str(path),
        delimiter=given["delim"],
        header=True,
        columns=given["columns"],
        auto_detect=False,
        parallel=given["parallel"],
    ).aggregate(selected)


class TestNothingIsGuessed:
    """Neither the type nor the ending of a line is found out from rows."""

    @pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
    def test_all_is_said(self, tmp_path: Path, ending: str) -> None:
        path = written(tmp_path / "t.csv", ending.join(["a;b", "1;2", ""]))
        engine: Any = open_source(path).engine
        ((sql,),) = engine._backend.con.execute(  # noqa: SLF001
            "SELECT sql FROM duckdb_views() WHERE view_name = 't_0'"
        ).fetchall()
        assert "auto_detect = false" in sql
        assert "struct_pack(a := 'TEXT', b := 'TEXT')" in sql
        assert "delim = ';'" in sql
        assert f"new_line = '{ending.encode('unicode_escape').decode()}'" in sql

    @pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
    def test_a_million_digits_are_a_cell_like_others(self, tmp_path: Path, name: str) -> None:
        digits = "1" * 1_000_000
        path = written(tmp_path / name, "a,b\n" + f"x,{digits}\n" * 3 + "y,2\n")
        assert cells(path, "b").count(digits) == 3
        assert cells(path, "a").count("x") == 3

    @pytest.mark.parametrize("name", ["t.csv.gz", "t.CSV.GZ", "t.tsv.gz"])
    def test_what_is_compressed(self, tmp_path: Path, name: str) -> None:
        content = gzip.compress(b"a\tb\r\n01\t\r\n1.0\tNULL\r\n")
        (tmp_path / name).write_bytes(content)
        assert set(cells(tmp_path / name, "a")) == {"01", "1.0"}
        assert set(cells(tmp_path / name, "b")) == {None, "NULL"}

    @pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("last", ["", "\n"])
    def test_the_last_line_counts_however_it_ends(
        self, tmp_path: Path, ending: str, last: str
    ) -> None:
        content = "a,b\n1,2\n3,4".replace("\n", ending) + (ending if last else "")
        assert sorted(map(str, cells(written(tmp_path / "t.csv", content), "a"))) == ["1", "3"]

    def test_the_name_of_a_folder_is_no_column(self, tmp_path: Path) -> None:
        (tmp_path / "year=2020").mkdir()
        path = written(tmp_path / "year=2020" / "t.csv", "a,b\n1,2\n")
        assert open_source(path).column_names == ("a", "b")


FAULTS = [
    ("a,b\n1,2\n{}\n", "line 3 has fewer cells than the header, which has 2"),
    ("a,b,\n1,2,3\n{},2\n", "line 3 has fewer cells than the header, which has 3"),
    ("a,b\n1,2\n{},2,3\n", "line 3 has more cells than the header, which has 2"),
    ("a\n1\n{}\x1f2\n", "line 3 has more cells than the header, which has 1"),
    ('a,b\n"\n\n",2\n{}\n', "line 5 has fewer cells than the header, which has 2"),
    ('a,b\n1,2\n1,"{}\n3,4\n', "a quote in line 3 opens a cell and does not end it"),
    ('a,b\n1,2\n"{}"x,2\n', "a quote in line 3 opens a cell and does not end it"),
    ("a,b\n1,2\n{},2\r\n", "line 3 does not end as the header does"),
    ("a,b\r\n1,2\r\n{},2\n", "line 3 does not end as the header does"),
    ("a,b\r1,2\r{},2\n3,4\r", "line 3 does not end as the header does"),
    ("a,b\n1,{}\rx\n", "line 2 does not end as the header does"),
    ("a,b\n1,2\n{}," + "x" * LONGEST + "\n", "line 3 has more than 2,000,000 bytes"),
    (
        'a,b\n1,2\n{},"' + "x\n" * LONGEST,
        "a quote in line 3 opens a cell and is not closed within 2,000,000 bytes",
    ),
]


@pytest.mark.parametrize("name", rings(["t.csv", "t.csv.gz"], first=["t.csv"]))
@pytest.mark.parametrize(("content", "fault"), FAULTS, ids=range(len(FAULTS)))
def test_a_line_that_breaks_a_rule_is_named_by_its_number(
    tmp_path: Path, name: str, content: str, fault: str
) -> None:
    path = written(tmp_path / name, content.format(SECRET))
    assert f"{name}' cannot be read as CSV; {fault}" in refusals(path)


def test_the_longest_line_is_read(tmp_path: Path) -> None:
    cell = "x" * (LONGEST - 4)
    assert cells(written(tmp_path / "t.csv", f"a,b\n1,{cell}\n3,4\n"), "b").count(cell) == 1


def test_empty_cells_at_the_end_may_be_too_many(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", 'a,b\n1,2,\n3,4,,""\n5,6\n')
    assert sorted(map(str, cells(path, "b"))) == ["2", "4", "6"]
    assert count_rows(path, read_header(path)) == 3


class TestOneAnswerForAllQuestions:
    """A line that cannot be read is told to all questions alike, whichever columns are asked."""

    @pytest.mark.parametrize("line", [b"1,caf\xe9", b"caf\xe9,1", b'1,"\xff"'])
    @pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
    def test_bytes_that_are_no_text(self, tmp_path: Path, name: str, line: bytes) -> None:
        path = written(tmp_path / name, b"a,b\n" + b"1,2\n" * 30_000 + line + b"\n")
        said = refusals(path)
        assert "is not text in UTF-8 (line 30002); save it again" in said

    def test_twin_the_engine_would_answer_what_is_not_about_them(self, tmp_path: Path) -> None:
        path = written(tmp_path / "t.csv", b"a,b\n1,caf\xe9\n")
        assert as_told(path, "count(a)").fetchall() == [(1,)]
        with pytest.raises(duckdb.InvalidInputException):
            as_told(path, "count(b)").fetchall()

    @pytest.mark.parametrize("place", [-2, -1, 0, 1])
    def test_a_letter_on_the_edge_of_what_is_read_at_once(self, tmp_path: Path, place: int) -> None:
        before = "a\r\n" + "x\r\n" * ((2**20 + place) // 3)
        path = written(tmp_path / "t.csv", before + "é\r\n")
        assert "é" in cells(path, "a")
        written(path, before.encode() + b"\xc3\r\n")
        line = before.count("\n") + 1
        assert f"(line {line})" in refusals(path)

    def test_a_letter_that_is_cut_at_the_end(self, tmp_path: Path) -> None:
        path = written(tmp_path / "t.csv", b"a\nx\n\xc3")
        assert "is not text in UTF-8 (line 3)" in refusals(path)

    def test_a_large_archive_with_a_wrong_checksum(self, tmp_path: Path) -> None:
        path = written(tmp_path / "t.csv.gz", "a,b\n" + "1,2\n" * 1_000_000)
        content = bytearray(path.read_bytes())
        content[-6] ^= 0xFF
        path.write_bytes(content)
        source = open_source(path)
        with raises_code("E-FILE-UNREADABLE"):
            count_groups(source, ["a"])

    @pytest.mark.parametrize("line", ["1,2,3", "1", '1,"2', "1,caf\udce9"])
    def test_a_file_that_has_changed_is_looked_at_again(self, tmp_path: Path, line: str) -> None:
        path = written(tmp_path / "t.csv", "a,b\n1,2\n")
        source = open_source(path)
        assert count_groups(source, ["a"]).rows == 1
        written(path, "a,b\n1,2\n3,4\n")
        assert count_groups(source, ["a"]).rows == 2
        written(path, f"a,b\n1,2\n{line}\n".encode(errors="surrogateescape"))
        for _ in range(2):
            assert "line 3" in refusal(lambda: count_groups(source, ["a"]))
        written(path, "a,b\n1,2\n")
        assert count_groups(source, ["a"]).rows == 1

    @pytest.mark.parametrize("header", ["b,a\n", "a;b\n", "a,b\r\n", "a,b,c\n"])
    def test_a_file_with_another_header_is_another(self, tmp_path: Path, header: str) -> None:
        path = written(tmp_path / "t.csv", "a,b\n1,2\n")
        source = open_source(path)
        written(path, header + "1,2\n")
        said = refusal(lambda: count_groups(source, ["a"]))
        assert "has another header than when it was opened; open it again" in said

    def test_another_working_directory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        written(tmp_path / "t.csv", "a,b\n1,2\n")
        monkeypatch.chdir(tmp_path)
        source = open_source("t.csv")
        (tmp_path / "t.csv").write_text("a,b\n1\n")
        assert refusal(lambda: count_groups(source, ["a"])).startswith("'t.csv' cannot be read")
        written(tmp_path / "t.csv", "a,b\n1,2\n")
        monkeypatch.chdir("/")
        assert count_groups(source, ["a"]).rows == 1

    def test_of_two_files_the_bad_one_is_named(self, tmp_path: Path) -> None:
        good = written(tmp_path / "good.csv", "a,b\n1,2\n")
        bad = written(tmp_path / "bad.csv", "a,b\n1\n")
        for source in open_sources(good, bad):
            assert "bad.csv" in refusal(partial(count_groups, source, ["a"]))


def with_lines_in_a_cell(rows: int) -> str:
    """Return a file whose engine begins to look for lines in a cell that has some."""
    note = "x" * 90
    before = f"a,b\n{'1,' + note}\n"
    before += f"1,{note}\n" * ((PLACES - 500 - len(before)) // (len(note) + 3))
    return before + f'1,"{note * 20}\n1,2\n"\n' + "".join(f"{i},{note}\n" for i in range(rows))


class TestLinesInCells:
    """What looks like a line, in quotes, is a part of a cell wherever it stands."""

    def test_a_cell_where_the_engine_begins_anew(self, tmp_path: Path) -> None:
        path = written(tmp_path / "t.csv", with_lines_in_a_cell(20_000))
        rows = count_rows(path, read_header(path))
        found = cells(path, "b")
        assert len(found) == rows
        assert "2" not in found

    def test_twin_the_engine_would_refuse_it(self, tmp_path: Path) -> None:
        path = written(tmp_path / "t.csv", with_lines_in_a_cell(20_000))
        with pytest.raises(duckdb.Error):
            as_told(path, "count(*)").fetchall()

    @pytest.mark.full
    def test_a_quote_that_is_never_closed_behind_it(self, tmp_path: Path) -> None:
        path = written(tmp_path / "t.csv", with_lines_in_a_cell(20_000) + f'1,"{SECRET}\n3,4\n')
        assert "opens a cell and does not end it" in refusals(path)

    def test_twin_the_engine_would_leave_out_what_is_behind_it(self, tmp_path: Path) -> None:
        path = written(tmp_path / "t.csv", f'a,b\n1,2\n1,"{SECRET}\n3,4\n5,6\n')
        assert as_told(path, "count(*)", parallel=False).fetchall() == [(1,)]

    def test_what_only_the_engine_finds_wrong_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = written(tmp_path / "t.csv", f"a,b\n{SECRET}\n")
        monkeypatch.setattr(embedded, "count_rows", lambda *_: 1)
        assert "each line should have as many cells" in refusals(path)

    def test_rows_that_the_engine_counts_otherwise_are_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It fails on several places at once; of one at a time it must find as many as we do."""
        path = written(tmp_path / "t.csv", with_lines_in_a_cell(20_000))
        rows = count_rows(path, read_header(path))
        monkeypatch.setattr(embedded, "count_rows", lambda *_: rows + 1)
        source = open_source(path)
        assert "each line should have as many cells" in refusal(source.check_process)


class TestCounting:
    """The rows that we count where an engine fails are those of the file."""

    CELL = st.text(alphabet='x ,"\n\r;é', max_size=6)

    @given(
        rows=st.lists(st.tuples(CELL, CELL, CELL), max_size=8),
        delimiter=st.sampled_from(",;\t|"),
        ending=st.sampled_from(["\n", "\r\n", "\r"]),
        mark=st.sampled_from(["", "\ufeff"]),
    )
    def test_what_is_written_well(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        rows: list[tuple[str, ...]],
        delimiter: str,
        ending: str,
        mark: str,
    ) -> None:
        path = tmp_path_factory.mktemp("csv") / "t.csv"
        text = mark
        for row in [("a", "b", "c"), *rows]:
            quoted = ['"' + each.replace('"', '""') + '"' for each in row]
            text += delimiter.join(quoted) + ending
        written(path, text)
        header = read_header(path)
        assert header == Header(delimiter, ("a", "b", "c"), ending)
        assert count_rows(path, header) == len(rows)

    @pytest.mark.full
    @pytest.mark.parametrize("ending", ["\n", "\r\n"])
    def test_lines_on_the_edge_of_what_is_read_at_once(self, tmp_path: Path, ending: str) -> None:
        lines = ["a,b", *(f'{i},"{"x" * (i % 97)}{ending}"' for i in range(70_000)), ""]
        path = written(tmp_path / "t.csv", ending.join(lines))
        assert path.stat().st_size > 2 * LONGEST
        assert count_rows(path, read_header(path)) == 70_000
        with path.open("a", newline="") as file:
            file.write("1" + ending)
        number = 1 + 2 * 70_000 + 1
        said = refusal(lambda: count_rows(path, read_header(path)))
        assert f"line {number} has fewer cells" in said
