"""The store of a ledger: durable connections, and the transactions that write."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import sqlalchemy as sa

from sfumato.errors import InputError
from sfumato.ledger.storage.connections import (
    SingleStatements,
    connected,
    entered,
    transaction,
    undone,
)
from sfumato.ledger.storage.failures import reported
from sfumato.ledger.storage.place import shown_place
from sfumato.ledger.storage.schema import (
    SCHEMA_VERSION,
    books,
    bring_forward,
    has_tables,
    ledgers,
    make_tables,
    read_version,
    wait_for_turn,
)
from sfumato.ledger.storage.sqlite import check_file, check_is_free, keep_log, make_file
from sfumato.ledger.storage.statements import (
    compiled,
    insert_text,
    insert_values,
    lock,
    without_a_book,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.ledger.storage.statements import Row


class Store:
    """Where the rows of a ledger are kept: a file or a server, by the same statements.

    Parameters
    ----------
    url
        Where the ledger is, as ``read_place`` gives it.

    Attributes
    ----------
    id
        What the ledger is called in every entry: a random number.
    """

    def __init__(self, url: sa.URL) -> None:
        self._url, self._is_closed = url, False
        self._process = os.getpid()
        if url.get_backend_name() == "sqlite":
            check_file(url)
        self._engine, self._single = connected(url), SingleStatements(url)
        try:
            self.id = self._opened()
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, url: sa.URL) -> Store:
        """Make the tables of a new ledger, and open it; refuse where there is one."""
        _make(url, where_there_is_none=False)
        return cls(url)

    @classmethod
    def at(cls, url: sa.URL) -> Store:
        """Open a ledger, and make its tables where there are none."""
        _make(url, where_there_is_none=True)
        return cls(url)

    @property
    def place(self) -> str:
        """Where the ledger is, without a password."""
        return shown_place(self._url)

    def books(self) -> dict[str, int]:
        """Return the number of every book by its name, in the order of their opening."""
        with self.reading() as connection:
            found = connection.execute(sa.select(books.c.name, books.c.id).order_by(books.c.id))
            return {str(row.name): int(row.id) for row in found}

    def stray(self) -> int:
        """Return how many entries there are whose book is not listed."""
        with self.reading() as connection:
            return without_a_book(connection)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Give a connection to look things up with."""
        with (
            entered(self._url),
            reported(self._url),
            self._transactions().connect() as connection,
            undone(connection),
        ):
            yield connection

    @contextmanager
    def writing(self, book: int | None = None) -> Iterator[sa.Connection]:
        """Give a connection in a transaction beside which nobody else writes to the book.

        What the block wrote is durable when the block has ended; it is undone if it raised.
        """
        with self.reading() as connection, transaction(connection):
            if book is not None:
                lock(connection, book)
            yield connection

    def append(self, row: Row, previous: str) -> bool:
        """Write one row durably, if the entry before it is still the last one; else say False."""
        with entered(self._url), reported(self._url):
            self._check_is_open()
            statement = insert_text(self._single.dialect)
            return self._single.run(statement, insert_values(row, previous)) == 1

    def first(self, statement: sa.Select[Any], **values: Any) -> Row | None:
        """Look up one row by one statement, outside of any transaction."""
        with entered(self._url), reported(self._url):
            self._check_is_open()
            text, given = compiled(statement, self._single.dialect)
            return self._single.first(text, {**given, **values})

    def check_form(self, connection: sa.Connection) -> None:
        """Refuse tables that a newer program has brought forward in the meantime."""
        read_version(connection, self.place)

    def close(self) -> None:
        """Give all connections back."""
        if not self._is_closed:
            with entered(self._url):
                self._transactions().dispose()
                self._single.dispose()
        self._is_closed = True

    def __reduce__(self) -> NoReturn:
        raise InputError(
            "E-NOT-COPIED",
            "a ledger is not copied or pickled: it holds connections",
            "open it by its place",
        )

    def _opened(self) -> str:
        """Return the id of the ledger, once its tables are of the form that is known here."""
        with self.reading() as connection:
            version = read_version(connection, self.place)
            keep_log(connection, self.place)
        if version < SCHEMA_VERSION:
            with self.writing() as connection:
                bring_forward(connection, self.place)
        with self.reading() as connection:
            return str(connection.execute(sa.select(ledgers.c.id)).scalar_one())

    def _check_is_open(self) -> None:
        if self._is_closed:
            raise InputError(
                "E-LEDGER-CLOSED",
                "the ledger {place!r} is closed",
                "open it again",
                place=self.place,
            )

    def _transactions(self) -> sa.Engine:
        """Return an engine that has no connection of a process that this one was forked from."""
        self._check_is_open()
        if self._process != os.getpid():
            self._engine.dispose(close=False)
            self._process = os.getpid()
        return self._engine


def _make(url: sa.URL, *, where_there_is_none: bool) -> None:
    """Make the file and the tables of a ledger, all of the tables or nothing."""
    if url.get_backend_name() == "sqlite":
        make_file(url)
    engine, place = connected(url), shown_place(url)
    try:
        with entered(url), reported(url), engine.connect() as connection, undone(connection):
            if where_there_is_none and has_tables(connection):
                return
            check_is_free(connection, place)
            keep_log(connection, place)
            with transaction(connection):
                wait_for_turn(connection)
                if not (where_there_is_none and has_tables(connection)):
                    make_tables(connection, place)
    finally:
        engine.dispose()
