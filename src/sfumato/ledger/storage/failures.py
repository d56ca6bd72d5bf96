"""What a store failed at, in one sentence that quotes nothing of what was being written."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import sqlalchemy as sa

from sfumato.errors import StoreError
from sfumato.ledger.storage.place import shown_place
from sfumato.refusal import Given, text
from sfumato.translation import Sentences, mark

if TYPE_CHECKING:
    from collections.abc import Iterator


_SQLITE_REASONS: Sentences = {
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
_POSTGRES_REASONS: Sentences = {
    "28": "the server refuses the user or the password",
    "3D": "the server has no such database",
    "42501": "the user may not use the tables",
    "53": "the server is out of memory, connections or disk",
    "57P": "the server is shutting down",
    "58": "the disk of the server failed",
    "57014": "the statement was cancelled, or took too long",
    "25006": "the server takes no changes",
}
#: What servers say, without a code, to those whom they do not let in.
_BEFORE_A_SESSION: Sentences = {
    "no password supplied": "the server asks for a password; write it into ~/.pgpass, or set "
    "PGPASSWORD",
    "the database system is starting up": "the server is starting up",
    "too many clients": "the server has no connection left",
}
_NO_CONNECTION = mark("there is no connection to the server")
#: What psycopg raises, without a code of the server's, when the connection breaks.
_LOST = {"OperationalError", "InterfaceError"}


class LostConnectionError(StoreError):
    """The server went away while something was being written: it may be there or not."""


@contextmanager
def reported(url: sa.URL) -> Iterator[None]:
    """Say in one sentence what the store failed at, with nothing of what was being written."""
    try:
        yield
    except Exception as error:
        cause = (error.orig if isinstance(error, sa.exc.StatementError) else None) or error
        if isinstance(error, sa.exc.IntegrityError):
            raise
        if not _is_of_the_store(cause):
            _raise_bare(cause, error)
        kind = LostConnectionError if _is_lost(cause) else StoreError
        raise kind(
            "E-LEDGER-FAILED",
            "the ledger {place!r} failed ({reason})",
            "nothing was released",
            place=shown_place(url),
            reason=_reason(cause),
        ) from None


def _raise_bare(cause: BaseException, error: Exception) -> NoReturn:
    """Raise what is not the store's own without the statement that it interrupted."""
    if cause is error:
        raise error
    raise cause from cause.__cause__


def _is_of_the_store(cause: BaseException | None) -> bool:
    return isinstance(cause, sqlite3.Error) or type(cause).__module__.startswith("psycopg")


def _is_lost(cause: BaseException | None) -> bool:
    """Tell whether a server is gone: it said that it goes, or says nothing any more."""
    if isinstance(cause, sqlite3.Error):
        return False
    state = getattr(cause, "sqlstate", None)
    return type(cause).__name__ in _LOST if state is None else state.startswith(("08", "57P"))


def _reason(cause: BaseException | None) -> Given:
    name = getattr(cause, "sqlite_errorname", None)
    if name is not None:
        short = "_".join(str(name).split("_")[:2])
        return mark(_SQLITE_REASONS.get(short, str(name)))
    if isinstance(cause, sqlite3.OperationalError):
        return mark("the file is damaged")
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        known = (_POSTGRES_REASONS.get(state[:length]) for length in (5, 3, 2))
        said = next(filter(None, known), None)
        return text("the server says {state}", state=state) if said is None else mark(said)
    for words, reason in _BEFORE_A_SESSION.items():
        if words in str(cause):
            return mark(reason)
    if _is_lost(cause) and "FATAL" in str(cause):
        return mark("the server refuses the user, the password or the database")
    return _NO_CONNECTION if _is_lost(cause) else type(cause).__name__
