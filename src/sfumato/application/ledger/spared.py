"""Files that are never written over: a ledger, what its database keeps beside it, and its key."""

from __future__ import annotations

from pathlib import Path

from sfumato.data.files import quoted
from sfumato.errors import InputError
from sfumato.ledger.receipts.signing import key_path
from sfumato.ledger.storage.places import read_place

__all__ = ["check_spared"]

#: How the names of a database's own files end that stand beside it.
_BESIDE = ("-wal", "-shm", "-journal")


def check_spared(path: str, place: str | None = None) -> None:
    """Refuse the file of the ledger, that of its signing key, and the log of any database.

    Parameters
    ----------
    path
        The file that would be written.
    place
        The ledger; None for the default.

    Examples
    --------
    >>> from sfumato.application.ledger.spared import check_spared
    >>> check_spared("charges.csv", "ledger.db")
    >>> check_spared("ledger.db-wal", "ledger.db")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: 'ledger.db-wal' is a file of a ledger itself; name another file
    """
    file, url = Path(path), read_place(place)
    spared = [key_path()]
    if url.get_backend_name() == "sqlite":
        spared.append(Path(str(url.database)))
    if file.name.endswith(_BESIDE) or any(_is_same(file, each) for each in spared):
        message = f"{quoted(file)} is a file of a ledger itself; name another file"
        raise InputError(message)


def _is_same(one: Path, other: Path) -> bool:
    return one.absolute() == other or (one.exists() and other.exists() and one.samefile(other))
