"""Connections that make what they write durable, the same for every store."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, nullcontext, suppress
from threading import local
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from sfumato.ledger.storage.postgres import postgres_engine
from sfumato.ledger.storage.sqlite import GATE, sqlite_engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

__all__ = [
    "abandon",
    "connected",
    "entered",
    "transaction",
    "undone",
]

#: The connection that a thread used last.
_UNDER_WAY = local()


class _Held:
    """A connection, as long as nobody else can have it."""

    __slots__ = ("driver",)

    def __init__(self, driver: Any) -> None:
        self.driver = driver


def connected(url: sa.URL, *, alone: bool = False) -> sa.Engine:
    """Return an engine whose commits are durable once they return.

    Parameters
    ----------
    url
        Where the ledger is.
    alone
        Whether each statement is a transaction of its own.
    """
    if url.get_backend_name() != "sqlite":
        return postgres_engine(url, alone=alone)
    engine = sqlite_engine(url)
    sa.event.listen(engine, "handle_error", _let_go)
    return engine


def entered(url: sa.URL) -> AbstractContextManager[None]:
    """Enter the place of a ledger, which may not be a file that a fork is about to cross."""
    if url.get_backend_name() == "sqlite":
        return GATE.inside(str(url.database))
    return nullcontext()


@contextmanager
def undone(connection: sa.Connection) -> Iterator[None]:
    """Undo what is under way when a block ends in an exception, an interrupt too, before all else.

    SQLite has others wait for as long as a cursor of a transaction is held anywhere, be it in a
    traceback; and a connection to a server that was interrupted while it waited is of no use.
    """
    driver = connection.connection.driver_connection
    held = _UNDER_WAY.held = _Held(driver)
    try:
        yield
    except BaseException:
        if isinstance(driver, sqlite3.Connection):
            _roll_back(driver)
        elif _is_of_no_use(driver):
            connection.invalidate()
        raise
    finally:
        held.driver = None


@contextmanager
def transaction(connection: sa.Connection) -> Iterator[None]:
    """Write in a transaction that no other writer of a file runs beside; durable afterwards."""
    bare = connection.connection
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    yield
    bare.commit()


def abandon() -> None:
    """Undo a transaction of this thread that an interrupt has left behind, if there is one.

    Python itself runs between the end of a block and what is done about it, and an interrupt there
    keeps that from being done.  A connection that was given back is left alone: it may be
    another thread's by now.
    """
    driver = getattr(_UNDER_WAY, "held", _Held(None)).driver
    if isinstance(driver, sqlite3.Connection):
        _roll_back(driver)
    elif driver is not None and driver.info.transaction_status:
        driver.close()


def _roll_back(driver: Any) -> None:
    with suppress(sqlite3.Error):
        driver.rollback()


def _let_go(context: sa.ExceptionContext) -> None:
    """Undo what an interrupt stopped, before the connection is thrown away with it."""
    if context.connection is not None and not isinstance(context.original_exception, Exception):
        _roll_back(context.connection.connection.driver_connection)


def _is_of_no_use(driver: Any) -> bool:
    """Tell whether a connection to a server is closed, or waits for an answer that nobody reads."""
    return bool(driver.closed or driver.info.transaction_status.name == "ACTIVE")
