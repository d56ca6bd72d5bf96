"""Where the ledger and its floor write: a SQLite file, and a PostgreSQL server of our own."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, contextmanager
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
    """A ledger in a store, and beside it the floor: a bare durable INSERT of so many bytes."""

    name: str
    place: str
    key: Path
    bare: Callable[[int], Insert]

    def opened(self) -> Ledger:
        """Open the ledger once more, as another process would."""
        return Ledger.open(self.place, key=self.key)


@contextmanager
def stores() -> Iterator[list[StoreAt]]:
    """Give empty ledgers in the stores of this machine; PostgreSQL where it is installed."""
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        key = folder / "key.pem"
        places = [StoreAt("SQLite", str(folder / "ledger.db"), key, partial(_sqlite, folder))]
        if server_programs() is not None:
            cluster = stack.enter_context(Cluster.started())
            bare = partial(_postgres, cluster.database())
            places.append(StoreAt("PostgreSQL", cluster.database(), key, bare))
        for each in places:
            Ledger.create(each.place, key=each.key).close()
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
