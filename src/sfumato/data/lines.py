"""The first bytes of a file of lines: what says that it is UTF-8, and what says that it is not."""

from __future__ import annotations

import codecs
import gzip
import os
import shutil
import tempfile
import weakref
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from sfumato.data.engines.guarding import unreadable
from sfumato.data.files import quoted
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.refusal import Given

__all__ = ["plain_lines"]

_LOOKED_AT = 4096
_OTHER_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def plain_lines(path: Path, *, complaint: Given) -> tuple[Path, Callable[[object], None]]:
    """Return a file of the same lines without a byte order mark, and what ties it to a reader.

    It is the file itself, unless there is a mark: then it is a copy, which is removed with the
    reader that it was tied to.
    """
    try:
        start = _start(path)
        if start.startswith(codecs.BOM_UTF8):
            return _copied(path)
    except (OSError, EOFError, zlib.error):
        raise unreadable(complaint) from None
    if start.startswith(_OTHER_MARKS) or b"\0" in start:
        raise InputError(
            "E-FILE-ENCODING",
            "{path} is not UTF-8 text, as JSON lines are",
            "save it as UTF-8",
            path=quoted(path),
        )
    return path, lambda _: None


def _start(path: Path) -> bytes:
    with _opened(path, "rb") as file:
        return file.read(_LOOKED_AT)


def _opened(path: Path, mode: Any) -> BinaryIO:
    if path.name.lower().endswith(".gz"):
        return cast("BinaryIO", gzip.open(path, mode, compresslevel=1))
    return cast("BinaryIO", path.open(mode))


def _copied(path: Path) -> tuple[Path, Callable[[object], None]]:
    folder = tempfile.mkdtemp(prefix="sfumato-")
    copy, process = Path(folder, path.name), os.getpid()
    try:
        with _opened(path, "rb") as lines, _opened(copy, "wb") as kept:
            lines.read(len(codecs.BOM_UTF8))
            shutil.copyfileobj(lines, kept, 2**20)
    except BaseException:
        _remove(folder, process)
        raise
    return copy, lambda reader: _tie(reader, folder, process)


def _tie(reader: object, folder: str, process: int) -> None:
    weakref.finalize(reader, _remove, folder, process)


def _remove(folder: str, process: int) -> None:
    """Remove a folder, but not from a forked child, whose parent may still read it."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
