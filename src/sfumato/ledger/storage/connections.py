"""Connections that make what they write durable, the same for every store."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from sfumato.ledger.storage.postgres import postgres_engine
from sfumato.ledger.storage.sqlite import GATE, sqlite_engine

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import sqlalchemy as sa

__all__ = ["begin", "connected", "entered", "write_at_once"]


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
    return (
        sqlite_engine(url)
        if url.get_backend_name() == "sqlite"
        else postgres_engine(url, alone=alone)
    )


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


def begin(connection: sa.Connection) -> None:
    """Start a transaction that no other writer runs beside.

    Examples
    --------
    >>> import sqlalchemy as sa
    >>> from sfumato.ledger.storage.connections import begin
    >>> with sa.create_engine("sqlite://").connect() as connection:
    ...     begin(connection)
    ...     connection.in_transaction()
    True
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


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
