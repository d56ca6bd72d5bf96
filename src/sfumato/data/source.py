"""A table to count: a file or a frame, held by the engine."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.embedded import EmbeddedEngine
from sfumato.data.files import check_readable, is_csv, quoted
from sfumato.data.header import read_header
from sfumato.data.names import asked_names, check_names
from sfumato.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa

    from sfumato.data.engines.engine import Engine

__all__ = ["Source", "gathered", "open_source", "open_sources"]

_CSV_COMPLAINT = (
    "{name} cannot be read as CSV; each line should have as many cells as the header, in UTF-8, "
    'with "quotes" around a cell that contains the delimiter, and all lines should end alike'
)
_PARQUET_COMPLAINT = "{name} cannot be read as Parquet; check that it is one and that it is whole"
_FRAME_COMPLAINT = (
    "{name} cannot be read; give a pandas, polars or Arrow table whose columns hold text, dates or "
    "ordinary numbers, one type each, or a file's path"
)


@dataclass(frozen=True)
class Source:
    """A table inside the engine.

    Attributes
    ----------
    name
        What errors call it.
    table
        The Ibis table: an expression, not rows.
    engine
        What runs a query on it.
    complaint
        The sentence for whatever the engine may fail at.
    is_text
        Whether every cell is text, as in a CSV file.
    path
        The file that it was opened from; None for a frame.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import open_source
    >>> open_source(pd.DataFrame({"age": [64, 61], "sex": ["M", "F"]})).column_names
    ('age', 'sex')
    """

    name: str
    table: ir.Table = field(repr=False)
    engine: Engine = field(repr=False)
    complaint: str = field(repr=False)
    is_text: bool = field(default=False, repr=False)
    path: Path | None = field(default=None, repr=False)

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, in order.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from sfumato.data import open_source
        >>> open_source(pa.table({"n": [1, 2]})).column_names
        ('n',)
        """
        return tuple(self.table.columns)

    def check_columns(self, columns: str | Iterable[str]) -> None:
        """Refuse a column that is not there, or that is named twice.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.data import open_source
        >>> open_source(pd.DataFrame({"age": [64, 61]})).check_columns(["agee"])
        Traceback (most recent call last):
            ...
        sfumato.errors.UnknownNameError: there is no column 'agee' in the table; did you mean \
'age'? (known: 'age')
        """
        names = asked_names(columns)
        for name in names:
            if name not in self.column_names:
                raise UnknownNameError(
                    kind="column", name=name, known=self.column_names, where=self.name
                )
            if names.count(name) > 1:
                message = f"the column {name!r} is named twice; name each column once"
                raise InputError(message)

    def is_same_as(self, other: Source) -> bool:
        """Tell whether another source is of the same rows: one file, or one frame opened once.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.data import open_source
        >>> source = open_source(pd.DataFrame({"age": [64, 61]}))
        >>> source.is_same_as(source)
        True
        """
        if self.path is not None:
            return self.path == other.path
        return bool(self.table.equals(other.table))

    def check_process(self) -> None:
        """Refuse to be used in a process that was forked from the one that opened the table.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.data import open_source
        >>> open_source(pd.DataFrame({"age": [64, 61]})).check_process()
        """
        self.engine.check_process()

    def fetch(self, query: ir.Table, *, beside: Source | None = None) -> pa.Table:
        """Run a query on this table, and one ``beside`` it, and return its result.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.data import open_source
        >>> source = open_source(pd.DataFrame({"age": [64, 61]}))
        >>> source.fetch(source.table.aggregate(rows=source.table.count())).to_pydict()
        {'rows': [2]}
        """
        also = "" if beside is None else f" (or this is so of {beside.name})"
        return self.engine.fetch(query, complaint=self.complaint + also)

    def keep(self, query: ir.Table) -> ir.Table:
        """Have the engine run a query and keep its result until it is told to forget it.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.data import open_source
        >>> source = open_source(pd.DataFrame({"age": [64, 61]}))
        >>> kept = source.keep(source.table.aggregate(rows=source.table.count()))
        >>> source.fetch(kept).to_pydict()
        {'rows': [2]}
        >>> source.forget(kept)
        """
        return self.engine.keep(query, complaint=self.complaint)

    def forget(self, kept: ir.Table) -> None:
        """Have the engine forget a result that it keeps.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.data import open_source
        >>> source = open_source(pd.DataFrame({"age": [64, 61]}))
        >>> source.forget(source.keep(source.table))
        """
        self.engine.forget(kept)


def open_source(data: Any) -> Source:
    """Hand a table to the engine; no row is read yet.

    Parameters
    ----------
    data
        The path of a file (.csv, .csv.gz, .tsv, .tsv.gz, .parquet, .pq), or a pandas, polars or
        Arrow table.  The cells of a CSV are text: ``01`` and ``1`` are two outcomes, and an
        empty cell is a null, which is an outcome of its own.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.data import count_groups, open_source
    >>> source = open_source(pl.DataFrame({"smoker": ["yes", "no", "yes"]}))
    >>> sorted(count_groups(source, ["smoker"]).counts.tolist())
    [1, 2]
    """
    return open_sources(data)[0]


def open_sources(*data: Any) -> tuple[Source, ...]:
    """Hand several tables to one engine, so that they can be counted side by side.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import open_sources
    >>> left, right = open_sources(pd.DataFrame({"x": [1]}), pd.DataFrame({"x": [2]}))
    >>> left.engine is right.engine
    True
    """
    paths = [Path(each) for each in data if isinstance(each, (str, os.PathLike))]
    for path in paths:
        check_readable(path)
    engine = EmbeddedEngine(paths)
    return tuple(_open(each, engine) for each in data)


def gathered(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return the same tables in one engine, so that a query can read them all.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import gathered, open_source
    >>> one, two = (open_source(pd.DataFrame({"x": [each]})) for each in (1, 2))
    >>> left, right = gathered([one, two])
    >>> left.engine is right.engine
    True
    """
    engines = {id(each.engine): each.engine for each in sources}
    if len(engines) == 1:
        return tuple(sources)
    if not all(isinstance(each, EmbeddedEngine) for each in engines.values()):
        titles = " and ".join(dict.fromkeys(each.title for each in engines.values()))
        message = (
            f"the tables are in engines that do not see each other ({titles}); open both from one "
            "database, or both from files or frames"
        )
        raise InputError(message)
    paths = [each.path for each in sources if each.path is not None]
    for path in paths:
        check_readable(path)
    engine = EmbeddedEngine(paths)
    return tuple(_reopened(each, engine) for each in sources)


def _reopened(source: Source, engine: EmbeddedEngine) -> Source:
    """Return a table in another engine; a frame can be read by any."""
    if source.path is None:
        return replace(source, engine=engine)
    opened = _open(source.path, engine)
    if opened.table.schema() != source.table.schema():
        message = f"{source.name} has other columns than when it was opened; open it again"
        raise InputError(message)
    return replace(opened, name=source.name)


def _open(data: Any, engine: EmbeddedEngine) -> Source:
    if not isinstance(data, (str, os.PathLike)):
        return _open_frame(data, engine)
    path = Path(data)
    return _open_csv(path, engine) if is_csv(path) else _open_parquet(path, engine)


def _open_frame(frame: Any, engine: EmbeddedEngine) -> Source:
    name = "the table"
    complaint = _FRAME_COMPLAINT.format(name=name)
    table = engine.read_frame(frame, name=name, complaint=complaint)
    return Source(name, table, engine, complaint)


def _open_csv(path: Path, engine: EmbeddedEngine) -> Source:
    name = quoted(path)
    complaint = _CSV_COMPLAINT.format(name=name)
    header = read_header(path)
    check_names(header.names, name)
    table = engine.read_csv(path, header, complaint=complaint)
    source = Source(name, table, engine, complaint, is_text=True, path=path.absolute())
    return _as_named(source, header.names)


def _open_parquet(path: Path, engine: EmbeddedEngine) -> Source:
    name = quoted(path)
    complaint = _PARQUET_COMPLAINT.format(name=name)
    names = engine.parquet_names(path, complaint=complaint)
    check_names(names, name)
    table = engine.read_parquet(path, complaint=complaint)
    return _as_named(Source(name, table, engine, complaint, path=path.absolute()), names)


def _as_named(source: Source, names: Sequence[str]) -> Source:
    """Return the source with its named columns; refuse if the engine calls one otherwise."""
    if len(source.column_names) != len(names):
        raise InputError(source.complaint)
    found = [each for each, name in zip(source.column_names, names, strict=True) if name]
    if [each.strip() for each in found] != [name.strip() for name in names if name]:
        raise InputError(source.complaint)
    return replace(source, table=source.table.select(found))
