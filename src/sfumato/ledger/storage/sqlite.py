"""A ledger in a file: SQLite, with a log that is on the disk before a commit returns."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Protocol
from urllib.parse import quote
from weakref import WeakSet

import sqlalchemy as sa

from sfumato.errors import InputError
from sfumato.ledger.storage.folders import make_folders, settle_names
from sfumato.ledger.storage.forking import Gate
from sfumato.ledger.storage.places import how_to_make, shown_place

__all__ = [
    "GATE",
    "Disposable",
    "check_file",
    "check_is_free",
    "close_before_forks",
    "identity",
    "keep_log",
    "make_file",
    "sqlite_engine",
]

#: How long a writer waits for another one before it gives up, in seconds.
_PATIENCE = 30.0
#: How long somebody pauses whom SQLite does not have wait, in seconds.
_PAUSE = 0.005
#: How a file of SQLite begins.
_MAGIC = b"SQLite format 3\0"
#: Opening a pipe must not wait for somebody to read from it.
_MAKE_AT_ONCE = os.O_CREAT | os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)
_SETTINGS = (
    *("synchronous=FULL", "fullfsync=ON", "checkpoint_fullfsync=ON"),
    *("foreign_keys=ON", "trusted_schema=OFF"),
)
#: What this process has open files with.
_OPEN: WeakSet[Disposable] = WeakSet()


class Disposable(Protocol):
    """What closes its files when it is asked to, and opens them again when it needs them."""

    def dispose(self) -> None:
        """Close what is open."""


def close_before_forks(holder: Disposable) -> None:
    """Have somebody close their files whenever this process is about to fork."""
    _OPEN.add(holder)


def sqlite_engine(url: sa.URL) -> sa.Engine:
    """Return an engine on a file, whose commits are durable once they return."""
    path = str(url.database)
    address = f"file:{quote(os.fsencode(path))}?mode=rw"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            address, uri=True, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        return connection

    def check_identity(_: Any, record: Any, __: Any) -> None:
        """Leave a file that is no longer the one at the path: another was put in its place."""
        if record.info.setdefault("file", identity(path)) != identity(path):
            raise sa.exc.DisconnectionError

    pool: dict[str, Any] = {"poolclass": sa.QueuePool, "pool_size": 8, "max_overflow": -1}
    engine = sa.create_engine("sqlite://", creator=connect, paramstyle="named", **pool)
    sa.event.listen(engine, "checkout", check_identity)
    close_before_forks(engine)
    return engine


def keep_log(connection: sa.Connection, place: str) -> None:
    """Have a file keep a log that is written ahead, which is remembered in the file."""
    if connection.dialect.name != "sqlite":
        return
    if _journal_mode(connection) != "wal":
        raise InputError(
            "E-LEDGER-PLACE",
            "{place!r} is on a file system that cannot keep a ledger",
            "name a local folder",
            place=place,
        )


def _journal_mode(connection: sa.Connection) -> Any:
    """Return what a file keeps once it was asked to keep a log.

    SQLite has writers wait for each other, but not those who ask for a log at the same time.
    """
    until = monotonic() + _PATIENCE
    while True:
        try:
            return connection.exec_driver_sql("PRAGMA journal_mode=WAL").scalar()
        except sa.exc.OperationalError as error:
            if not _is_busy(error.orig) or monotonic() > until:
                raise
        sleep(_PAUSE)


def _is_busy(cause: BaseException | None) -> bool:
    return getattr(cause, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def check_is_free(connection: sa.Connection, place: str) -> None:
    """Refuse to make a ledger in a file that another program keeps its tables in."""
    if connection.dialect.name != "sqlite":
        return
    names = sa.inspect(connection).get_table_names()
    if any(not name.startswith("sfumato_") for name in names):
        raise InputError(
            "E-LEDGER-PLACE",
            "{place!r} is a file of another program",
            "name another place for the ledger",
            place=place,
        )


def check_file(url: sa.URL) -> None:
    """Refuse a path at which there is no file, or one that SQLite did not write."""
    path, place = str(url.database), shown_place(url)
    if not os.path.exists(path):  # noqa: PTH110 - a name too long is no file
        raise InputError(
            "E-LEDGER-MISSING",
            "there is no ledger at {place!r}",
            "make one with {make}",
            make=how_to_make(place),
            place=place,
        )
    with suppress(OSError):
        if os.path.isfile(path) and _begins_with(path) in (b"", _MAGIC):  # noqa: PTH113
            return
        raise InputError(
            "E-LEDGER-PLACE",
            "{place!r} is not a ledger",
            "name another place, where one is or can be made",
            place=place,
        )


def _begins_with(path: str) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(len(_MAGIC))


def make_file(url: sa.URL) -> None:
    """Make an empty file that only its owner can read, and the folder it is in."""
    path = Path(str(url.database))
    try:
        make_folders(path.parent)
        os.close(os.open(path, _MAKE_AT_ONCE, 0o600))
        is_ours = path.is_file() and _begins_with(str(path)) in (b"", _MAGIC)
        settle_names(path.parent)
    except OSError as error:
        raise InputError(
            "E-LEDGER-PLACE",
            "the ledger {shown_place!r} cannot be made ({reason})",
            "name a file in a folder that can be written to",
            shown_place=shown_place(url),
            reason=error.strerror,
        ) from None
    if not is_ours:
        raise InputError(
            "E-LEDGER-PLACE",
            "{shown_place!r} is a file of another program",
            "name another place for the ledger",
            shown_place=shown_place(url),
        )


def identity(path: str) -> tuple[int, int] | None:
    """Return which file a path leads to; refuse one that has another name besides."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a Path would cost more than the call
    except OSError:
        return None
    if found.st_nlink > 1:
        raise InputError(
            "E-LEDGER-PLACE",
            "the ledger {path!r:.300} has a second name, a hard link, and SQLite would keep "
            "a log for each",
            "copy it into a file of its own",
            path=path,
        )
    return found.st_dev, found.st_ino


def _leave_all() -> None:
    for holder in [*_OPEN]:
        holder.dispose()


#: Before every file that a ledger is in.
GATE = Gate(leave=_leave_all)
