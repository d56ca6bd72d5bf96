"""Where the ledger and its floor write: a SQLite file, and a PostgreSQL server of our own."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import psycopg
import sqlalchemy as sa

from sfumato.ledger import Ledger
from tests.postgres import Cluster, server_programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Insert = Callable[[], Any]

_HURRY = {"sqlite": "PRAGMA synchronous=OFF", "postgresql": "SET synchronous_commit TO off"}


@dataclass(frozen=True)
class StoreAt:
    """A place for a ledger, with the bare driver's durable INSERT beside it."""

    name: str
    place: str
    key: Path
    inserting: Callable[[int], Insert]

    def made(self) -> Ledger:
        """Make the ledger."""
        return Ledger.create(self.place, key=self.key)

    def opened(self) -> Ledger:
        """Open the ledger once more, as another process would."""
        return Ledger.open(self.place, key=self.key)

    def bare(self, size: int) -> Insert:
        """Return the floor: a durable INSERT of so many bytes, in a table with one key."""
        return self.inserting(size)


@contextmanager
def stores() -> Iterator[list[StoreAt]]:
    """Give the stores of this machine; PostgreSQL where its server is installed."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        key = folder / "key.pem"
        places = [StoreAt("SQLite", str(folder / "ledger.db"), key, partial(_sqlite, folder))]
        if server_programs() is None:
            yield places
            return
        with Cluster.started() as cluster:
            url, beside = cluster.database(), cluster.database()
            places.append(StoreAt("PostgreSQL", url, key, partial(_postgres, beside)))
            yield places


@contextmanager
def hurried() -> Iterator[None]:
    """Have connections that are made in the meantime not wait for the disk."""

    def hurry(connection: Any, *_: Any) -> None:
        kind = "sqlite" if isinstance(connection, sqlite3.Connection) else "postgresql"
        connection.cursor().execute(_HURRY[kind])

    sa.event.listen(sa.Pool, "checkout", hurry)
    try:
        yield
    finally:
        sa.event.remove(sa.Pool, "checkout", hurry)


def _sqlite(folder: Path, size: int) -> Insert:
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, text TEXT)")
    return partial(connection.execute, "INSERT INTO bare (text) VALUES (?)", (_text(size),))


def _postgres(url: str, size: int) -> Insert:
    connection = psycopg.connect(url.replace("+psycopg", ""), autocommit=True)
    connection.execute("CREATE TABLE IF NOT EXISTS bare (id BIGSERIAL PRIMARY KEY, text TEXT)")
    return partial(connection.execute, "INSERT INTO bare (text) VALUES (%s)", (_text(size),))


def _text(size: int) -> str:
    """Return a text that does not compress well."""
    return os.urandom(size).hex()[:size]
