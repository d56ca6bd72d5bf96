"""The embedded engine: DuckDB behind Ibis, cut off from all but the files it was given."""

from __future__ import annotations

import ctypes
import glob
import os
import shutil
import tempfile
import weakref
from contextlib import suppress
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from sfumato.data.encodings import naming_the_encoding
from sfumato.data.engines.duck import DuckDBEngine, guarded_duckdb, ibis_module
from sfumato.data.frames import arrow_file, arrow_table
from sfumato.data.progress import told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    import ibis.expr.types as ir

    from sfumato.data.engines.engine import Prepared
    from sfumato.data.header import Header

__all__ = ["EmbeddedEngine"]

_NO_EXTENSIONS = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}

# Nothing is guessed but the line ending: a cell is the text that is written, no line is skipped.
_AS_WRITTEN = {"all_varchar": True, "skip": 0, "comment": "", "quote": '"', "escape": '"'}


class EmbeddedEngine(DuckDBEngine):
    """A DuckDB connection that can read the given files and nothing else.

    Cells stay inside: whatever the engine has to say about one becomes a constant sentence.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        ibis = ibis_module()
        spill = tempfile.mkdtemp(prefix="sfumato-")
        super().__init__(ibis.duckdb.connect(**_NO_EXTENSIONS, temp_directory=spill))
        self._numbers = count()
        self._paths = paths
        weakref.finalize(self, _release, self._backend, spill, self._process)
        allowed = [text for path in paths for text in (str(path.absolute()), _literal(path))]
        self._backend.con.execute("SET allowed_paths = $1", [allowed])
        self._ask_for_progress()
        self._backend.settings["enable_external_access"] = False
        self._backend.settings["lock_configuration"] = True

    def _ask_for_progress(self) -> None:
        """Let progress be told, and none printed; a notebook without ipywidgets allows neither."""
        import duckdb

        with suppress(duckdb.InvalidInputException):
            self._backend.settings["enable_progress_bar"] = True
            self._backend.settings["enable_progress_bar_print"] = False

    def guarded(self, action: Callable[[], Any], complaint: str) -> Any:
        """Run ``action``; an error of the engine becomes ``complaint``, or says the encoding."""
        with naming_the_encoding(self._paths):
            return super().guarded(action, complaint)

    def prepared(self, query: ir.Table, *, complaint: str) -> Prepared:
        """Return what answers a query of numbers, in lines; the SQL of files is written once."""
        import ibis.expr.operations as ops

        if query.op().find(ops.InMemoryTable):
            # Ibis hands a frame over where it runs a query itself.
            return super().prepared(query, complaint=complaint)
        sql = self.guarded(lambda: self._backend.compile(query), complaint)
        return partial(self._lines, sql, query.columns, complaint)

    def _lines(self, sql: str, names: Sequence[str], complaint: str) -> list[dict[str, Any]]:
        self.check_process()
        # The connection holds what it found last; nobody else has this one.
        connection = self._backend.con
        with self._alone, told(connection.query_progress):
            rows = self.guarded(lambda: connection.execute(sql).fetchall(), complaint)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def read_csv(self, path: Path, header: Header, *, complaint: str) -> ir.Table:
        """Return a CSV file as a table of text."""
        alone = len(header.names) == 1
        options = {**_AS_WRITTEN, "delim": header.delimiter, "allow_quoted_nulls": not alone}
        options["table_name"] = self._name(path)
        table = self.guarded(lambda: self._backend.read_csv(_literal(path), **options), complaint)
        return _without_empty_lines(table) if alone else table

    def read_parquet(self, path: Path, *, complaint: str) -> ir.Table:
        """Return a Parquet file as a table."""
        name = self._name(path)
        return guarded_duckdb(
            lambda: self._backend.read_parquet(_literal(path), table_name=name), complaint
        )

    def read_lines(self, path: Path, columns: Iterable[str], *, complaint: str) -> ir.Table:
        """Return a file of JSON lines as a table of text; what is no object has no cells."""
        options = {"format": "newline_delimited", "ignore_errors": True}
        types = dict.fromkeys(columns, "VARCHAR")
        return guarded_duckdb(
            lambda: self._backend.read_json(
                _literal(path), columns=types, table_name=self._name(path), **options
            ),
            complaint,
        )

    def read_arrow(self, path: Path, *, name: str, complaint: str) -> ir.Table:
        """Return an Arrow file as a table; its rows are read when they are asked for."""
        return guarded_duckdb(
            lambda: ibis_module().memtable(arrow_file(path, name)), complaint, also=(OSError,)
        )

    def _name(self, path: Path) -> str:
        """Return what the engine calls a file: its name without suffixes, and a number."""
        return f"{path.name.partition('.')[0] or 'table'}_{next(self._numbers)}"

    def parquet_names(self, path: Path, *, complaint: str) -> list[str]:
        """Return the names of the columns as a Parquet file has them."""
        names: list[str] = guarded_duckdb(lambda: _parquet_names(path), complaint, also=(OSError,))
        return names

    def read_frame(self, frame: Any, *, name: str, complaint: str) -> ir.Table:
        """Return a pandas, polars or Arrow frame as a table."""
        # A frame is converted by its own library, which may raise anything.
        return guarded_duckdb(
            lambda: ibis_module().memtable(arrow_table(frame, name)), complaint, also=(Exception,)
        )


def _release(backend: Any, spill: str, process: int) -> None:
    if os.getpid() != process:
        # A forked child has a copy without its threads, which may be neither used nor destroyed.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(backend))
        return
    backend.disconnect()
    shutil.rmtree(spill, ignore_errors=True)


def _literal(path: Path) -> str:
    """Return an absolute path in which the engine sees no pattern."""
    return glob.escape(str(path.absolute()))


def _parquet_names(path: Path) -> Any:
    import pyarrow.parquet as pq

    with path.open("rb") as file:
        return pq.read_schema(file).names


def _without_empty_lines(table: ir.Table) -> ir.Table:
    """Return the rows of a single column, where only an empty cell in quotes is a null."""
    (name,) = table.columns
    cells = table.filter(table[name].notnull())
    return cells.select(cells[name].nullif("").name(name))
