"""Cells that spreadsheets take for formulas: all are marked, none is lost, numbers stay numbers."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import open_source
from sfumato.data.writing import as_it_was, as_they_were, harmless, harmless_texts, is_formula

SIGNS = "=+-@\t\r\n＝＋－＠"
CELLS = st.text(st.sampled_from(f"{SIGNS}'1.ea \""), max_size=6)


@pytest.mark.parametrize("sign", SIGNS)
def test_what_begins_like_a_formula_is_marked(sign: str) -> None:
    assert harmless(f"{sign}cmd|'/c calc'!A0") == f"'{sign}cmd|'/c calc'!A0"


@pytest.mark.parametrize("cell", ["-1", "-2.5e-3", "+4", "-.5", "7.", "-inf", "nan"])
def test_numbers_stay_numbers(cell: str) -> None:
    assert harmless(cell) == cell


@pytest.mark.parametrize("cell", ["-1+1", "+1_0", "-１", "-1\n", "-2 to 3", "--1", "-1e", "-"])
def test_what_only_begins_like_a_number_is_none(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "ada", "a=b", "'", "'s Gravenhage", "''", "0-10"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert harmless(cell) == as_it_was(cell) == cell


@given(CELLS)
def test_every_cell_can_be_had_back(cell: str) -> None:
    assert as_it_was(harmless(cell)) == cell
    assert harmless(cell)[:1] not in SIGNS or not is_formula(harmless(cell))


@given(CELLS, CELLS)
def test_two_cells_are_never_written_alike(one: str, other: str) -> None:
    assert (harmless(one) == harmless(other)) == (one == other)


@given(st.lists(st.none() | CELLS, max_size=8))
def test_a_column_is_marked_as_its_cells_are(cells: list[str | None]) -> None:
    column = pa.array(cells, pa.string())
    marked = [None if cell is None else harmless(cell) for cell in cells]
    assert harmless_texts(column).to_pylist() == marked


def test_an_engine_reads_marked_cells_as_they_were() -> None:
    cells = [f"{mark}{sign}x" for mark in ("", "'", "''") for sign in SIGNS] + ["-1", "'s", "a'=b"]
    source = open_source(
        pa.table({"a": [harmless(cell) for cell in cells], "at": range(len(cells))})
    )
    query = source.table.order_by("at").select(a=as_they_were(source.table.a))
    assert source.fetch(query)["a"].to_pylist() == cells
