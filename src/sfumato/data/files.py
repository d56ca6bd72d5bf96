"""Which files can be read, and as what: by suffix."""

from __future__ import annotations

import gzip
import re
import reprlib
import stat
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_TABBED = (".tsv", ".tsv.gz")
_CSV = (".csv", ".csv.gz", *_TABBED)
#: How the names of files end that are tables of themselves.
TABLES = (*_CSV, ".parquet", ".pq")

# How Python holds the bytes of a path that are not UTF-8.
_NOT_UTF8 = re.compile("[\ud800-\udfff]")

_SHORTENED = reprlib.Repr()
_SHORTENED.maxstring = 300


def check_readable(path: Path) -> None:
    """Refuse what is no file, and a file whose suffix we do not know."""
    check_there(path)
    check_utf8(path)
    if not has_table_name(path):
        known = ", ".join(TABLES)
        raise InputError(
            "E-FILE-KIND",
            "{path} is not a file sfumato reads",
            "its name should end in {known}",
            path=quoted(path),
            known=known,
        )


def check_there(path: Path) -> None:
    """Refuse what is no file."""
    mode = _mode(path)
    if stat.S_ISDIR(mode):
        raise InputError(
            "E-FILE-IS-FOLDER", "{path} is a folder", "name one file in it", path=quoted(path)
        )
    if not stat.S_ISREG(mode):
        raise InputError(
            "E-FILE-KIND",
            "{path} is not a regular file",
            "save what it gives in a file first",
            path=quoted(path),
        )


def check_utf8(path: Path) -> None:
    """Refuse a path that the engine cannot be told."""
    if _NOT_UTF8.search(str(path.absolute())):
        raise InputError(
            "E-FILE-NAME", "{path} has a path that is not UTF-8", "rename it", path=quoted(path)
        )


def has_table_name(path: Path) -> bool:
    """Tell whether a file is a table, by its name."""
    return path.name.lower().endswith(TABLES)


def is_csv(path: Path) -> bool:
    """Tell whether a file is text, by its name."""
    return path.name.lower().endswith(_CSV)


def is_tabbed(path: Path) -> bool:
    """Tell whether a file has tabs between its cells, by its name."""
    return path.name.lower().endswith(_TABBED)


def is_compressed(path: Path) -> bool:
    """Tell whether a file is one of gzip, by its name."""
    return path.suffix.lower() == ".gz"


@contextmanager
def unpacked(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read its bytes, without compression; refuse one that cannot be read."""
    try:
        with gzip.open(path) if is_compressed(path) else path.open("rb") as file:
            yield cast("BinaryIO", file)
    except (OSError, EOFError, zlib.error):
        raise InputError(
            "E-FILE-UNREADABLE",
            "{path} cannot be opened",
            "check that you may read it and it is whole",
            path=quoted(path),
        ) from None


def quoted(path: Path) -> str:
    """Return a path as errors write it."""
    return _SHORTENED.repr(str(path))


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        failure = InputError(
            "E-FILE-MISSING",
            "there is no file {path}",
            "check the spelling and the folder",
            path=quoted(path),
        )
    except OSError as error:
        failure = InputError(
            "E-FILE-UNREADABLE",
            "{path} cannot be reached ({reason})",
            "check the path",
            path=quoted(path),
            reason=error.strerror,
        )
    raise failure
