"""The same rows on every storage: files of every writer, tables and views, frames, servers."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

import sfumato as sf
from tests.totality.cells import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sfumato.tables import PrivateTable

    Hold = Callable[[pa.Table, Path, dict[str, Any]], PrivateTable]

#: What is declared where each row is another person's, and where a person owns several.
ROWS: dict[str, Any] = {"unit": "row"}
PEOPLE: dict[str, Any] = {"unit": "id", "limits": {"rows": 2, "groups": 2}}
#: What a text file holds no cells of.
NESTED = ("l", "o")
#: Columns of the types that Parquet keeps Bloom filters of.
FILTERED = ("id", "name", "i", "x", "y", "f", "s", "t", "d", "m")


@dataclass(frozen=True)
class Storage:
    """A way to hold rows.

    Attributes
    ----------
    name
        What a report calls it.
    family
        Storages of one family hold the same cells and are asked in the same words; a frame, which
        has words of its own, is a family by itself, of the same name.
    hold
        Makes a private table of rows, in a folder of its own, by what is declared.
    """

    name: str
    family: str
    hold: Hold

    @property
    def is_file(self) -> bool:
        """Whether a question has the same words for all tables that it holds."""
        return self.family != self.name


def _parquet(write: Callable[[pa.Table, Path], Any]) -> Hold:
    def hold(rows: pa.Table, folder: Path, declared: dict[str, Any]) -> PrivateTable:
        path = folder / "t.parquet"
        write(rows, path)
        return sf.table(path, **declared)

    return hold


def _by_pyarrow(**options: Any) -> Callable[[pa.Table, Path], Any]:
    return lambda rows, path: pq.write_table(rows, path, **options)


def _sorted(rows: pa.Table, path: Path) -> None:
    pq.write_table(rows.sort_by("x"), path, row_group_size=2, write_page_index=True)


def _by_duckdb(rows: pa.Table, path: Path) -> None:
    backend = ibis.duckdb.connect()
    backend.con.register("given", rows)
    backend.con.execute(f"COPY given TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2)")
    backend.disconnect()


def _csv(rows: pa.Table, folder: Path, declared: dict[str, Any]) -> PrivateTable:
    path = folder / "t.csv"
    _write_csv(rows, path)
    return sf.table(path, types=_written_types(), **declared)


def _zipped(rows: pa.Table, folder: Path, declared: dict[str, Any]) -> PrivateTable:
    plain, path = folder / "t.txt", folder / "t.csv.gz"
    _write_csv(rows, plain)
    path.write_bytes(gzip.compress(plain.read_bytes(), compresslevel=1))
    return sf.table(path, types=_written_types(), **declared)


def _written_types() -> dict[str, str]:
    return {name: kind for name, kind in TYPES.items() if kind != "text"}


def _write_csv(rows: pa.Table, path: Path) -> None:
    """Write rows as text: what a writer makes of far days and moments is a text as good as any."""
    written = rows.drop_columns(NESTED)
    for place, field in enumerate(written.schema):
        if pa.types.is_temporal(field.type):
            number = pa.int32() if pa.types.is_date32(field.type) else pa.int64()
            unit = "D" if pa.types.is_date32(field.type) else field.type.unit
            texts = [_moment(each, unit) for each in written.column(place).cast(number).to_pylist()]
            written = written.set_column(place, field.name, pa.array(texts, pa.string()))
    pc.write_csv(written, path)


def _moment(number: int | None, unit: Any) -> str | None:
    return None if number is None else str(np.datetime64(number, unit))


def _frame(made: Callable[[pa.Table], Any]) -> Hold:
    return lambda rows, _, declared: sf.table(made(rows), **declared)


def _held(*statements: str, place: str | None = None) -> Hold:
    """A table of the user's own connection, made by statements on the rows, given as a file."""

    def hold(rows: pa.Table, folder: Path, declared: dict[str, Any]) -> PrivateTable:
        file = folder / "rows.parquet"
        pq.write_table(rows, file)
        backend = ibis.duckdb.connect(*([folder / place] if place else []))
        for each in statements:
            backend.con.execute(each.format(file=file)).fetchall()
        return sf.table(backend.table("t"), **declared)

    return hold


_STRICT = "CREATE TABLE t AS SELECT * FROM read_parquet('{file}', can_have_nan = true)"
_INDEXED = tuple(f"CREATE INDEX by_{name} ON t ({name})" for name in ("x", "i", "d"))

STORAGES: tuple[Storage, ...] = (
    Storage("Parquet of pyarrow", "file", _parquet(_by_pyarrow())),
    Storage("Parquet, no statistics", "file", _parquet(_by_pyarrow(write_statistics=False))),
    Storage("Parquet, no dictionary", "file", _parquet(_by_pyarrow(use_dictionary=False))),
    Storage("Parquet, a row group a row", "file", _parquet(_by_pyarrow(row_group_size=1))),
    Storage("Parquet, sorted, page index", "file", _parquet(_sorted)),
    Storage(
        "Parquet, bloom filters",
        "file",
        _parquet(_by_pyarrow(bloom_filter_options=dict.fromkeys(FILTERED, True))),
    ),
    Storage("Parquet, pages of version 2", "file", _parquet(_by_pyarrow(data_page_version="2.0"))),
    Storage(
        "Parquet, INT96",
        "file of INT96",
        _parquet(_by_pyarrow(use_deprecated_int96_timestamps=True)),
    ),
    Storage("Parquet of DuckDB", "file", _parquet(_by_duckdb)),
    Storage(
        "Parquet of polars",
        "file",
        _parquet(lambda rows, path: pl.from_arrow(rows).write_parquet(path)),  # type: ignore[union-attr]
    ),
    Storage("CSV", "text", _csv),
    Storage("CSV, compressed", "text", _zipped),
    Storage("frame of Arrow", "frame of Arrow", _frame(lambda rows: rows)),
    Storage(
        "frame of pandas",
        "frame of pandas",
        _frame(lambda rows: rows.to_pandas(types_mapper=pd.ArrowDtype)),
    ),
    Storage("frame of polars", "frame of polars", _frame(pl.from_arrow)),
    Storage("DuckDB table", "held", _held(_STRICT)),
    Storage(
        "DuckDB table on disk, indexed",
        "held",
        _held(_STRICT, *_INDEXED, "CHECKPOINT", place="t.db"),
    ),
    Storage("DuckDB view of Parquet", "held", _held("CREATE VIEW t AS SELECT * FROM '{file}'")),
)


def named(names: Sequence[str]) -> tuple[Storage, ...]:
    """The storages of these names."""
    return tuple(each for each in STORAGES if each.name in names)


def held_columns(table: PrivateTable) -> frozenset[str]:
    """The columns that questions to a table may use: whatever its storage has a type for."""
    return frozenset(name for name in TYPES if table.schema.get(name, "other") != "other")
