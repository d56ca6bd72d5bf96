"""How the embedded engine is told to read a CSV file: nothing is left for it to guess."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sfumato.data.cells import LONGEST
from sfumato.data.encodings import check_encoding
from sfumato.data.files import is_compressed, quoted
from sfumato.data.header import read_header
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sfumato.data.header import Header
    from sfumato.refusal import Given

__all__ = ["HeldCsv", "csv_options"]

# A cell is the text that is written, and no line is skipped.  That lines are read strictly is not
# said, but so by default: where it is said, DuckDB 2.0 leaves out the last line of some files.
_AS_WRITTEN = {
    "auto_detect": False,
    "header": True,
    "skip": 0,
    "comment": "",
    "quote": '"',
    "escape": '"',
    "nullstr": "",
    "encoding": "utf-8",
    "ignore_errors": False,
    "null_padding": False,
    "max_line_size": LONGEST,
    "hive_partitioning": False,
}
_ENDINGS = {"\n": r"\n", "\r\n": r"\r\n", "\r": r"\r"}


def csv_options(path: Path, header: Header, *, parallel: bool) -> dict[str, Any]:
    """Return all that DuckDB would otherwise find out from the rows of a file.

    Parameters
    ----------
    path
        The file.
    header
        What its first line says.
    parallel
        Whether lines are looked for in several places at once.
    """
    return {
        **_AS_WRITTEN,
        "columns": dict.fromkeys(header.columns, "VARCHAR"),
        "delim": header.delimiter,
        "new_line": _ENDINGS[header.newline],
        "compression": "gzip" if is_compressed(path) else "none",
        # In a single column, this tells an empty cell from an empty line.
        "allow_quoted_nulls": len(header.names) > 1,
        "parallel": parallel,
    }


class HeldCsv:
    """A CSV file that an engine holds, whose lines are looked at before a question is asked.

    Parameters
    ----------
    path
        The file.
    header
        What its first line says.
    name
        What the engine calls it.
    complaint
        The sentence for whatever the engine may fail at.
    """

    def __init__(self, path: Path, header: Header, name: str, complaint: Given) -> None:
        self.header = header
        self.name = name
        self.complaint = complaint
        self._given = path
        self._absolute = path.absolute()
        self._seen: tuple[int, ...] = ()

    @property
    def path(self) -> Path:
        """The file as it was given, unless the working directory has become another."""
        is_there = self._given.absolute() == self._absolute
        return self._given if is_there else self._absolute

    @property
    def is_seen(self) -> bool:
        """Whether all lines were looked at, and the file was not written since."""
        return self._seen == self._written()

    @contextmanager
    def looked_at(self) -> Iterator[None]:
        """Look at the file: it is seen if the block, which looks at its lines, does not fail."""
        written = self._written()
        if read_header(self.path) != self.header:
            # Its cells would be taken for those of other columns.
            raise InputError(
                "E-TABLE-CHANGED",
                "{path} has another header than when it was opened",
                "open it again",
                path=quoted(self.path),
            )
        check_encoding(self.path, self.header.newline)
        yield
        self._seen = written

    def _written(self) -> tuple[int, ...]:
        """Return what tells whether a file was written to."""
        try:
            found = self._absolute.stat()
        except OSError:
            return (0,)
        return found.st_mtime_ns, found.st_size, found.st_ino
