"""Connections that make what they write durable, the same for every store."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from sfumato.ledger.storage.postgres import postgres_engine
from sfumato.ledger.storage.sqlite import GATE, sqlite_engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

__all__ = ["connected", "entered", "transaction", "write_at_once"]


def connected(url: sa.URL, *, alone: bool = False) -> sa.Engine:
    """Return an engine whose commits are durable once they return.

    Parameters
    ----------
    url
        Where the ledger is.
    alone
        Whether each statement is a transaction of its own.

    Examples
    --------
    >>> import tempfile
    >>> from sfumato.ledger.storage.connections import connected
    >>> from sfumato.ledger.storage.places import read_place
    >>> from sfumato.ledger.storage.sqlite import make_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     url = read_place(f"{folder}/patients.ledger")
    ...     make_file(url)
    ...     engine = connected(url)
    ...     with engine.connect() as connection:
    ...         connection.exec_driver_sql("PRAGMA synchronous").scalar()
    ...     engine.dispose()
    2
    """
    if url.get_backend_name() != "sqlite":
        return postgres_engine(url, alone=alone)
    engine = sqlite_engine(url)
    sa.event.listen(engine, "handle_error", _let_go)
    return engine


def entered(url: sa.URL) -> AbstractContextManager[None]:
    """Enter the place of a ledger, which may not be a file that a fork is about to cross.

    Examples
    --------
    >>> from sfumato.ledger.storage.connections import entered
    >>> from sfumato.ledger.storage.places import read_place
    >>> with entered(read_place("postgresql://owner@127.0.0.1/books")):
    ...     pass
    """
    if url.get_backend_name() == "sqlite":
        return GATE.inside(str(url.database))
    return nullcontext()


@contextmanager
def transaction(connection: sa.Connection) -> Iterator[None]:
    """Write in a transaction that no other writer of a file runs beside: durably, or nothing.

    An interrupt may come at any moment, and SQLite has others wait for as long as a cursor of the
    transaction is held anywhere, be it in a traceback: so it is undone first of all.

    Examples
    --------
    >>> import sqlalchemy as sa
    >>> from sfumato.ledger.storage.connections import transaction
    >>> with sa.create_engine("sqlite://").connect() as connection, transaction(connection):
    ...     connection.in_transaction()
    True
    """
    bare = connection.connection
    driver = bare.driver_connection
    try:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield
        bare.commit()
    except BaseException:
        _undo(driver)
        raise


def write_at_once(engine: sa.Engine, statement: str, values: dict[str, Any]) -> int:
    """Run one statement that is a transaction of its own; return how many rows it wrote.

    It is durable when this returns.  What the tables' constraints refuse counts as none.

    Examples
    --------
    >>> import tempfile
    >>> from sfumato.ledger.storage.connections import connected, write_at_once
    >>> from sfumato.ledger.storage.places import read_place
    >>> from sfumato.ledger.storage.sqlite import make_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     url = read_place(f"{folder}/patients.ledger")
    ...     make_file(url)
    ...     engine = connected(url)
    ...     write_at_once(engine, "CREATE TABLE notes (note TEXT)", {})
    ...     write_at_once(engine, "INSERT INTO notes VALUES (:note)", {"note": "ring the bell"})
    ...     engine.dispose()
    -1
    1
    """
    dbapi = engine.dialect.loaded_dbapi
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute(statement, values)
    except dbapi.IntegrityError:
        return 0
    except dbapi.Error:
        connection.invalidate()
        raise
    else:
        return int(cursor.rowcount)
    finally:
        connection.close()


def _let_go(context: sa.ExceptionContext) -> None:
    """Undo what an interrupt stopped, before the connection is thrown away with it."""
    if context.connection is not None and not isinstance(context.original_exception, Exception):
        _undo(context.connection.connection.driver_connection)


def _undo(driver: Any) -> None:
    if isinstance(driver, sqlite3.Connection):
        with suppress(sqlite3.Error):
            driver.rollback()
