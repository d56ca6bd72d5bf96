"""DuckDB behind Ibis: whatever it has to say about a cell becomes a constant sentence."""

from __future__ import annotations

import re
import secrets
import warnings
from contextlib import contextmanager, suppress
from functools import partial
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from sfumato.data.arrow import as_expected
from sfumato.data.engines.engine import Engine, failed, guarded, told, unreadable
from sfumato.data.engines.functions import call
from sfumato.errors import InputError, MissingExtraError
from sfumato.refusal import Given, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import ibis.expr.types as ir
    import pyarrow as pa


# What DuckDB says, in a bare RuntimeError, when Ctrl-C stops a query.
_INTERRUPTED = "Query interrupted"


class DuckDBEngine(Engine):
    """A DuckDB connection that runs queries of Ibis."""

    title = "DuckDB"
    name = "duckdb"

    def __init__(self, backend: Any) -> None:
        super().__init__()
        self._backend = backend
        # A connection answers one question at a time; threads that share a table take turns.
        self._alone = Lock()

    def fetch(self, query: ir.Table, *, complaint: Given) -> pa.Table:
        """Run a query and return its result; whoever watches is told how far it is."""
        self.check_process()
        with self._alone, told(self._backend.con.query_progress):
            return self.guarded(lambda: self._fetched(query), complaint)

    def batches(self, query: ir.Table, *, rows: int, complaint: Given) -> Iterator[pa.RecordBatch]:
        """Run a query and yield its result in parts, while it runs."""
        self.check_process()
        with self._alone, told(self._backend.con.query_progress):
            reader = self.guarded(lambda: self._reader(query, rows), complaint)
            while (batch := self.guarded(lambda: _next(reader), complaint)) is not None:
                yield batch

    def guarded(self, action: Callable[[], Any], complaint: Given) -> Any:
        """Run ``action``; an error of the engine becomes ``complaint``, one about a value ours."""
        import duckdb

        ours = (duckdb.DataError, duckdb.InternalException, duckdb.FatalException)

        def instead(error: Exception) -> BaseException | None:
            if isinstance(error, ours):
                return failed(self.title, error, "duckdb", "ibis-framework")
            return _instead(error, complaint)

        return guarded(lambda: _without_deprecations(action), instead)

    def _fetched(self, query: ir.Table) -> pa.Table:
        # Ibis's own way of reading loads pandas.
        found = self._backend.con.sql(self._statement(query)).to_arrow_table()
        return _validated(as_expected(found, query.schema().to_pyarrow()))

    def _reader(self, query: ir.Table, rows: int) -> pa.RecordBatchReader:
        # Ibis's own way of reading in parts calls what DuckDB 2.0 no longer has.
        return self._backend.con.sql(self._statement(query)).to_arrow_reader(rows)

    def _statement(self, query: ir.Table) -> str:
        """Return a query as a statement of its own; what it needs of Python is handed over."""
        import ibis.expr.operations as ops

        needed = [each.to_expr() for each in query.op().find(ops.InMemoryTable)]
        if any(map(_is_written_in_python, query.op().find(ops.ScalarUDF))):
            needed.append(query)
        for each in needed:
            # Ibis hands over what a query needs where it runs it itself; nothing is read here.
            self._backend.to_pyarrow_batches(each.limit(0))
        return str(self._backend.compile(query))

    def keep(self, query: ir.Table, *, complaint: Given) -> ir.Table:
        """Run a query and keep its result inside, as a table, until it is forgotten."""
        self.check_process()
        # None of the user's own tables has this name.
        name = f"kept_{secrets.token_hex(8)}"
        with self._alone, told(self._backend.con.query_progress):
            return self.guarded(lambda: self._kept(name, query), complaint)

    def _kept(self, name: str, query: ir.Table) -> ir.Table:
        # Ibis itself casts all it keeps, also ids of 128 bits, to a type that is narrower.  Sums
        # of whole numbers have 128 bits too, and are cast as Ibis has them.
        kinds = query.schema().items()
        columns = ", ".join(_as_kept(each, kind) for each, kind in kinds)
        statement = f"SELECT {columns} FROM ({self._statement(query)})"  # noqa: S608
        self._backend.con.execute(f"CREATE TEMP TABLE {name} AS {statement}")
        return self._backend.table(name)

    def forget(self, kept: ir.Table) -> None:
        """Drop a table that was kept; where a transaction failed, it goes with that."""
        import duckdb

        # The statement that Ibis writes for it is one that DuckDB 2.0 does not read.
        with self._alone, suppress(duckdb.Error):
            self._backend.con.execute(f"DROP TABLE {kept.get_name()}")

    def sql(self, query: ir.Table) -> str:
        """Return a query as DuckDB would be told it."""
        return str(ibis_module().to_sql(query, dialect=self.name, pretty=True))


def _as_kept(name: str, kind: Any) -> str:
    quoted = identifier(name)
    return f"CAST({quoted} AS BIGINT) AS {quoted}" if kind.is_int64() else quoted


def _is_written_in_python(function: Any) -> bool:
    from ibis.expr.operations.udf import InputType

    return function.__input_type__ is not InputType.BUILTIN


def _next(reader: pa.RecordBatchReader) -> pa.RecordBatch | None:
    batch = next(reader, None)
    return None if batch is None else _validated(batch)


def _validated(table: pa.Table) -> pa.Table:
    """Return a table whose texts are UTF-8; who reads them would quote a cell that is not."""
    table.validate(full=True)
    return table


def ibis_module() -> Any:
    """Return Ibis, or say which extra has it and DuckDB."""
    try:
        import duckdb  # noqa: F401
        import ibis
    except ImportError:
        raise MissingExtraError(purpose=mark("reading a table"), extra="duckdb") from None
    return ibis


def identifier(name: str) -> str:
    """Return a name as DuckDB reads it, whatever is in it."""
    import sqlglot.expressions as sge

    return str(sge.to_identifier(name, quoted=True).sql("duckdb"))


def guarded_duckdb(
    action: Callable[[], Any], complaint: Given, *, also: tuple[type[Exception], ...] = ()
) -> Any:
    """Run ``action``; an error of the engine, which may quote a cell, becomes ``complaint``."""
    return guarded(
        lambda: _without_deprecations(action), lambda error: _instead(error, complaint, also)
    )


def _instead(
    error: Exception, complaint: Given, also: tuple[type[Exception], ...] = ()
) -> BaseException | None:
    """Return what is said instead of an error of DuckDB, and None of any other."""
    import duckdb
    import pyarrow as pa
    from ibis.common.exceptions import IbisError

    if isinstance(error, duckdb.InterruptException) or _is_interrupt(error):
        return KeyboardInterrupt()
    if isinstance(error, duckdb.OutOfMemoryException):
        return InputError(
            "E-ENGINE-MEMORY", "there is not enough memory to count so many combinations"
        )
    if isinstance(error, (duckdb.Error, IbisError, pa.ArrowException, *also)):
        return unreadable(_with_line(complaint, error))
    return None


def _is_interrupt(error: Exception) -> bool:
    return type(error) is RuntimeError and str(error) == _INTERRUPTED


def _with_line(complaint: Given, error: Exception) -> Given:
    """Add the number of the line that the engine stumbled on, where it tells; nothing else."""
    found = re.match(r"[\w ]+: CSV Error on Line: (\d+)", str(error))
    return (
        text("{complaint} (line {line})", complaint=complaint, line=found[1])
        if found
        else complaint
    )


def _without_deprecations(action: Callable[[], Any]) -> Any:
    """Run ``action``; what Ibis still calls in DuckDB by its old name is not for our users."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return action()


#: Settings by which operations would mean something else, and what they must be.
_NEEDED = {
    "default_collation": "",
    "integer_division": False,
    "ieee_floating_point_ops": True,
}
_COMPLAINT = mark("the settings of DuckDB cannot be read")
#: Whose turn it is, for each connection of Ibis.
_TURNS: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()


class BorrowedDuckDB(DuckDBEngine):
    """DuckDB as the user opened it; the settings that change what is meant are checked."""

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        for name, needed in _NEEDED.items():
            found = guarded_duckdb(partial(_setting, backend, name), _COMPLAINT)
            if found != needed:
                raise InputError(
                    "E-ENGINE-SETTING",
                    "DuckDB is set to {name} = {found!r}, by which queries would mean "
                    "something else",
                    "set it to {needed!r}",
                    name=name,
                    found=found,
                    needed=needed,
                )

        self.connection = backend.con
        self._alone = _TURNS.setdefault(backend, RLock())

    def sees(self, other: Engine) -> bool:
        """Tell whether another engine is of the same connection."""
        return isinstance(other, BorrowedDuckDB) and other.connection is self.connection

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one moment of the tables until the block ends, though others may write.

        A connection has one transaction, so that threads take turns, each for a whole one.
        """
        with self._alone:
            if self._is_within():
                # The user's own transaction sees one moment already.
                yield
                return
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                self._end()

    def _is_within(self) -> bool:
        """Tell whether a transaction is open: to begin another would be the end of it."""
        import duckdb

        ask = "SELECT txid_current()"
        try:
            first, second = (self.connection.execute(ask).fetchall() for _ in range(2))
        except duckdb.TransactionException:
            return True
        return bool(first == second)

    def _end(self) -> None:
        import duckdb

        try:
            self.connection.execute("COMMIT")
        except duckdb.Error:
            self.connection.execute("ROLLBACK")


def _setting(backend: Any, name: str) -> Any:
    return backend.con.execute("SELECT current_setting($1)", [name]).fetchall()[0][0]


def as_borrowed(table: ir.Table) -> ir.Table:
    """Return a user's table with its text compared by bytes, and nothing else.

    A column may have a collation of its own, of which no catalogue tells, by which `a` is `A`: a
    group, a person or a public row would be taken for another.
    """
    import ibis.expr.operations as ops

    if table.op().find((ops.RandomScalar, ops.RandomUUID, ops.Sample)):
        raise InputError(
            "E-TABLE-RANDOM",
            "the table of Ibis is drawn at random, so that each query would read other rows",
            "write it to a table, and open that",
        )
    texts = [name for name, kind in table.schema().items() if kind.is_string()]
    return table.mutate(**{name: _by_bytes(table[name]) for name in texts})


def _by_bytes(text: ir.Value) -> ir.Value:
    """Return a text that was made of its bytes, and has no collation any more."""
    return call("decode", "string", call("encode", "binary", text))
