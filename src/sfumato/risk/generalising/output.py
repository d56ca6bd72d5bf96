"""The coarser table itself: as Arrow, and as a file."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data.files import has_table_name, is_csv, is_tabbed, quoted
from sfumato.data.writing import put_in_place
from sfumato.errors import InputError
from sfumato.risk.generalising.hierarchy import STAR

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.data import Source
    from sfumato.risk.generalising.cells import Cells
    from sfumato.risk.generalising.recoding import Recoded, Recoding

__all__ = ["check_output", "recoded_table", "write_table"]

_TAB = "\t"
_AT_ONCE = 50_000


def recoded_table(
    source: Source, cells: Cells, recoding: Recoding, removed: Sequence[str]
) -> pa.Table:
    """Return the table with its columns in the old order and its rows in a new one.

    Rows are sorted by what they say now: where a row stood could tell whose it is.
    """
    import pyarrow as pa

    table = source.fetch(source.table)
    cell = cells.locate(table)
    for column, new in zip(cells.columns, recoding.columns, strict=True):
        # Values that the engine takes for one, as 0 and -0, must look alike too.
        found = column.values.take(column.codes[cell]) if new.level == 0 else _labels(new, cell)
        table = _replaced(table, column.name, found)
    for name in removed:
        table = _replaced(table, name, pa.array([STAR]).take(pa.array([0] * len(table))))
    kept = table.filter(pa.array(recoding.kept[cell]))
    flat = [each.name for each in kept.schema if not pa.types.is_nested(each.type)]
    return kept.sort_by([(name, "ascending") for name in flat])


def check_output(path: str | os.PathLike[str]) -> None:
    """Refuse a file whose suffix is none of a table."""
    file = Path(path)
    if not has_table_name(file):
        message = f"{quoted(file)} is no name of a table; let it end in .csv, .tsv or .parquet"
        raise InputError(message)


def write_table(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write a table as CSV or Parquet, by the suffix; the file is whole or not there."""
    check_output(path)
    with put_in_place(path) as draft:
        _write(table, draft)


def _write(table: pa.Table, draft: Path) -> None:
    import pyarrow.parquet

    if is_csv(draft):
        _write_csv(table, draft)
    else:
        pyarrow.parquet.write_table(table, draft)


def _write_csv(table: pa.Table, draft: Path) -> None:
    import pyarrow as pa

    for column in table.schema:
        if pa.types.is_nested(column.type):
            message = (
                f"the column {column.name!r} holds lists or records, which CSV has no cells for; "
                "write Parquet"
            )
            raise InputError(message)
    with pa.output_stream(draft) as file, io.TextIOWrapper(file, "utf-8", newline="") as text:
        writer = csv.writer(text, delimiter=_TAB if is_tabbed(draft) else ",", lineterminator="\n")
        writer.writerow(table.column_names)
        for batch in table.to_batches(max_chunksize=_AT_ONCE):
            written = [column.cast(pa.string()).to_pylist() for column in batch.columns]
            writer.writerows(zip(*written, strict=True))


def _replaced(table: pa.Table, name: str, cells: pa.Array) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, cells)


def _labels(column: Recoded, cell: NDArray[np.int64]) -> pa.Array:
    import pyarrow as pa

    return pa.array(column.labels, pa.string()).take(pa.array(column.codes[cell]))
