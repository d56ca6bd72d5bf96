"""Files that are written whole or not at all, and never over another unless told so."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sfumato.data.files import quoted
from sfumato.errors import InputError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

__all__ = ["check_free", "put_in_place"]


def check_free(
    path: str, *, replace: bool, spared: tuple[str, ...] = (), told: str = "--replace"
) -> None:
    """Refuse a file that is there, unless it may be replaced, and those that are spared anyway.

    Parameters
    ----------
    path
        Where something would be written.
    replace
        Whether another file may be there.
    spared
        What is read, and not to be written over.
    told
        How to say that it may be replaced.

    Examples
    --------
    >>> from sfumato.data.writing import check_free
    >>> check_free("examples/patients.csv", replace=False)
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: 'examples/patients.csv' is there already; name a new file, or add \
--replace
    """
    file = Path(path)
    if file.is_dir() or not file.parent.is_dir():
        message = f"{quoted(file)} cannot be written; name a file in a folder that exists"
        raise InputError(message)
    if not file.exists():
        return
    if any(Path(each).exists() and file.samefile(each) for each in spared):
        message = f"{quoted(file)} is what would be read; name another file to write"
        raise InputError(message)
    if not replace:
        message = f"{quoted(file)} is there already; name a new file, or add {told}"
        raise InputError(message)


@contextmanager
def put_in_place(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give the block a file to write, and put it in place once it is whole.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sfumato.data.writing import put_in_place
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with put_in_place(f"{folder}/notes.txt") as draft:
    ...         _ = draft.write_text("four")
    ...     [each.name for each in Path(folder).iterdir()]
    ['notes.txt']
    """
    file = Path(path)
    try:
        with TemporaryDirectory(prefix=".sfumato-", dir=file.parent) as folder:
            draft = Path(folder) / file.name
            yield draft
            draft.replace(file)
    except OSError as error:
        reason = f" ({error.strerror})" if error.strerror else ""
        message = f"{quoted(file)} cannot be written{reason}; name another file"
        raise InputError(message) from None
