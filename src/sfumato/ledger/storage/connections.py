"""Connections that make what they write durable: for transactions, and for single statements."""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from contextlib import contextmanager, nullcontext, suppress
from threading import local
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from sfumato.ledger.storage.postgres import postgres_engine
from sfumato.ledger.storage.sqlite import GATE, close_before_forks, identity, sqlite_engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

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


class SingleStatements:
    """Runs statements one by one; each is durable when it returns.

    A pool that checks connections out and in would take as long as the statement itself.

    Parameters
    ----------
    url
        Where the ledger is.

    Attributes
    ----------
    dialect
        How statements are written for the store.
    """

    def __init__(self, url: sa.URL) -> None:
        self._engine = connected(url, alone=True)
        self._file = str(url.database) if url.get_backend_name() == "sqlite" else None
        self._refusal = self._engine.dialect.loaded_dbapi.IntegrityError
        self._idle: deque[tuple[Any, Any]] = deque()
        self._process = os.getpid()
        self.dialect = self._engine.dialect
        if self._file is not None:
            close_before_forks(self)

    def run(self, statement: str, values: dict[str, Any]) -> int:
        """Run a statement and return how many rows it wrote.

        What the tables' constraints refuse counts as none.
        """
        with self._connection() as driver:
            cursor = driver.cursor()
            try:
                cursor.execute(statement, values)
            except self._refusal:
                return 0
            return int(cursor.rowcount)

    def first(self, statement: str, values: dict[str, Any]) -> dict[str, Any] | None:
        """Run a statement and return the first row that it finds."""
        with self._connection() as driver:
            cursor = driver.cursor()
            cursor.execute(statement, values)
            row = cursor.fetchone()
            names = [each[0] for each in cursor.description]
            cursor.close()
            return None if row is None else dict(zip(names, row, strict=True))

    def dispose(self) -> None:
        """Close the connections that nobody uses."""
        if self._process == os.getpid():
            while (kept := self._next_idle()) is not None:
                kept[0].close()
        self._engine.dispose(close=self._process == os.getpid())

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        """Give a connection; it is kept, unless it failed or was interrupted."""
        kept = self._taken()
        try:
            yield kept[0]
        except BaseException:
            kept[0].close()
            raise
        self._idle.append(kept)

    def _taken(self) -> tuple[Any, Any]:
        """Return a connection of this process to the file that is at its path now, and which."""
        if self._process != os.getpid():
            self._idle, self._process = deque(), os.getpid()
            self._engine.dispose(close=False)
        file = None if self._file is None else identity(self._file)
        while (kept := self._next_idle()) is not None:
            if kept[1] == file:
                return kept
            kept[0].close()
        opened = self._engine.raw_connection()
        driver = opened.driver_connection
        opened.detach()
        return driver, file

    def _next_idle(self) -> tuple[Any, Any] | None:
        """Return a connection that nobody else gets, if one is idle."""
        try:
            return self._idle.pop()
        except IndexError:
            return None
