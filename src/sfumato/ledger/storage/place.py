"""Where a ledger is: a file, in folders for its owner alone, or a database of a server."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import Either, Given, text
from sfumato.translation import mark

if TYPE_CHECKING:
    import sqlalchemy as sa


#: The variable of the environment that names a ledger.
VARIABLE = "SFUMATO_LEDGER"

_LONGEST = 300
_POSTGRES = {"postgres", "postgresql", "postgresql+psycopg"}
_ALLOWED = mark("write the path of a file, or postgresql://user@host/database")


def default_place() -> str:
    """Return the place of a ledger that is not named: the environment's, or the user's own."""
    from platformdirs import user_data_path

    try:
        return os.environ.get(VARIABLE) or str(user_data_path("sfumato") / "ledger.db")
    except RuntimeError:
        raise InputError(
            "E-HOME-MISSING",
            "there is no home folder for a ledger",
            "write the path of a file, or postgresql://user@host/database, or set {variable}",
            variable=VARIABLE,
        ) from None


def read_place(place: Any = None) -> sa.URL:
    """Return the address of a ledger, whether it is there or not.

    Parameters
    ----------
    place
        The path of a file, ``postgresql://…``, or None for the default.
    """
    given = default_place() if place is None else place
    if isinstance(given, Path):
        given = str(given)
    if not isinstance(given, str) or not given.strip() or "\0" in given:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a ledger's place must be text, not {kind}",
            _ALLOWED,
            kind=type(place).__name__,
        )
    return _read_url(given) if "://" in given else _file(given)


def shown_place(url: sa.URL) -> str:
    """Return an address as a person would write it, without a password."""
    if url.get_backend_name() == "sqlite":
        path = str(url.database)
        return path if len(path) <= _LONGEST else f"{path[:_LONGEST]}…"
    return url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)


def how_to_make(place: str) -> Given:
    """Return how a ledger is made at a place where there is none."""
    made = text("sfumato ledger init DATASET --epsilon 1 --ledger {place}", place=quote(place))
    return Either(text("Ledger.create, or: {made}", made=made), made)


def _read_url(text: str) -> sa.URL:
    import sqlalchemy as sa

    try:
        url = sa.make_url(text)
    except (sa.exc.ArgumentError, ValueError):
        raise InputError(
            "E-LEDGER-PLACE",
            "the address of the ledger cannot be read",
            _ALLOWED,
        ) from None
    if url.drivername in _POSTGRES and url.database:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database and not url.query:
        return _file(url.database)
    raise InputError(
        "E-LEDGER-PLACE",
        "a ledger is not kept at {drivername!r:.40} addresses like this",
        _ALLOWED,
        drivername=url.drivername,
    )


def _file(path: str) -> sa.URL:
    import sqlalchemy as sa

    if (path.startswith("postgres") and ":" in path) or "password=" in path:
        raise InputError(
            "E-LEDGER-PLACE",
            "the address of the ledger cannot be read",
            _ALLOWED,
        )
    if path == ":memory:":
        raise InputError(
            "E-LEDGER-PLACE",
            "a ledger in memory would forget what was spent",
            _ALLOWED,
        )
    try:
        os.fsencode(path)
        return sa.URL.create("sqlite", database=str(Path(path).expanduser().absolute()))
    except (RuntimeError, UnicodeError):
        raise InputError(
            "E-LEDGER-PLACE",
            "the path of the ledger cannot be read",
            _ALLOWED,
        ) from None


def make_folders(folder: Path) -> None:
    """Make the folders that are missing, each for its owner alone; none if the path is too long."""
    with suppress(FileNotFoundError):
        folder.stat()
    for each in [*reversed(folder.parents), folder]:
        if not each.is_dir():
            each.mkdir(mode=0o700, exist_ok=True)
            settle_names(each.parent)


def settle_names(folder: Path) -> None:
    """Have the names in a folder reach the disk, where the system can."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
