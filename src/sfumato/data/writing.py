"""Files that are written whole or not at all, and never over another unless told so.

A cell that begins with one of ``= + - @``, their wide forms, a tab or the end of a line is a
formula to spreadsheets, unless it is a number.  It gets an apostrophe in front, and so does one
that has such apostrophes already: two different cells are never written alike.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sfumato.data.files import quoted
from sfumato.errors import InputError
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    import ibis.expr.types as ir
    import pyarrow as pa


def check_reachable(file: Path) -> None:
    """Refuse a name that no file can have, and a link that leads to itself."""
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        raise InputError(
            "E-OUTPUT-UNWRITABLE",
            "{file} cannot be written ({reason})",
            "name another file",
            file=quoted(file),
            reason=getattr(error, "strerror", None) or mark("it cannot be the name of a file"),
        ) from None


def is_same_file(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Tell whether two names lead to one file, whether or not it is there, by links of any kind."""
    try:
        return os.path.realpath(one) == os.path.realpath(other) or Path(one).samefile(other)
    except (OSError, ValueError):
        return False


def check_folder(file: Path) -> None:
    """Refuse a file whose folder is not there, or takes no new file, by trying it.

    Where the file is a link, the folder is that of the file it leads to.
    """
    check_reachable(file)
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise InputError(
            "E-OUTPUT-UNWRITABLE",
            "{file} cannot be written",
            "name a file in a folder that exists",
            file=quoted(file),
        )
    with _drafts(file, Path(os.path.realpath(file)).parent):
        pass


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
    """
    file = Path(path)
    check_folder(file)
    if any(is_same_file(file, each) for each in spared):
        raise InputError(
            "E-OUTPUT-IS-INPUT",
            "{file} is what would be read",
            "name another file to write",
            file=quoted(file),
        )
    if file.exists() and not replace:
        raise InputError(
            "E-OUTPUT-EXISTS",
            "{file} is there already",
            "name a new file, or add {told}",
            file=quoted(file),
            told=told,
        )


@contextmanager
def put_in_place(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give the block a file to write, and put it in place once it is whole.

    Who may read a file that was there may read the new one, and nobody else.
    """
    file = Path(path)
    with _drafts(file, file.parent) as folder:
        draft = Path(folder) / file.name
        yield draft
        if file.exists():
            draft.chmod(stat.S_IMODE(file.stat().st_mode))
        draft.replace(file)


@contextmanager
def _drafts(file: Path, beside: Path) -> Iterator[str]:
    """Give the block a folder for drafts of a file, or refuse where none can be made."""
    try:
        with TemporaryDirectory(prefix=".sfumato-", dir=beside) as folder:
            yield folder
    except OSError as error:
        reason = f" ({error.strerror})" if error.strerror else ""
        raise InputError(
            "E-OUTPUT-UNWRITABLE",
            "{file} cannot be written{reason}",
            "name another file",
            file=quoted(file),
            reason=reason,
        ) from None


# The minus stands last, where a class of characters has no range of it.
_SIGN = "[=+@\t\r\n＝＋－＠-]"
_NUMBER = r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|nan)"
_MARKED = rf"^'('*{_SIGN})"
_FORMULA = re.compile(rf"'*{_SIGN}")
_AS_NUMBER = re.compile(_NUMBER)


def is_formula(cell: str) -> bool:
    """Tell whether a spreadsheet would take a cell for a formula, or for one that was marked."""
    return bool(_FORMULA.match(cell)) and not _AS_NUMBER.fullmatch(cell)


def harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; plain numbers stay as they are."""
    return f"'{cell}" if is_formula(cell) else cell


def as_it_was(cell: str) -> str:
    """Return the cell that was made harmless."""
    return re.sub(_MARKED, r"\1", cell)


def harmless_texts(cells: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return a column of texts, each made harmless; a missing one stays so."""
    import pyarrow.compute as pc

    begins = pc.match_substring_regex(cells, f"^'*{_SIGN}")
    number = pc.match_substring_regex(cells, rf"^{_NUMBER}\z")
    marked = pc.binary_join_element_wise("'", cells, "")
    return pc.if_else(pc.and_not(begins, number), marked, cells)


def as_they_were(column: ir.StringValue) -> ir.StringValue:
    """Return a column of texts as they were before they were made harmless."""
    return column.re_replace(_MARKED, r"\1")
