"""The embedded engine: DuckDB behind Ibis, cut off from all but the files it was given."""

from __future__ import annotations

import ctypes
import glob
import json
import os
import shutil
import tempfile
import weakref
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from sfumato.data.csv_faults import count_rows
from sfumato.data.csv_text import LONGEST, Header, check_encoding, read_header
from sfumato.data.engines.duck import DuckDBEngine, guarded_duckdb, ibis_module, identifier
from sfumato.data.engines.engine import told, unreadable
from sfumato.data.files import is_compressed, quoted
from sfumato.data.frames import arrow_file, arrow_table
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import ibis.expr.types as ir
    import pyarrow as pa

    from sfumato.data.engines.engine import Prepared
    from sfumato.refusal import Given


# A cell is the text that is written, and no line is skipped.  That lines are read strictly is not
# said, but so by default: where it is said, DuckDB 2.0 leaves out the last line of some files.
_AS_WRITTEN = {
    "auto_detect": False,
    "header": True,
    "skip": 0,
    "comment": "",
    "quote": '"',
    "escape": '"',
    "nullstr": "",
    "encoding": "utf-8",
    "ignore_errors": False,
    "null_padding": False,
    "max_line_size": LONGEST,
    "hive_partitioning": False,
}
_ENDINGS = {"\n": r"\n", "\r\n": r"\r\n", "\r": r"\r"}


def csv_options(path: Path, header: Header, *, parallel: bool) -> dict[str, Any]:
    """Return all that DuckDB would otherwise find out from the rows of a file.

    Parameters
    ----------
    path
        The file.
    header
        What its first line says.
    parallel
        Whether lines are looked for in several places at once.
    """
    return {
        **_AS_WRITTEN,
        "columns": dict.fromkeys(header.columns, "VARCHAR"),
        "delim": header.delimiter,
        "new_line": _ENDINGS[header.newline],
        "compression": "gzip" if is_compressed(path) else "none",
        # In a single column, this tells an empty cell from an empty line.
        "allow_quoted_nulls": len(header.names) > 1,
        "parallel": parallel,
    }


class HeldCsv:
    """A CSV file that an engine holds, whose lines are looked at before a question is asked.

    Parameters
    ----------
    path
        The file.
    header
        What its first line says.
    name
        What the engine calls it.
    complaint
        The sentence for whatever the engine may fail at.
    """

    def __init__(self, path: Path, header: Header, name: str, complaint: Given) -> None:
        self.header = header
        self.name = name
        self.complaint = complaint
        self._given = path
        self._absolute = path.absolute()
        self._seen: tuple[int, ...] = ()

    @property
    def path(self) -> Path:
        """The file as it was given, unless the working directory has become another."""
        is_there = self._given.absolute() == self._absolute
        return self._given if is_there else self._absolute

    @property
    def is_seen(self) -> bool:
        """Whether all lines were looked at, and the file was not written since."""
        return self._seen == self._written()

    @contextmanager
    def looked_at(self) -> Iterator[None]:
        """Look at the file: it is seen if the block, which looks at its lines, does not fail."""
        written = self._written()
        if read_header(self.path) != self.header:
            # Its cells would be taken for those of other columns.
            raise InputError(
                "E-TABLE-CHANGED",
                "{path} has another header than when it was opened",
                "open it again",
                path=quoted(self.path),
            )
        check_encoding(self.path, self.header.newline)
        yield
        self._seen = written

    def _written(self) -> tuple[int, ...]:
        """Return what tells whether a file was written to."""
        try:
            found = self._absolute.stat()
        except OSError:
            return (0,)
        return found.st_mtime_ns, found.st_size, found.st_ino


_NO_EXTENSIONS = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}

# A file's least and greatest numbers leave NaN out, and what is not UTF-8 would fail when it is
# read; names of folders are no cells.
_ANY_CELL = {"can_have_nan": True, "utf8_validation": "replace", "hive_partitioning": False}


class EmbeddedEngine(DuckDBEngine):
    """A DuckDB connection that can read the given files and nothing else.

    Cells stay inside: whatever the engine has to say about one becomes a constant sentence.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        ibis = ibis_module()
        spill = tempfile.mkdtemp(prefix="sfumato-")
        super().__init__(ibis.duckdb.connect(**_NO_EXTENSIONS, temp_directory=spill))
        self._numbers = count()
        self._files: list[HeldCsv] = []
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

    def prepared(self, query: ir.Table, *, complaint: Given) -> Prepared:
        """Return what answers a query of numbers, in lines; the SQL of files is written once."""
        import ibis.expr.operations as ops

        if query.op().find(ops.InMemoryTable):
            # Ibis hands a frame over where it runs a query itself.
            return super().prepared(query, complaint=complaint)
        sql = self.guarded(lambda: self._backend.compile(query), complaint)
        return partial(self._lines, sql, query.columns, complaint)

    def _lines(self, sql: str, names: Sequence[str], complaint: Given) -> list[dict[str, Any]]:
        self.check_process()
        # The connection holds what it found last; nobody else has this one.
        connection = self._backend.con
        with self._alone, told(connection.query_progress):
            rows = self.guarded(lambda: connection.execute(sql).fetchall(), complaint)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def check_process(self) -> None:
        """Refuse to work in a forked process, or on a CSV file with a line that breaks a rule.

        All lines are looked at, since a question may need only some: whether it is answered must
        not tell anything of the others.
        """
        super().check_process()
        for file in self._files:
            if not file.is_seen:
                with self._alone, file.looked_at():
                    self._check_lines(file)

    def _check_lines(self, file: HeldCsv) -> None:
        if self._rows(file, parallel=True) is not None:
            return
        # Line breaks in cells may keep DuckDB from finding lines in several places at once, which
        # it tells; in one place at a time, it does not tell of a quote that is never closed.
        rows = count_rows(file.path, file.header)
        if self._rows(file, parallel=False) != rows:
            raise unreadable(file.complaint)

    def _rows(self, file: HeldCsv, *, parallel: bool) -> int | None:
        """Return how many rows a file has; None where the engine cannot read all of it so."""
        table = self._csv(file, parallel=parallel)
        with told(self._backend.con.query_progress):
            rows: int | None = self.guarded(lambda: self._counted(table), file.complaint)
        return rows

    def _counted(self, table: ir.Table) -> Any:
        import duckdb

        try:
            counted = self._backend.con.execute(self._backend.compile(table.count()))
            return counted.fetchall()[0][0]
        except (duckdb.InvalidInputException, duckdb.NotImplementedException):
            return None

    def read_csv(self, path: Path, header: Header, *, complaint: Given) -> ir.Table:
        """Return a CSV file as a table of text; its lines are looked at before a question is."""
        file = HeldCsv(path, header, self._name(path), complaint)
        table = self._csv(file, parallel=True)
        self._files.append(file)
        return table

    def _csv(self, file: HeldCsv, *, parallel: bool) -> ir.Table:
        """Tell the engine how to read a file, and return it as a table."""
        options = csv_options(file.path, file.header, parallel=parallel)
        options["table_name"] = file.name
        table = self.guarded(
            lambda: self._backend.read_csv(_literal(file.path), **options), file.complaint
        )
        return _without_empty_lines(table) if len(file.header.names) == 1 else table

    def read_parquet(
        self, path: Path, *, without: Sequence[str] = (), complaint: Given
    ) -> ir.Table:
        """Return a Parquet file as a table, some of its columns left out as if there were none.

        What the file tells of a column is looked at even where the column itself is not.
        """
        name = self._name(path)
        left_out = ", ".join(map(identifier, without))
        columns = f"* EXCLUDE ({left_out})" if without else "*"
        rows = f"SELECT {columns} FROM {_scan(path, **_ANY_CELL)}"  # noqa: S608
        sql = f"CREATE TEMP VIEW {identifier(name)} AS {rows}"
        self.guarded(lambda: self._backend.con.execute(sql), complaint)
        return self.guarded(lambda: self._backend.table(name), complaint)

    def read_lines(self, path: Path, columns: Iterable[str], *, complaint: Given) -> ir.Table:
        """Return a file of JSON lines as a table of text; what is no object has no cells."""
        options = {"format": "newline_delimited", "ignore_errors": True}
        types = dict.fromkeys(columns, "VARCHAR")
        return guarded_duckdb(
            lambda: self._backend.read_json(
                _literal(path), columns=types, table_name=self._name(path), **options
            ),
            complaint,
        )

    def read_arrow(self, path: Path, *, name: str, complaint: Given) -> ir.Table:
        """Return an Arrow file as a table; its rows are read when they are asked for."""
        return guarded_duckdb(
            lambda: ibis_module().memtable(arrow_file(path, name)), complaint, also=(OSError,)
        )

    def _name(self, path: Path) -> str:
        """Return what the engine calls a file: its name without suffixes, and a number."""
        return f"{path.name.partition('.')[0] or 'table'}_{next(self._numbers)}"

    def parquet_columns(self, path: Path, *, complaint: Given) -> list[tuple[str, bool]]:
        """Return the columns as a Parquet file names them, and whether a cell of each may fail.

        A moment in milliseconds that microseconds cannot hold fails while it is read.
        """
        columns: list[tuple[str, bool]] = guarded_duckdb(
            lambda: _parquet_columns(path), complaint, also=(OSError,)
        )
        return columns

    def check_texts(self, path: Path, column: str, *, complaint: Given) -> None:
        """Refuse a column of a Parquet file with texts that are not UTF-8; it is read for it."""
        sql = f"SELECT SUM(LENGTH({identifier(column)})) FROM {_scan(path)}"  # noqa: S608
        self.guarded(lambda: self._backend.con.execute(sql).fetchall(), complaint)

    def read_frame(self, frame: Any, *, name: str, complaint: Given) -> ir.Table:
        """Return a pandas, polars or Arrow frame as a table."""
        # A frame is converted by its own library, which may raise anything.
        return guarded_duckdb(
            lambda: self._held(arrow_table(frame, name), name), complaint, also=(Exception,)
        )

    def _held(self, rows: pa.Table, name: str) -> ir.Table:
        """Return an Arrow table as one of the engine, if it has all its types."""
        for column in rows.schema:
            if not self._has_type(column):
                raise InputError(
                    "E-COLUMN-TYPE",
                    "the column {column!r:.60} of {name} is of the type {type}, which DuckDB "
                    "does not read",
                    "cast it to another, such as double, or leave it out",
                    column=column.name,
                    name=name,
                    type=column.type,
                )
        return ibis_module().memtable(rows)

    def _has_type(self, column: pa.Field) -> bool:
        import duckdb
        import pyarrow as pa

        try:
            self._backend.con.from_arrow(pa.schema([column]).empty_table())
        except duckdb.NotImplementedException:
            return False
        return True


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


def _parquet_columns(path: Path) -> list[tuple[str, bool]]:
    import pyarrow.parquet as pq

    with path.open("rb") as file:
        found = pq.ParquetFile(file)
        parts = [found.schema.column(place) for place in range(len(found.schema))]
        failing = [f"{each.path}." for each in parts if _is_in_milliseconds(each.logical_type)]
        names = found.schema_arrow.names
    return [(name, any(each.startswith(f"{name}.") for each in failing)) for name in names]


def _scan(path: Path, **options: Any) -> str:
    """Return a Parquet file as DuckDB is told of it."""
    import sqlglot.expressions as sge

    said = [f"{name} = {sge.convert(each).sql('duckdb')}" for name, each in options.items()]
    return f"read_parquet({', '.join([sge.convert(_literal(path)).sql('duckdb'), *said])})"


def _is_in_milliseconds(kind: Any) -> bool:
    said = json.loads(kind.to_json())
    return bool(said["Type"] == "Timestamp" and said["timeUnit"] == "milliseconds")


def _without_empty_lines(table: ir.Table) -> ir.Table:
    """Return the rows of a single column, where only an empty cell in quotes is a null."""
    (name,) = table.columns
    cells = table.filter(table[name].notnull())
    return cells.select(cells[name].nullif("").name(name))
