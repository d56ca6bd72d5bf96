"""Files that are not UTF-8, told apart from others that cannot be read."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.data.files import is_csv, quoted
from sfumato.data.header import line_of_other_text
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["naming_the_encoding"]

_COMPLAINT = re.compile(r"cannot be read as CSV;.* \(line (?P<line>\d+)\)$")


@contextmanager
def naming_the_encoding(paths: Iterable[Path]) -> Iterator[None]:
    r"""Say of files that the block cannot read that one is not UTF-8, if that is why.

    Only lines up to the one that the complaint names are looked at: all that is told beyond it is
    why.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sfumato.data.encodings import naming_the_encoding
    >>> from sfumato.errors import InputError
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "visits.csv")
    ...     written = path.write_bytes(b"city\nZ\xfcrich\n")
    ...     try:
    ...         with naming_the_encoding([path]):
    ...             raise InputError("it cannot be read as CSV; check it (line 2)")
    ...     except InputError as error:
    ...         print(str(error).partition(" is ")[2].partition(";")[0])
    not text in UTF-8 (line 2)
    """
    try:
        yield
    except InputError as error:
        found = _COMPLAINT.search(str(error))
        said = found and _said_of(filter(is_csv, paths), int(found["line"]))
        if said:
            error.args = (said,)
        raise


def _said_of(paths: Iterable[Path], most: int) -> str | None:
    for path in paths:
        line = line_of_other_text(path, most)
        if line is not None:
            return (
                f"{quoted(path)} is not text in UTF-8 (line {line}); save it again as CSV in "
                f"UTF-8, or convert it: iconv -f CP1252 -t UTF-8"
            )
    return None
