"""The tables of a ledger in the hands of somebody who has the store but not the program."""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from sfumato.ledger.storage.schema import books, entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.ledger import Book

ENTRIES = entries.name


@lru_cache(maxsize=8)
def engine(place: str) -> sa.Engine:
    """What finds the tables of a ledger, past the program; it holds no connection."""
    url = place if "://" in place else f"sqlite:///{place}"
    return sa.create_engine(url, poolclass=sa.NullPool)


@contextmanager
def tables(place: str) -> Iterator[sa.Connection]:
    """A transaction on the tables of a ledger, past the program."""
    with engine(place).begin() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA foreign_keys=ON")
        yield connection


def do(place: str, statement: str, **values: Any) -> None:
    """Have the store do one statement."""
    with tables(place) as connection:
        connection.execute(sa.text(statement), values)


def drop_triggers(place: str) -> None:
    """Take away what keeps rows from being changed."""
    with tables(place) as connection:
        if connection.dialect.name == "sqlite":
            found = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            for name in connection.execute(sa.text(found)).scalars().all():
                connection.execute(sa.text(f"DROP TRIGGER {name}"))
        else:
            for name in (ENTRIES, books.name):
                connection.execute(sa.text(f"ALTER TABLE {name} DISABLE TRIGGER USER"))


def rows(place: str) -> list[dict[str, Any]]:
    """All rows, in order."""
    with tables(place) as connection:
        found = sa.select(entries).order_by(entries.c.book, entries.c.sequence)
        return [dict(row) for row in connection.execute(found).mappings()]


def change(place: str, sequence: int, **columns: Any) -> None:
    """Change the columns of one row of the first book."""
    with tables(place) as connection:
        at = (entries.c.book == 1) & (entries.c.sequence == sequence)
        assert connection.execute(entries.update().where(at).values(**columns)).rowcount == 1


def remove(place: str, *sequences: int) -> None:
    """Take rows of the first book away."""
    with tables(place) as connection:
        gone = (entries.c.book == 1) & entries.c.sequence.in_(sequences)
        assert connection.execute(entries.delete().where(gone)).rowcount == len(sequences)


def head(book: Book) -> tuple[int, str]:
    """How many entries a book has, and the hash of the last."""
    written = list(book.entries())
    return len(written), written[-1].hash
