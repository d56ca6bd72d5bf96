"""Coarser tables as files: what is told apart in the table is told apart in the file."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import open_source
from sfumato.data.writing import as_it_was, harmless
from sfumato.risk import anonymize, bands, k_anonymity, l_diversity, link
from sfumato.risk.generalising.output import write_table
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary()])
def test_bytes_are_not_written_as_text(tmp_path: Path, kind: pa.DataType) -> None:
    faces = pa.array([b"\xff\x00\x01", b"abc"]).cast(kind)
    found = anonymize(pa.table({"a": ["x", "x"], "face": faces}), quasi="a", k=2)
    with raises_code("E-COLUMN-TYPE", match=r"the column 'face' holds bytes.*write Parquet"):
        found.write(tmp_path / "coarser.csv")
    assert not list(tmp_path.iterdir())
    found.write(tmp_path / "coarser.parquet")


def test_an_empty_text_is_not_written_as_a_missing_one(tmp_path: Path) -> None:
    table = pa.table({"a": ["x", "x"], "ill": ["", None]})
    found = anonymize(table, quasi="a", sensitive="ill", k=2, l=2)
    found.write(tmp_path / "coarser.csv")
    assert (tmp_path / "coarser.csv").read_text() == 'a,ill\nx,""\nx,\n'
    found.write(tmp_path / "coarser.parquet")
    assert l_diversity(tmp_path / "coarser.parquet", quasi="a", sensitive="ill").distinct == 2


_CELLS = st.text(st.sampled_from("a0 ,;\"\t\n\r\\é医=+-@'"), max_size=4)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_CELLS, _CELLS), max_size=5), st.sampled_from(["c.csv", "c.tsv"]))
def test_any_text_is_read_back(tmp_path_factory: Any, rows: list[Any], name: str) -> None:
    table = pa.table({"a,": [a for a, _ in rows], 'b"': [b for _, b in rows]})
    table = table.cast(pa.schema([(each, pa.string()) for each in table.column_names]))
    path = tmp_path_factory.getbasetemp() / name
    write_table(table, path)
    with path.open(encoding="utf-8", newline="") as file:
        head, *found = csv.reader(file, delimiter="\t" if name.endswith("tsv") else ",")
    assert head == ["a,", 'b"']
    assert [tuple(each) for each in found] == [tuple(map(harmless, each)) for each in rows]
    assert [tuple(map(as_it_was, each)) for each in found] == rows


@pytest.mark.parametrize("name", ["coarser.csv", "coarser.tsv"])
def test_no_cell_and_no_name_is_a_formula(tmp_path: Path, name: str) -> None:
    signs = ["=", "+", "-", "@", "\t", "\r", "＝"]
    table = pa.table({"=a": ["x"] * len(signs), "b": [f"{each}cmd|' /c'!A0" for each in signs]})
    anonymize(table, quasi="=a", k=2).write(tmp_path / name)
    with (tmp_path / name).open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file, delimiter="\t" if name.endswith("tsv") else ",")
    assert head == ["'=a", "b"]
    assert {cell[:1] for _, cell in rows} == {"'"}
    assert {as_it_was(cell) for _, cell in rows} == set(table["b"].to_pylist())


def test_negative_numbers_are_written_as_numbers(tmp_path: Path) -> None:
    columns = {
        "whole": [-1, -2],
        "real": [-0.5, -1e-30],
        "text": ["-3", "+4.5"],
        "open": [float("-inf"), 1.0],
    }
    table = pa.table({"a": ["x", "x"], **columns})
    anonymize(table, quasi="a", k=2).write(tmp_path / "coarser.csv")
    assert "'" not in (tmp_path / "coarser.csv").read_text()
    read = pd.read_csv(tmp_path / "coarser.csv")
    assert sorted(read["whole"]) == [-2, -1]
    assert sorted(read["text"]) == [-3, 4.5]


def test_cells_that_differ_are_told_apart_in_the_file(tmp_path: Path) -> None:
    ill = ["=x", "'=x", "''=x", "+", "'+", "-1"]
    table = pa.table({"a": ["y"] * len(ill), "ill": ill})
    found = anonymize(table, quasi="a", sensitive="ill", k=len(ill), l=len(ill))
    found.write(tmp_path / "coarser.csv")
    assert l_diversity(tmp_path / "coarser.csv", quasi="a", sensitive="ill").distinct == len(ill)


def test_bands_below_zero_are_read_back(tmp_path: Path) -> None:
    people = pd.DataFrame({"change": [-15, -12, -3, -4], "ill": ["+", "+", "flu", "-"]})
    found = anonymize(people, quasi="change", k=2, hierarchies={"change": bands(10)})
    found.write(tmp_path / "coarser.csv")
    assert "'-10 to 0,flu" in (tmp_path / "coarser.csv").read_text()
    assert k_anonymity(tmp_path / "coarser.csv", quasi="change").k == 2
    of_file, of_table = (
        link(release, {"change": "-12"}, sensitive="ill").figures()["links"]
        for release in (tmp_path / "coarser.csv", found.to_arrow())
    )
    assert of_file == of_table
    assert of_file[0]["value"] == "+"


def test_a_row_with_nothing_in_it_is_a_row_still(tmp_path: Path) -> None:
    found = anonymize(pd.DataFrame({"a": ["x", "x", None, None]}), quasi="a", k=2)
    found.write(tmp_path / "coarser.csv")
    source = open_source(tmp_path / "coarser.csv")
    assert source.fetch(source.table).num_rows == 4


def test_what_was_read_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("a\nx\nx\n")
    found = anonymize(path, quasi="a", k=2)
    with raises_code("E-OUTPUT-IS-INPUT"):
        found.write(path, replace=True)
    other = tmp_path / "coarser.csv"
    found.write(other)
    with raises_code("E-OUTPUT-EXISTS"):
        found.write(other)
    found.write(other, replace=True)
    assert path.read_text() == "a\nx\nx\n"


def test_a_table_that_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("a,b\n" + "x,1\nx,1\ny,2\ny,2\n")
    found = anonymize(path, quasi=["a", "b"], k=2)
    path.write_text("a,b\n" + "x,1\nx,1\nx,2\ny,2\n")
    with raises_code("E-TABLE-CHANGED"):
        found.to_arrow()
