"""Tables that a database holds already: found by address and name, or given as one of Ibis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.clustered import open_spark_table
from sfumato.data.engines.borrowed import BorrowedDuckDB, as_borrowed
from sfumato.data.engines.postgres.address import Address, read_address
from sfumato.data.engines.postgres.catalog import TableName, read_table_name
from sfumato.data.names import check_names
from sfumato.data.source import Source
from sfumato.errors import InputError
from sfumato.refusal import Argument, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.data.engines.postgres.engine import PostgresEngine

__all__ = ["open_ibis", "open_served"]

_COMPLAINT = mark(
    "{name} could not be read to the end; check that the table is as it was when it was opened, "
    "and that the user may read it"
)


def open_served(address: str, table: Any) -> Source:
    """Return a table of a PostgreSQL database; no row is read."""
    place = read_address(address)
    if table is None:
        raise InputError(
            "E-TABLE-NAME",
            "it is not said which table of {place} is meant",
            "write {table}, or {example} with its schema",
            place=place,
            table=Argument("table", "visits"),
            example=Argument("table", "clinic.visits"),
        )
    from sfumato.data.engines.postgres.engine import PostgresEngine

    return _found(PostgresEngine(place), read_table_name(table))


def open_ibis(table: Any) -> Source:
    """Return a table of Ibis, in the engine that it is in; no row is read."""
    backend = _backend(table)
    opened = None if backend is None else _OPENED.get(backend.name)
    if opened is None:
        raise InputError(
            "E-TABLE-KIND",
            "the table of Ibis is in {where}",
            "open one of DuckDB, PostgreSQL or Spark, or give a frame or a file",
            where=mark("no database") if backend is None else repr(backend.name),
        )
    return opened(table, backend)


def _backend(table: Any) -> Any:
    """Return the database of a table of Ibis; None where there is none, or more than one."""
    from ibis.common.exceptions import IbisError

    try:
        return table.get_backend()
    except IbisError:
        return None


def _of_duckdb(table: Any, backend: Any) -> Source:
    import ibis.expr.operations as ops

    held = table.op()
    name = repr(held.name) if isinstance(held, ops.DatabaseTable) else mark("the table")
    check_names(list(table.columns), name)
    complaint = text(_COMPLAINT, name=name)
    return Source(name, as_borrowed(table), BorrowedDuckDB(backend), complaint)


def _of_postgres(table: Any, backend: Any) -> Source:
    """Return a table in a connection of our own, made as that of Ibis was."""
    import ibis.expr.operations as ops

    from sfumato.data.engines.postgres.engine import PostgresEngine

    held = table.op()
    if not isinstance(held, ops.DatabaseTable):
        raise InputError(
            "E-TABLE-KIND",
            "the table of Ibis is computed from others",
            "make it a view of PostgreSQL and open that, or open the table itself and filter "
            "it afterwards",
        )
    info = backend.con.info
    parameters = tuple(sorted(info.get_parameters().items()))
    named = TableName(held.name, held.namespace.database)
    return _found(PostgresEngine(Address(parameters, info.password)), named)


def _found(engine: PostgresEngine, named: TableName) -> Source:
    name = f"{str(named)!r} of {engine.address}"
    return Source(name, engine.table(named, name), engine, text(_COMPLAINT, name=name))


_OPENED = {"duckdb": _of_duckdb, "postgres": _of_postgres, "pyspark": open_spark_table}
