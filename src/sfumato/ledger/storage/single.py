"""Statements that are each a transaction of their own, on connections that are kept at hand."""

from __future__ import annotations

import os
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sfumato.ledger.storage.connections import connected
from sfumato.ledger.storage.sqlite import close_before_forks, identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    import sqlalchemy as sa

__all__ = ["SingleStatements"]


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
