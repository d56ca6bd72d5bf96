"""Text in UTF-8, told from text in another encoding."""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import TYPE_CHECKING

from sfumato.data.files import quoted, unpacked
from sfumato.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

__all__ = ["check_encoding"]

_PART = 2**20


def check_encoding(path: Path, newline: str) -> None:
    """Refuse a file that is not UTF-8 from its first to its last byte; say in which line.

    An engine may look only at the cells that a question needs, and would answer one question of
    such a file and not another.

    Parameters
    ----------
    path
        The file, which may be compressed.
    newline
        What its lines end with.
    """
    with unpacked(path) as file:
        line = _line_of_other_text(file, newline.encode()[-1:])
    if line is not None:
        raise InputError(
            "E-FILE-ENCODING",
            "{path} is not text in UTF-8 (line {line})",
            "save it again as CSV in UTF-8, or convert it: iconv -f CP1252 -t UTF-8",
            path=quoted(path),
            line=line,
        )


def _line_of_other_text(file: BinaryIO, newline: bytes) -> int | None:
    decoder, line, part = getincrementaldecoder("utf-8")(), 1, b"begun"
    while part:
        part = file.read(_PART)
        try:
            decoder.decode(part, final=not part)
        except UnicodeDecodeError as error:
            # The bytes of a letter may have begun in the part before.
            return line + error.object[: error.start].count(newline)
        line += part.count(newline)
    return None
