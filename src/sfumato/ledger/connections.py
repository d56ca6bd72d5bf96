"""Connections that make what they write durable: SQLite in a file, or a PostgreSQL server."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from weakref import WeakSet

import sqlalchemy as sa

from sfumato.errors import InputError, MissingExtraError, StoreError
from sfumato.ledger.places import shown_place

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "LostConnectionError",
    "begin",
    "connected",
    "keep_log",
    "make_file",
    "reported",
    "write_at_once",
]

#: How long a writer waits for another one before it gives up, in seconds.
_PATIENCE = 30.0

_SQLITE_REASONS = {
    "SQLITE_BUSY": "another program has held it for too long",
    "SQLITE_LOCKED": "another program has held it for too long",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it may not be written to",
    "SQLITE_PERM": "it may not be opened",
    "SQLITE_CANTOPEN": "it cannot be opened",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_NOTADB": "the file is not a ledger",
    "SQLITE_IOERR": "the disk failed",
}
_POSTGRES_REASONS = {
    "28": "the server refuses the user or the password",
    "3D": "the server has no such database",
    "42501": "the user may not use the tables",
    "53": "the server is out of memory, connections or disk",
    "57": "the server is shutting down",
}
_SQLITE_SETTINGS = (
    *("synchronous=FULL", "fullfsync=ON", "checkpoint_fullfsync=ON"),
    *("foreign_keys=ON", "trusted_schema=OFF"),
)
#: The engines on files that this process has.
_OPEN: WeakSet[sa.Engine] = WeakSet()
#: What psycopg raises, without a code of the server's, when the connection breaks.
_LOST = {"OperationalError", "InterfaceError"}


class LostConnectionError(StoreError):
    """The server went away while something was being written: it may be there or not.

    Examples
    --------
    >>> from sfumato.errors import StoreError
    >>> from sfumato.ledger.connections import LostConnectionError
    >>> issubclass(LostConnectionError, StoreError)
    True
    """


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
    >>> from sfumato.ledger.connections import connected, make_file
    >>> from sfumato.ledger.places import read_place
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     url = read_place(f"{folder}/patients.ledger")
    ...     make_file(url)
    ...     engine = connected(url)
    ...     with engine.connect() as connection:
    ...         connection.exec_driver_sql("PRAGMA synchronous").scalar()
    ...     engine.dispose()
    2
    """
    return _sqlite(url) if url.get_backend_name() == "sqlite" else _postgres(url, alone=alone)


def begin(connection: sa.Connection) -> None:
    """Start a transaction that no other writer runs beside.

    Examples
    --------
    >>> import sqlalchemy as sa
    >>> from sfumato.ledger.connections import begin
    >>> with sa.create_engine("sqlite://").connect() as connection:
    ...     begin(connection)
    ...     connection.in_transaction()
    True
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def keep_log(connection: sa.Connection, place: str) -> None:
    """Have a file keep a log that is written ahead, which is remembered in the file.

    Examples
    --------
    >>> import tempfile
    >>> from sfumato.ledger.connections import connected, keep_log, make_file
    >>> from sfumato.ledger.places import read_place
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     url = read_place(f"{folder}/patients.ledger")
    ...     make_file(url)
    ...     engine = connected(url)
    ...     with engine.connect() as connection:
    ...         keep_log(connection, "patients.ledger")
    ...     engine.dispose()
    """
    if connection.dialect.name != "sqlite":
        return
    if connection.exec_driver_sql("PRAGMA journal_mode=WAL").scalar() != "wal":
        message = f"{place!r} is on a file system that cannot keep a ledger; name a local folder"
        raise InputError(message)


def make_file(url: sa.URL) -> None:
    """Make an empty file that only its owner can read, and the folder it is in.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sfumato.ledger.connections import make_file
    >>> from sfumato.ledger.places import read_place
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     make_file(read_place(f"{folder}/patients.ledger"))
    ...     oct(Path(folder, "patients.ledger").stat().st_mode)[-3:]
    '600'
    """
    path = Path(str(url.database))
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    except OSError as error:
        message = f"the ledger {str(path)!r} cannot be made ({error.strerror}); name a file in a \
folder that can be written to"
        raise InputError(message) from None


@contextmanager
def reported(url: sa.URL) -> Iterator[None]:
    """Say in one sentence what the store failed at, with nothing of what was being written.

    Examples
    --------
    >>> import sqlite3
    >>> import sqlalchemy as sa
    >>> from sfumato.ledger.connections import reported
    >>> from sfumato.ledger.places import read_place
    >>> with reported(read_place("/books/patients.ledger")):
    ...     raise sa.exc.OperationalError("INSERT", {}, sqlite3.DatabaseError("disk failed"))
    Traceback (most recent call last):
        ...
    sfumato.errors.StoreError: the ledger '/books/patients.ledger' failed \
(DatabaseError); nothing was released
    """
    try:
        yield
    except Exception as error:
        cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
        if isinstance(error, sa.exc.IntegrityError) or not _is_of_the_store(cause):
            raise
        kind = LostConnectionError if _is_lost(cause) else StoreError
        message = f"the ledger {shown_place(url)!r} failed ({_reason(cause)}); nothing was released"
        raise kind(message) from None


def write_at_once(engine: sa.Engine, statement: str, values: dict[str, Any]) -> int:
    """Run one statement that is a transaction of its own; return how many rows it wrote.

    It is durable when this returns.  What the tables' constraints refuse counts as none.

    Examples
    --------
    >>> import tempfile
    >>> from sfumato.ledger.connections import connected, make_file, write_at_once
    >>> from sfumato.ledger.places import read_place
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


def _is_of_the_store(cause: BaseException | None) -> bool:
    return isinstance(cause, sqlite3.Error) or type(cause).__module__.startswith("psycopg")


def _is_lost(cause: BaseException | None) -> bool:
    """Tell whether a server is gone: it said that it goes, or says nothing any more."""
    if isinstance(cause, sqlite3.Error):
        return False
    state = getattr(cause, "sqlstate", None)
    return type(cause).__name__ in _LOST if state is None else state[:2] in ("08", "57")


def _reason(cause: BaseException | None) -> str:
    name = getattr(cause, "sqlite_errorname", None)
    if name is not None:
        short = "_".join(str(name).split("_")[:2])
        return _SQLITE_REASONS.get(short, str(name))
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        return _POSTGRES_REASONS.get(state) or _POSTGRES_REASONS.get(
            state[:2], f"the server says {state}"
        )
    return "there is no connection to the server" if _is_lost(cause) else type(cause).__name__


def _sqlite(url: sa.URL) -> sa.Engine:
    path = str(url.database)
    address = f"file:{quote(os.fsencode(path))}?mode=rw"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            address, uri=True, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        for setting in _SQLITE_SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        return connection

    def check_file(_: Any, record: Any, __: Any) -> None:
        """Leave a file that is no longer the one at the path: another was put in its place."""
        if record.info.setdefault("file", _identity(path)) != _identity(path):
            raise sa.exc.DisconnectionError

    pool: dict[str, Any] = {"poolclass": sa.QueuePool, "pool_size": 8, "max_overflow": -1}
    engine = sa.create_engine("sqlite://", creator=connect, paramstyle="named", **pool)
    sa.event.listen(engine, "checkout", check_file)
    _OPEN.add(engine)
    return engine


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 a Path would cost more than the call
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _leave_all() -> None:
    """Close idle connections before a fork: SQLite's locks do not know of the other process."""
    for engine in [*_OPEN]:
        engine.dispose()


os.register_at_fork(before=_leave_all)


def _postgres(url: sa.URL, *, alone: bool) -> sa.Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        purpose = "a ledger on PostgreSQL"
        raise MissingExtraError(purpose, extra="postgres") from None
    how: dict[str, Any] = {"isolation_level": "AUTOCOMMIT"} if alone else {"pool_pre_ping": True}
    engine = sa.create_engine(url, pool_size=8, max_overflow=-1, **how)
    sa.event.listen(engine, "connect", _settle)
    return engine


def _settle(connection: Any, _: Any) -> None:
    """Have every commit of a session wait for the disk, and refuse a server that does not."""
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO on")
        cursor.execute("SHOW fsync")
        durable = cursor.fetchone()[0] == "on"
    connection.commit()
    if not durable:
        message = "the PostgreSQL server runs with fsync = off, so what was spent could be lost; \
write fsync = on in its configuration"
        raise InputError(message)
