"""Files that are never written over: a ledger, what its database keeps beside it, and its key."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data.files import quoted
from sfumato.data.writing import is_same_file
from sfumato.errors import InputError
from sfumato.ledger import key_path, read_place

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """
    file = Path(path)
    if file.name.endswith(_BESIDE) or any(is_same_file(file, each) for each in _files(place)):
        raise InputError(
            "E-OUTPUT-IS-INPUT",
            "{file} is a file of a ledger itself",
            "name another file",
            file=quoted(file),
        )


def _files(place: str | None) -> Iterator[str | Path]:
    """Yield the files of a ledger; who has no home folder has no default of them."""
    with suppress(InputError):
        yield key_path()
    with suppress(InputError):
        url = read_place(place)
        if url.get_backend_name() == "sqlite":
            yield str(url.database)
