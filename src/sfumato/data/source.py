"""A table to count: a file or a frame, held by the engine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.engine import Engine
from sfumato.data.files import check_readable, csv_delimiter, is_csv
from sfumato.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir
    import pyarrow as pa

__all__ = ["Source", "open_source", "open_sources"]

_CSV_COMPLAINT = (
    "{name} cannot be read as CSV; each line should have as many cells as the header, in UTF-8, "
    'with "quotes" around a cell that contains the delimiter'
)
_PARQUET_COMPLAINT = "{name} cannot be read as Parquet; check that it is one and that it is whole"
_FRAME_COMPLAINT = "{name} cannot be read; give a pandas, polars or Arrow table, or a file's path"


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

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import open_source
    >>> open_source(pd.DataFrame({"age": [64, 61], "sex": ["M", "F"]})).column_names
    ('age', 'sex')
    """

    name: str
    table: ir.Table
    engine: Engine
    complaint: str

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

    def check_columns(self, columns: Sequence[str]) -> None:
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
        for name in columns:
            if name not in self.column_names:
                raise UnknownNameError(
                    kind="column", name=name, known=self.column_names, where=self.name
                )
            if columns.count(name) > 1:
                message = f"the column {name!r} is named twice; name each column once"
                raise InputError(message)

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
    engine = Engine(paths)
    return tuple(_open(each, engine) for each in data)


def _open(data: Any, engine: Engine) -> Source:
    if not isinstance(data, (str, os.PathLike)):
        complaint = _FRAME_COMPLAINT.format(name="the table")
        return Source("the table", engine.read_frame(data, complaint=complaint), engine, complaint)
    path = Path(data)
    name = repr(str(path))
    if not is_csv(path):
        complaint = _PARQUET_COMPLAINT.format(name=name)
        return Source(name, engine.read_parquet(path, complaint=complaint), engine, complaint)
    complaint = _CSV_COMPLAINT.format(name=name)
    table = engine.read_csv(path, delimiter=csv_delimiter(path), complaint=complaint)
    return Source(name, table, engine, complaint)
