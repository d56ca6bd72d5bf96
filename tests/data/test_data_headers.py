"""A column is read by the name its file has, or the file is refused (M-INFO-2)."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.data import count_groups, open_source
from sfumato.data.csv_text import read_header
from sfumato.data.policy import draft_policy
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


def written(path: Path, content: str) -> Path:
    path.write_bytes(content.encode())
    return path


def refusal(data: Any, opened: Callable[[Any], Any] = open_source) -> str:
    with pytest.raises(InputError) as caught:
        opened(data)
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
    said = refusal(mixed, lambda path: count_groups(open_source(path), ["a"]))
    assert "all lines should end alike" in said


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


@pytest.mark.parametrize(
    "cell",
    [
        *("64", "-3", "+1.5", "1,5", ".5", "1e5", "-2.5E-3", "1 000", "٣"),
        *("2020-02-29", "29.2.2020", "2/29/20", "2020-02", "1 Jan 2020", "Feb. 29th, 2020"),
        *("12:30", "9:15 AM", "2020-02-29T12:30:00Z", "2020-02-29 12:30:00.5+01:00"),
        *("20200229T123000Z", "29-Feb-2020 12:30", "2020-02-29 12:30 UTC", "079 123 45 67"),
        *("0f8fad5b-d9cb-469f-a165-70867728950e", "0F8FAD5BD9CB469FA16570867728950E"),
        *("li@example.org", "li.mei@mail.example.org", "192.168.0.1"),
    ],
)
def test_a_first_line_with_a_value_is_no_header(tmp_path: Path, cell: str) -> None:
    for line in (f'Li,"{cell}",Bern', f' "{cell}" ;Li', f'"{cell}"'):
        path = written(tmp_path / "t.csv", f"{line}\nMei,x,y\n")
        for opened in (open_source, draft_policy):
            said = refusal(path, opened)
            assert "t.csv' has no header: a cell of its first line is a number, a date" in said
            assert "needs a name with a letter: y2019" in said
            assert not any(each in said for each in (f"'{cell}'", "Li", "Bern", "Mei"))


@pytest.mark.parametrize(
    "name",
    [
        *("y2019", "Jan 2019", "2019年", "Q1", "1st visit", "e5", "3a", "5th", "a1b2"),
        *("%", "#", "_", "@home", "mail@work", "24h", "2020-02 (sum)", "µ²", "may"),
        *("5 marks 10", "12 decimals", "2020 march"),
    ],
)
def test_a_name_has_a_letter_or_no_digit(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / "t.csv", f'"{name}";b\n1;2\n')
    assert open_source(path).column_names == (name, "b")


def test_rows_say_nothing_of_the_header(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", ",name\n64,2019\n65,Li\nname,name\n")
    assert open_source(path).column_names == ("name",)
    assert count_groups(open_source(path), ["name"]).rows == 3


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ('a,"b\n1,2\n', "has a quote in its header that opens a name and does not end it"),
        ('"a"x,b\n1,2\n', "has a quote in its header that opens a name and does not end it"),
        ("a," * 1_000_001 + "\n1\n", "has a header of more than 2,000,000 bytes"),
        ("é" * 1_000_001 + "\n1\n", "has a header of more than 2,000,000 bytes"),
        ('\ufeff"a\nb",c\n1,2\n', "has a first name of two lines; write the name in one line"),
    ],
)
def test_headers_that_cannot_be_told_from_rows(tmp_path: Path, content: str, fault: str) -> None:
    assert fault in refusal(written(tmp_path / "t.csv", content))


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ('a\'b,"c""d"', ("a'b", 'c"d')),
        ('select, "VARCHAR" ,"a := b"', ("select", "VARCHAR", "a := b")),
        ('a,  "b"', ("a", '"b"')),
        ("\ta\t|\u00a0b\u00a0|c|d", ("\ta\t", "b", "c", "d")),
        (",a,,b,", ("a", "b")),
        ("a;\t;b", ("a", "b")),
        ('\ufeff"a,b","c\nd"', ("a,b", "c\nd")),
        ("a\\nb,{c}", ("a\\nb", "{c}")),
    ],
)
def test_names_are_what_is_written(tmp_path: Path, header: str, names: tuple[str, ...]) -> None:
    path = tmp_path / "t.csv"
    width = len(read_header(written(path, header + "\n")).names)
    delimiter = read_header(path).delimiter
    line = delimiter.join(f"cell {place}" for place in range(width))
    source = open_source(written(path, f"{header}\n{line}\n"))
    assert source.column_names == names
    counted = count_groups(source, names, with_keys=True)
    assert counted.keys is not None
    found = counted.keys.to_pylist()[0]
    places = [place for place, name in enumerate(read_header(path).names) if name]
    assert found == {name: f"cell {place}" for name, place in zip(names, places, strict=True)}


@pytest.mark.full
def test_a_header_may_have_many_columns(tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(3_000)]
    path = written(tmp_path / "t.csv", ",".join(names) + "\n" + ",".join(names) + "\n")
    assert count_groups(open_source(path), ["c2999"]).rows == 1
