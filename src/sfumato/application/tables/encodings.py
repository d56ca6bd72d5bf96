"""Files that are not UTF-8, told apart from others that cannot be read."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.files import is_csv, quoted
from sfumato.data.header import are_lines_of_text
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["naming_the_encoding"]

_COMPLAINT = re.compile(r"cannot be read as CSV;.* \(line (?P<line>\d+)\)$")


@contextmanager
def naming_the_encoding(source: Any) -> Iterator[None]:
    r"""Say of a file that the block cannot read that it is not UTF-8, if that is why.

    Only lines up to the one that the complaint names are looked at: all that is told beyond it is
    why.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sfumato.application.tables.encodings import naming_the_encoding
    >>> from sfumato.errors import InputError
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = Path(folder, "visits.csv").write_bytes(b"city\nZ\xfcrich\n")
    ...     try:
    ...         with naming_the_encoding(f"{folder}/visits.csv"):
    ...             raise InputError("it cannot be read as CSV; check it (line 2)")
    ...     except InputError as error:
    ...         print(str(error).partition(" is ")[2].partition(";")[0])
    not text in UTF-8 (line 2)
    """
    try:
        yield
    except InputError as error:
        found = _COMPLAINT.search(str(error))
        if found and isinstance(source, (str, os.PathLike)) and is_csv(Path(source)):
            _say_encoding(error, Path(source), int(found["line"]))
        raise


def _say_encoding(error: InputError, path: Path, line: int) -> None:
    if not are_lines_of_text(path, line):
        message = (
            f"{quoted(path)} is not text in UTF-8 (line {line}); save it again as CSV in UTF-8, or "
            "convert it: iconv -f CP1252 -t UTF-8"
        )
        error.args = (message,)
