"""Opening a table of records whose columns are known before: of JSON lines and of Arrow too."""

from __future__ import annotations

import codecs
import gzip
import os
import shutil
import tempfile
import weakref
import zlib
from collections.abc import Mapping
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from sfumato.data.engines.embedded import EmbeddedEngine
from sfumato.data.engines.engine import unreadable
from sfumato.data.engines.postgres.session import is_address
from sfumato.data.files import TABLES, check_there, check_utf8, is_compressed, quoted
from sfumato.data.opening import open_source
from sfumato.data.source import Source
from sfumato.errors import InputError
from sfumato.refusal import Given, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_LINES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
_ARROW = (".arrow", ".feather")
_LOOKED_AT = 4096
_OTHER_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LIST_COMPLAINT = mark(
    "the list cannot be read; give a list of records, each of cells by their names"
)
_COMPLAINT = mark(
    "{name} cannot be read as {kind}; check that it is of that kind and that it is whole"
)


def open_records(data: Any, columns: Sequence[str], *, table: str | None = None) -> Source:
    """Hand a table of records to an engine, or find it in one; no row is read yet.

    Parameters
    ----------
    data
        Whatever ``open_source`` takes, or the path of a file of JSON lines (.jsonl, .ndjson, both
        also with .gz) or of Arrow (.arrow, .feather).  The cells of JSON lines are text, as in a
        CSV; a line that is no object, or that breaks off, is a row without a single cell.  A list
        of records becomes text as well; what is neither text nor a whole number is no cell.
    columns
        The columns of a record; other keys of JSON lines and of lists are not looked at.
    table
        Which table of a database.
    """
    if isinstance(data, (list, tuple)) and table is None:
        return _open_list(data, columns)
    if not isinstance(data, (str, os.PathLike)) or is_address(data) or table is not None:
        return open_source(data, table=table)
    path = Path(data)
    name = path.name.lower()
    if name.endswith(_LINES):
        return _open_lines(path, columns)
    if name.endswith(_ARROW):
        return _open_arrow(path)
    check_there(path)
    if not name.endswith(TABLES):
        known = ", ".join((*TABLES, *_LINES, *_ARROW))
        raise InputError(
            "E-FILE-KIND",
            "{path} is not a file of records",
            "its name should end in {known}",
            path=quoted(path),
            known=known,
        )
    return open_source(path)


def _open_list(records: Sequence[Any], columns: Sequence[str]) -> Source:
    if not all(isinstance(each, Mapping) for each in records):
        raise unreadable(_LIST_COMPLAINT)
    import pyarrow as pa

    engine, name = EmbeddedEngine([]), mark("the list")
    try:
        cells = {each: [_text(record.get(each)) for record in records] for each in columns}
        frame = pa.table({each: pa.array(found, pa.string()) for each, found in cells.items()})
    except ValueError:  # A text without an encoding, or a number of thousands of digits.
        raise unreadable(_LIST_COMPLAINT) from None
    rows = engine.read_frame(frame, name=name, complaint=_LIST_COMPLAINT)
    return Source(name, rows, engine, _LIST_COMPLAINT, is_text=True)


def _text(cell: Any) -> str | None:
    is_cell = isinstance(cell, (str, Integral)) and not isinstance(cell, bool)
    return str(cell) if is_cell else None


def _open_lines(path: Path, columns: Sequence[str]) -> Source:
    name, complaint = _begun(path, mark("JSON lines in UTF-8"))
    plain, tie = _plain_lines(path, complaint=complaint)
    engine = EmbeddedEngine([plain])
    tie(engine)
    rows = engine.read_lines(plain, columns, complaint=complaint)
    return Source(name, rows, engine, complaint, is_text=True, path=path.absolute())


def _open_arrow(path: Path) -> Source:
    name, complaint = _begun(path, mark("an Arrow file"))
    engine = EmbeddedEngine([path])
    rows = engine.read_arrow(path, name=name, complaint=complaint)
    return Source(name, rows, engine, complaint)


def _begun(path: Path, kind: str) -> tuple[str, Given]:
    """Return what errors call a file, and what is said if it cannot be read."""
    check_there(path)
    check_utf8(path)
    name = quoted(path)
    return name, text(_COMPLAINT, name=name, kind=kind)


def _plain_lines(path: Path, *, complaint: Given) -> tuple[Path, Callable[[object], object]]:
    """Return a file of the same lines without a byte order mark, and what ties it to a reader.

    It is the file itself, unless there is a mark: then it is a copy, which is removed with the
    reader that it was tied to.
    """
    try:
        with _opened(path, "rb") as file:
            start = file.read(_LOOKED_AT)
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


def _opened(path: Path, mode: Any) -> BinaryIO:
    if is_compressed(path):
        return cast("BinaryIO", gzip.open(path, mode, compresslevel=1))
    return cast("BinaryIO", path.open(mode))


def _copied(path: Path) -> tuple[Path, Callable[[object], object]]:
    folder = tempfile.mkdtemp(prefix="sfumato-")
    copy, process = Path(folder, path.name), os.getpid()
    try:
        with _opened(path, "rb") as lines, _opened(copy, "wb") as kept:
            lines.read(len(codecs.BOM_UTF8))
            shutil.copyfileobj(lines, kept, 2**20)
    except BaseException:
        _remove(folder, process)
        raise
    return copy, lambda reader: weakref.finalize(reader, _remove, folder, process)


def _remove(folder: str, process: int) -> None:
    """Remove a folder, but not from a forked child, whose parent may still read it."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
