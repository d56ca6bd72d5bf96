"""Which files can be read, and how: by suffix, with the delimiter that the header line uses."""

from __future__ import annotations

import gzip
import re
import zlib
from typing import TYPE_CHECKING

from sfumato.errors import InputError

if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path

__all__ = ["check_readable", "csv_delimiter", "is_csv"]

_TABBED = (".tsv", ".tsv.gz")
_CSV = (".csv", ".csv.gz", *_TABBED)
_PARQUET = (".parquet", ".pq")
_DELIMITERS = (",", ";", "\t", "|")
_NO_DELIMITER = "\x1f"
_LONGEST_HEADER = 1 << 20


def check_readable(path: Path) -> None:
    """Refuse what is no file, and a file whose suffix we do not know.

    Examples
    --------
    >>> from pathlib import Path
    >>> from sfumato.data.files import check_readable
    >>> check_readable(Path("patients.xlsx"))
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: there is no file 'patients.xlsx'; check the spelling and the folder
    """
    if path.is_dir():
        message = f"{_quoted(path)} is a folder; name one file in it"
        raise InputError(message)
    if not path.is_file():
        message = f"there is no file {_quoted(path)}; check the spelling and the folder"
        raise InputError(message)
    if not path.name.lower().endswith((*_CSV, *_PARQUET)):
        known = ", ".join((*_CSV, *_PARQUET))
        message = f"{_quoted(path)} is not a file sfumato reads; its name should end in {known}"
        raise InputError(message)


def is_csv(path: Path) -> bool:
    """Tell whether a file is text, by its name.

    Examples
    --------
    >>> from pathlib import Path
    >>> from sfumato.data.files import is_csv
    >>> is_csv(Path("patients.csv.gz")), is_csv(Path("patients.parquet"))
    (True, False)
    """
    return path.name.lower().endswith(_CSV)


def csv_delimiter(path: Path) -> str:
    """Return the delimiter that occurs most often in the header line, outside quotes.

    A header without one means a single column: each line is one cell.
    """
    unquoted = re.sub(r'"[^"]*"', "", _header_line(path))
    if path.name.lower().endswith(_TABBED):
        return "\t"
    commonest = max(_DELIMITERS, key=unquoted.count)
    return commonest if commonest in unquoted else _NO_DELIMITER


def _header_line(path: Path) -> str:
    try:
        with _opened(path) as file:
            header = file.readline(_LONGEST_HEADER).decode("utf-8-sig")
    except UnicodeDecodeError:
        header = "\0"
    except (OSError, EOFError, zlib.error):
        message = f"{_quoted(path)} cannot be opened; check that you may read it and it is whole"
        raise InputError(message) from None
    if "\0" in header:
        message = f"{_quoted(path)} is not text in UTF-8; save it again as CSV in UTF-8"
        raise InputError(message)
    if not header.strip():
        message = f"{_quoted(path)} has no header; its first line should name the columns"
        raise InputError(message)
    return header


def _opened(path: Path) -> gzip.GzipFile | BufferedReader:
    return gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb")


def _quoted(path: Path) -> str:
    return repr(str(path))
