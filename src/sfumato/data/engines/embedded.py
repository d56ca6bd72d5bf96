"""The embedded engine: DuckDB behind Ibis, cut off from all but the files it was given."""

from __future__ import annotations

import ctypes
import glob
import os
import re
import shutil
import tempfile
import warnings
import weakref
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.engine import Engine
from sfumato.data.engines.guarding import guarded
from sfumato.data.frames import arrow_table
from sfumato.data.progress import told
from sfumato.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import ibis.expr.types as ir
    import pyarrow as pa

    from sfumato.data.header import Header

__all__ = ["EmbeddedEngine"]

_NO_EXTENSIONS = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}

# What DuckDB says, in a bare RuntimeError, when Ctrl-C stops a query.
_INTERRUPTED = "Query interrupted"

# Nothing is guessed but the line ending: a cell is the text that is written, no line is skipped.
_AS_WRITTEN = {"all_varchar": True, "skip": 0, "comment": "", "quote": '"', "escape": '"'}


class EmbeddedEngine(Engine):
    """A DuckDB connection that can read the given files and nothing else.

    Cells stay inside: whatever the engine has to say about one becomes a constant sentence.
    """

    title = "DuckDB"
    name = "duckdb"

    def __init__(self, paths: Iterable[Path]) -> None:
        super().__init__()
        ibis = _ibis()
        self._numbers = count()
        # A connection answers one question at a time; threads that share a table take turns.
        self._alone = Lock()
        spill = tempfile.mkdtemp(prefix="sfumato-")
        self._backend = ibis.duckdb.connect(**_NO_EXTENSIONS, temp_directory=spill)
        weakref.finalize(self, _release, self._backend, spill, self._process)
        allowed = [text for path in paths for text in (str(path.absolute()), _literal(path))]
        self._backend.con.execute("SET allowed_paths = $1", [allowed])
        self._backend.settings["enable_progress_bar"] = True
        self._backend.settings["enable_progress_bar_print"] = False
        self._backend.settings["enable_external_access"] = False
        self._backend.settings["lock_configuration"] = True

    def read_csv(self, path: Path, header: Header, *, complaint: str) -> ir.Table:
        """Return a CSV file as a table of text."""
        alone = len(header.names) == 1
        options = {**_AS_WRITTEN, "delim": header.delimiter, "allow_quoted_nulls": not alone}
        options["table_name"] = self._unused(path.name.partition(".")[0])
        table = _guarded(lambda: self._backend.read_csv(_literal(path), **options), complaint)
        return _without_empty_lines(table) if alone else table

    def read_parquet(self, path: Path, *, complaint: str) -> ir.Table:
        """Return a Parquet file as a table."""
        name = self._unused(path.name.partition(".")[0])
        return _guarded(
            lambda: self._backend.read_parquet(_literal(path), table_name=name), complaint
        )

    def parquet_names(self, path: Path, *, complaint: str) -> list[str]:
        """Return the names of the columns as a Parquet file has them."""
        names: list[str] = _guarded(lambda: _parquet_names(path), complaint, also=(OSError,))
        return names

    def read_frame(self, frame: Any, *, name: str, complaint: str) -> ir.Table:
        """Return a pandas, polars or Arrow frame as a table."""
        # A frame is converted by its own library, which may raise anything.
        return _guarded(
            lambda: _ibis().memtable(arrow_table(frame, name)), complaint, also=(Exception,)
        )

    def fetch(self, query: ir.Table, *, complaint: str) -> pa.Table:
        """Run a query and return its result; whoever watches is told how far it is."""
        self.check_process()
        with self._alone, told(self._backend.con.query_progress):
            return _guarded(lambda: _validated(self._backend.to_pyarrow(query)), complaint)

    def keep(self, query: ir.Table, *, complaint: str) -> ir.Table:
        """Run a query and keep its result inside, as a table, until it is forgotten."""
        self.check_process()
        name = self._unused("kept")
        with self._alone, told(self._backend.con.query_progress):
            return _guarded(lambda: self._backend.create_table(name, query, temp=True), complaint)

    def forget(self, kept: ir.Table) -> None:
        """Drop a table that was kept."""
        # The statement that Ibis writes for it is one that DuckDB 2.0 does not read.
        with self._alone:
            self._backend.con.execute(f"DROP TABLE {kept.get_name()}")

    def _unused(self, name: str) -> str:
        """Return a name for a table that none has yet: nearly what is given."""
        return f"{name or 'table'}_{next(self._numbers)}"

    def sql(self, query: ir.Table) -> str:
        """Return a query as DuckDB would be told it."""
        return str(_ibis().to_sql(query, dialect=self.name, pretty=True))


def _validated(table: pa.Table) -> pa.Table:
    """Return a table whose texts are UTF-8; who reads them would quote a cell that is not."""
    table.validate(full=True)
    return table


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


def _ibis() -> Any:
    try:
        import duckdb  # noqa: F401
        import ibis
    except ImportError:
        raise MissingExtraError(purpose="reading a table", extra="duckdb") from None
    return ibis


def _guarded(
    action: Callable[[], Any], complaint: str, *, also: tuple[type[Exception], ...] = ()
) -> Any:
    """Run ``action``; an error of the engine, which may quote a cell, becomes ``complaint``."""
    import duckdb
    import pyarrow as pa
    from ibis.common.exceptions import IbisError

    def instead(error: Exception) -> BaseException | None:
        if isinstance(error, duckdb.InterruptException) or _is_interrupt(error):
            return KeyboardInterrupt()
        if isinstance(error, duckdb.OutOfMemoryException):
            return InputError("there is not enough memory to count so many combinations")
        if isinstance(error, (duckdb.Error, IbisError, pa.ArrowException, *also)):
            return InputError(complaint + _line(error))
        return None

    return guarded(lambda: _without_deprecations(action), instead)


def _is_interrupt(error: Exception) -> bool:
    return type(error) is RuntimeError and str(error) == _INTERRUPTED


def _line(error: Exception) -> str:
    """Return the number of the line that the engine stumbled on, where it tells; nothing else."""
    found = re.match(r"[\w ]+: CSV Error on Line: (\d+)", str(error))
    return f" (line {found[1]})" if found else ""


def _without_deprecations(action: Callable[[], Any]) -> Any:
    """Run ``action``; what Ibis still calls in DuckDB by its old name is not for our users."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return action()
