"""A column is read by the name its file has, or the file is refused (M-INFO-2)."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.data import count_groups, open_source
from sfumato.errors import InputError


def written(path: Path, content: str) -> Path:
    path.write_bytes(content.encode())
    return path


def refusal(data: Any) -> str:
    with pytest.raises(InputError) as caught:
        open_source(data)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        (["a", "a", "a_1"], "2 columns with the name 'a'"),
        (["a", "A"], "columns whose names differ only in case ('a', 'A')"),
        (["", ""], "no column with a name"),
    ],
)
def test_names_that_cannot_be_told_apart_are_refused(
    tmp_path: Path, names: list[str], fault: str
) -> None:
    csv = written(tmp_path / "t.csv", ",".join(names) + "\n" + ",".join("1" * len(names)) + "\n")
    table = pa.Table.from_arrays([pa.array([1])] * len(names), names=names)
    pq.write_table(table, tmp_path / "t.parquet")
    for data in (csv, tmp_path / "t.parquet", table):
        assert f"has {fault}; give each column a name of its own" in refusal(data)


def test_a_column_without_a_name_is_left_out(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": ["x", "y", "y"], "b": [1, 2, 2]})
    frame.to_csv(tmp_path / "t.csv")
    table = pa.table({"": [7, 8, 9], "a": ["x", "y", "y"], "b": [1, 2, 2]})
    pq.write_table(table, tmp_path / "t.parquet")
    for data in (tmp_path / "t.csv", tmp_path / "t.parquet", table):
        source = open_source(data)
        assert source.column_names == ("a", "b")
        assert count_groups(source, ["a", "b"]).counts.tolist() == [1, 2]


def test_names_that_differ_in_the_case_of_other_letters_are_told_apart(tmp_path: Path) -> None:
    source = open_source(written(tmp_path / "t.csv", "é,É\n1,2\n1,3\n"))
    assert count_groups(source, ["é"]).counts.tolist() == [2]
    assert count_groups(source, ["É"]).counts.tolist() == [1, 1]


def test_spaces_around_a_name_do_not_make_another(tmp_path: Path) -> None:
    assert "2 columns with the name 'a'" in refusal(written(tmp_path / "t.csv", "a, a\n1,2\n"))
    assert open_source(written(tmp_path / "t.csv", ' a , "b, c"\n1,2\n')).column_names == (
        "a",
        "b, c",
    )


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ('"a\nb",c\n1,2\n', ("a\nb", "c")),
        ('"a\r\nb";c\r\n1;2\r\n', ("a\r\nb", "c")),
        ('"a"";;\n",c\n1,2\n', ('a";;\n', "c")),
        ('5" size\nLi, Mei\n', ('5" size',)),
        ("a;b\r1;2\r", ("a", "b")),
        ('\ufeff"a",b\n1,2\n', ("a", "b")),
    ],
)
def test_the_header_is_the_first_record(
    tmp_path: Path, content: str, names: tuple[str, ...]
) -> None:
    source = open_source(written(tmp_path / "t.csv", content))
    assert source.column_names == names
    assert count_groups(source, names).rows == 1


def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    assert "too long" in refusal(written(tmp_path / "t.csv", "a" * 200_000 + "\nx\n"))


def test_line_endings_that_differ_are_among_the_reasons(tmp_path: Path) -> None:
    mixed = written(tmp_path / "mixed.csv", "a,b\n1,2\r\n3,4\n")
    assert "all lines should end alike" in refusal(mixed)


@pytest.mark.parametrize(
    ("content", "column"), [('a\n\nx\n""\n\n', "a"), ('a,b\n\nx,y\n"",y\n\n', "a")]
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_an_empty_line_is_no_row_and_an_empty_cell_is_a_null(
    tmp_path: Path, content: str, column: str, ending: str
) -> None:
    path = written(tmp_path / "t.csv", content.replace("\n", ending))
    counted = count_groups(open_source(path), [column], with_keys=True)
    assert counted.rows == 2
    assert counted.keys is not None
    assert set(counted.keys[column].to_pylist()) == {"x", None}


def test_a_path_that_no_file_can_have_is_refused_in_one_short_sentence() -> None:
    sentence = refusal("a" * 5000 + ".csv")
    assert "cannot be reached" in sentence
    assert len(sentence) < 500
    assert "there is no file" in refusal("a\0b.csv")


def test_a_path_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = Path(os.fsdecode(bytes(tmp_path) + b"/caf\xe9.csv"))
    assert "not UTF-8" in refusal(written(path, "a\nx\n"))


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    fifo, link = tmp_path / "fifo.csv", tmp_path / "link.csv"
    os.mkfifo(fifo)
    link.symlink_to(os.devnull)
    for path in (fifo, link):
        assert "is not a regular file; save what it gives in a file first" in refusal(path)


def test_a_small_archive_with_a_wrong_checksum_is_refused(tmp_path: Path) -> None:
    content = bytearray(gzip.compress(b"a,b\n1,2\n"))
    content[-6] ^= 0xFF
    path = tmp_path / "t.csv.gz"
    path.write_bytes(content)
    assert "check that you may read it and it is whole" in refusal(path)
