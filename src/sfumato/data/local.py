"""Files and frames, held by the embedded engine."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.embedded import EmbeddedEngine
from sfumato.data.engines.guarding import unreadable
from sfumato.data.files import check_readable, is_csv, quoted
from sfumato.data.header import read_header
from sfumato.data.names import check_names
from sfumato.data.source import Source
from sfumato.errors import InputError
from sfumato.refusal import text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["check_texts", "open_local", "reopened", "without_fallible"]

_CSV_COMPLAINT = mark(
    "{name} cannot be read as CSV; each line should have as many cells as the header, in UTF-8, "
    'with "quotes" around a cell that contains the delimiter, and all lines should end alike'
)
_PARQUET_COMPLAINT = mark(
    "{name} cannot be read as Parquet; check that it is one and that it is whole"
)
_FRAME_COMPLAINT = mark(
    "{name} cannot be read; give a pandas, polars or Arrow table whose columns hold text, dates or "
    "ordinary numbers, one type each, or a file's path"
)


def open_local(*data: Any) -> tuple[Source, ...]:
    """Hand several files or frames to one engine."""
    engine = _engine([Path(each) for each in data if isinstance(each, (str, os.PathLike))])
    return tuple(_open(each, engine) for each in data)


def reopened(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Hand files and frames that were opened one by one to one engine."""
    engine = _engine([each.path for each in sources if each.path is not None])
    return tuple(_reopened(each, engine) for each in sources)


def without_fallible(source: Source) -> Source:
    """Return a table with nothing in the columns that the engine may fail to read."""
    import ibis

    engine, path = source.engine, source.path
    if not source.fallible or path is None or not isinstance(engine, EmbeddedEngine):
        return source
    if set(source.fallible) == set(source.column_names):
        raise InputError(
            "E-COLUMN-TYPE",
            "{source} has only timestamps in milliseconds, of which a far one makes the "
            "engine fail",
            "write them in microseconds",
            source=source.name,
        )
    rest = engine.read_parquet(path, without=source.fallible, complaint=source.complaint)
    nothing = dict.fromkeys(source.fallible, ibis.null())
    return replace(source, table=rest.mutate(**nothing).select(*source.column_names))


def check_texts(source: Source, column: str) -> None:
    """Refuse a column of a Parquet file with texts that are not UTF-8, which would be changed."""
    engine, path = source.engine, source.path
    if path is not None and not is_csv(path) and isinstance(engine, EmbeddedEngine):
        complaint = text(
            "the column {column!r} of {source} holds texts that are not UTF-8, of which two could "
            "be taken for one; write them as UTF-8",
            column=column,
            source=source.name,
        )
        engine.check_texts(path, column, complaint=complaint)


def _engine(paths: Sequence[Path]) -> EmbeddedEngine:
    for path in paths:
        check_readable(path)
    return EmbeddedEngine(paths)


def _reopened(source: Source, engine: EmbeddedEngine) -> Source:
    """Return a table in another engine; a frame can be read by any."""
    if source.path is None:
        return replace(source, engine=engine)
    opened = _open(source.path, engine)
    if opened.table.schema() != source.table.schema():
        opened = without_fallible(opened)
    if opened.table.schema() != source.table.schema():
        raise InputError(
            "E-TABLE-CHANGED",
            "{source} has other columns than when it was opened",
            "open it again",
            source=source.name,
        )
    return replace(opened, name=source.name)


def _open(data: Any, engine: EmbeddedEngine) -> Source:
    if not isinstance(data, (str, os.PathLike)):
        return _open_frame(data, engine)
    path = Path(data)
    return _open_csv(path, engine) if is_csv(path) else _open_parquet(path, engine)


def _open_frame(frame: Any, engine: EmbeddedEngine) -> Source:
    name = mark("the table")
    complaint = text(_FRAME_COMPLAINT, name=name)
    table = engine.read_frame(frame, name=name, complaint=complaint)
    return Source(name, table, engine, complaint)


def _open_csv(path: Path, engine: EmbeddedEngine) -> Source:
    name = quoted(path)
    complaint = text(_CSV_COMPLAINT, name=name)
    header = read_header(path)
    check_names(header.names, name)
    table = engine.read_csv(path, header, complaint=complaint)
    named = table.select([each for each in header.names if each])
    return Source(name, named, engine, complaint, is_text=True, path=path.absolute())


def _open_parquet(path: Path, engine: EmbeddedEngine) -> Source:
    name = quoted(path)
    complaint = text(_PARQUET_COMPLAINT, name=name)
    columns = engine.parquet_columns(path, complaint=complaint)
    names = [each for each, _ in columns]
    check_names(names, name)
    table = engine.read_parquet(path, complaint=complaint)
    fallible = tuple(each for each, may_fail in columns if each and may_fail)
    source = Source(name, table, engine, complaint, path=path.absolute(), fallible=fallible)
    return _as_named(source, names)


def _as_named(source: Source, names: Sequence[str]) -> Source:
    """Return the source with its named columns; refuse if the engine calls one otherwise."""
    if len(source.column_names) != len(names):
        raise unreadable(source.complaint)
    found = [each for each, name in zip(source.column_names, names, strict=True) if name]
    if [each.strip() for each in found] != [name.strip() for name in names if name]:
        raise unreadable(source.complaint)
    return replace(source, table=source.table.select(found))
