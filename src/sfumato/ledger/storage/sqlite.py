"""A ledger in a file: SQLite, with a log that is on the disk before a commit returns."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from contextlib import suppress
from pathlib import Path
from threading import Condition, local
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote
from weakref import WeakSet

import sqlalchemy as sa

from sfumato.errors import InputError, StoreError
from sfumato.ledger.storage.place import how_to_make, make_folders, settle_names, shown_place

if TYPE_CHECKING:
    from collections.abc import Callable

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


#: How long a fork waits for those inside, in seconds; a transaction takes milliseconds.
_FORK_PATIENCE = 5.0


class Gate:
    """Counts who is inside which file, and lets nobody in while the process forks.

    Parameters
    ----------
    leave
        Closes what is open though nobody is inside, before a fork.
    """

    def __init__(self, leave: Callable[[], None]) -> None:
        self._close_all = leave
        self._open = Condition()
        self._is_forking = False
        self._inside: Counter[str] = Counter()
        self._own = local()
        self._crossed: set[str] = set()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(
                before=self._before, after_in_parent=self._in_parent, after_in_child=self._in_child
            )

    def inside(self, path: str) -> Stay:
        """Stay inside a file for a while; refuse one that was in use when this process was made."""
        return Stay(self, path)

    def enter(self, path: str) -> None:
        """Go in, once nobody forks."""
        with self._open:
            while self._is_forking:
                self._open.wait()
            if path in self._crossed:
                raise StoreError(
                    "E-PROCESS-FORKED",
                    "the ledger {path!r} was in use when this process was forked, and cannot "
                    "be used in it",
                    "start a new process",
                    path=path,
                )
            self._count(path, 1)

    def leave(self, path: str) -> None:
        """Come out again."""
        with self._open:
            self._count(path, -1)
            if self._is_forking:
                self._open.notify_all()

    def _count(self, path: str, change: int) -> None:
        self._inside[path] += change
        self._own.count = getattr(self._own, "count", 0) + change

    def _others(self) -> int:
        """Return how many are inside besides this thread."""
        return self._inside.total() - getattr(self._own, "count", 0)

    def _before(self) -> None:
        self._open.acquire()
        self._is_forking = True
        self._open.wait_for(lambda: not self._others(), timeout=_FORK_PATIENCE)
        self._close_all()

    def _in_parent(self) -> None:
        self._is_forking = False
        self._open.notify_all()
        self._open.release()

    def _in_child(self) -> None:
        self._crossed.update(+self._inside)
        self._open, self._inside, self._own = Condition(), Counter(), local()
        self._is_forking = False


class Stay:
    """A stay inside a file, from the beginning of a block to its end."""

    __slots__ = ("_gate", "_path")

    def __init__(self, gate: Gate, path: str) -> None:
        self._gate, self._path = gate, path

    def __enter__(self) -> None:
        self._gate.enter(self._path)

    def __exit__(self, *_: object) -> None:
        self._gate.leave(self._path)


def _leave_all() -> None:
    for holder in [*_OPEN]:
        holder.dispose()


#: Before every file that a ledger is in.
GATE = Gate(leave=_leave_all)
