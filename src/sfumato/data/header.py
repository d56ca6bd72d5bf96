"""The header of a CSV file: its first record, and the delimiter in it."""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, cast

from sfumato.data.files import is_tabbed, quoted
from sfumato.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO

__all__ = ["Header", "line_of_other_text", "read_header"]

_DELIMITERS = (",", ";", "\t", "|")
_NO_DELIMITER = "\x1f"

# The engine takes no longer record either.
_LONGEST = 2_000_000

# A quote opens only where a cell begins, or after another; a newline in quotes ends no record.
_QUOTED = re.compile(r'(?<![^,;\t|"])"[^"]*+(?:"|\Z)')
_RECORD = re.compile(rf'(?:[^"\r\n]++|{_QUOTED.pattern}|")*+')
_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_NOT_TEXT = re.compile("[\0\udc80-\udcff]")


@dataclass(frozen=True)
class Header:
    """The names of the columns, without spaces around them, and what stands between them.

    Examples
    --------
    >>> from sfumato.data.header import Header
    >>> Header(";", ("age", "sex")).names
    ('age', 'sex')
    """

    delimiter: str
    names: tuple[str, ...]


def read_header(path: Path) -> Header:
    """Return the header of a CSV file.

    The delimiter is the one that occurs most often outside quotes.  A header without one means
    a single column: each line is one cell.
    """
    record = _first_record(path)
    delimiter = "\t" if is_tabbed(path) else _commonest(_QUOTED.sub("", record))
    lines = io.StringIO(record, newline="")
    try:
        cells = next(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        message = f"{quoted(path)} has a header with a name that is too long; shorten its names"
        raise InputError(message) from None
    return Header(delimiter, tuple(each.strip() for each in cells))


def _commonest(unquoted: str) -> str:
    commonest = max(_DELIMITERS, key=unquoted.count)
    return commonest if commonest in unquoted else _NO_DELIMITER


def _first_record(path: Path) -> str:
    match = _RECORD.match(_beginning(path))
    record = match[0] if match else ""
    if _NOT_TEXT.search(record):
        message = f"{quoted(path)} is not text in UTF-8; save it again as CSV in UTF-8"
        raise InputError(message)
    if not record.strip():
        message = f"{quoted(path)} has no header; its first line should name the columns"
        raise InputError(message)
    return record


def line_of_other_text(path: Path, most: int) -> int | None:
    r"""Return the number of the first line of a CSV file that is not UTF-8, of so many at most.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sfumato.data.header import line_of_other_text
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "visits.csv")
    ...     written = path.write_bytes(b"city\nBern\nZ\xfcrich\n")
    ...     line_of_other_text(path, 2), line_of_other_text(path, 3)
    (None, 3)
    """
    with _opened(path) as file:
        lines = enumerate(islice(file, most), start=1)
        return next((number for number, line in lines if _NOT_UTF8.search(line)), None)


def _opened(path: Path) -> TextIO:
    opened = gzip.open if path.suffix.lower() == ".gz" else io.open
    return cast(
        "TextIO",
        opened(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline=""),
    )


def _beginning(path: Path) -> str:
    try:
        with _opened(path) as file:
            return file.read(_LONGEST)
    except (OSError, EOFError, zlib.error):
        message = f"{quoted(path)} cannot be opened; check that you may read it and it is whole"
        raise InputError(message) from None
