"""The generalised table itself: as Arrow, and as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data import (
    harmless_texts,
    has_table_name,
    is_compressed,
    is_csv,
    is_tabbed,
    put_in_place,
    quoted,
)
from sfumato.errors import InputError
from sfumato.risk.generalising.hierarchy import STAR
from sfumato.translation import Sentences, mark

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from typing import BinaryIO

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.data import Source
    from sfumato.risk.generalising.cells import CodedCells, CodedColumn
    from sfumato.risk.generalising.recoding import Recoded, Recoding


_TAB = "\t"
_NO_TEXT: Sentences = {
    "is_nested": "lists or records",
    "is_binary": "bytes",
    "is_large_binary": "bytes",
}
_AT_ONCE = 50_000


def recoded_table(
    source: Source, cells: CodedCells, recoding: Recoding, removed: Sequence[str]
) -> pa.Table:
    """Return the table with its columns in the old order and its rows in a new one.

    Rows are sorted by what they say now: where a row stood could tell whose it is.
    """
    import pyarrow as pa

    table = source.fetch(source.table)
    cell = cells.locate(table)
    for column, new in zip(cells.columns, recoding.columns, strict=True):
        table = _replaced(table, column.name, _said(column, new, cell))
    for name in removed:
        table = _replaced(table, name, pa.array([STAR]).take(pa.array([0] * len(table))))
    kept = table.filter(pa.array(recoding.kept[cell]))
    flat = [each.name for each in kept.schema if not pa.types.is_nested(each.type)]
    return kept.sort_by([(name, "ascending") for name in flat])


def check_output(path: str | os.PathLike[str]) -> None:
    """Refuse a file whose suffix is none of a table."""
    file = Path(path)
    if not has_table_name(file):
        raise InputError(
            "E-OUTPUT-NAME",
            "{file} is no name of a table",
            "let it end in .csv, .tsv or .parquet",
            file=quoted(file),
        )


def write_table(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write a table as CSV or Parquet, by the suffix; the file is whole or not there."""
    check_output(path)
    with put_in_place(path) as draft:
        _write(table, draft)


def _write(table: pa.Table, draft: Path) -> None:
    # Arrow itself opens no file whose name is not UTF-8.
    with draft.open("wb") as opened:
        if is_csv(draft):
            _write_csv(table, draft, opened)
        else:
            import pyarrow.parquet

            pyarrow.parquet.write_table(table, opened)


def _write_csv(table: pa.Table, draft: Path, opened: BinaryIO) -> None:
    import pyarrow as pa

    _check_cells(table)
    between = _TAB if is_tabbed(draft) else ","
    header = pa.table([[name] for name in table.column_names], names=table.column_names)
    with pa.output_stream(opened, "gzip" if is_compressed(draft) else None) as file:
        for part in (header, *table.to_batches(max_chunksize=_AT_ONCE)):
            file.write("".join(f"{line}\n" for line in _csv_lines(part, between)).encode())


def _check_cells(table: pa.Table) -> None:
    """Refuse columns whose cells are no text."""
    import pyarrow as pa

    for column in table.schema:
        for holds, what in _NO_TEXT.items():
            if getattr(pa.types, holds)(column.type):
                raise InputError(
                    "E-COLUMN-TYPE",
                    "the column {column!r} holds {what}, which CSV has no cells for",
                    "write Parquet",
                    column=column.name,
                    what=mark(what),
                )


def _csv_lines(part: pa.Table | pa.RecordBatch, between: str) -> list[str]:
    """Return rows as lines: a missing cell is empty, and an empty text is in quotes."""
    import pyarrow.compute as pc

    alone = part.num_columns == 1
    cells = []
    for column in part.columns:
        text = _texts(column)
        inside = pc.replace_substring(text, '"', '""')
        quoted_text = pc.binary_join_element_wise('"', inside, '"', "")
        odd = pc.match_substring_regex(text, f'^$|["\r\n{between}]')
        # A line with nothing on it would be no row.
        cells.append(pc.fill_null(pc.if_else(odd, quoted_text, text), '""' if alone else ""))
    lines: list[str] = pc.binary_join_element_wise(*cells, between).to_pylist()
    return lines


def _texts(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return cells as text, none of which is a formula to a spreadsheet; numbers stay numbers."""
    import pyarrow as pa

    kinds, text = pa.types, column.cast(pa.string())
    holds = (kinds.is_integer, kinds.is_floating, kinds.is_decimal)
    return text if any(each(column.type) for each in holds) else harmless_texts(text)


def _replaced(table: pa.Table, name: str, cells: pa.Array) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, cells)


def _said(column: CodedColumn, new: Recoded, cell: NDArray[np.int64]) -> pa.Array:
    """Return what a column says in each row, from the cell that it is of."""
    import pyarrow as pa

    if new.change.level == 0:
        # Values that the engine takes for one, as 0 and -0, must be written alike too.
        return column.values.take(column.codes[cell])
    return pa.array(new.labels, pa.string()).take(pa.array(new.codes[cell]))
