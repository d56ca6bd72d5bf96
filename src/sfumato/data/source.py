"""A table to count, held by an engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.data.names import asked_names, check_apart
from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Given, text

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator
    from pathlib import Path

    import ibis.expr.types as ir
    import pyarrow as pa

    from sfumato.data.engines.engine import Engine, Prepared


_MOST_PREPARED = 256


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
        The file that it was opened from; None where it is no file.
    fallible
        Columns that the engine may fail to read because of a cell.

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
    complaint: Given = field(repr=False)
    is_text: bool = field(default=False, repr=False)
    path: Path | None = field(default=None, repr=False)
    fallible: tuple[str, ...] = field(default=(), repr=False)
    _prepared: dict[Hashable, Prepared] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

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
            check_apart(name, self.column_names)
            if name not in self.column_names:
                raise UnknownNameError(
                    kind="column", name=name, known=self.column_names, where=self.name
                )
            if names.count(name) > 1:
                raise InputError(
                    "E-COLUMN-TWICE",
                    "the column {name!r} is named twice",
                    "name each column once",
                    name=name,
                )

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
        complaint = self.complaint
        if beside is not None:
            complaint = text(
                "{complaint} (or this is so of {other})", complaint=complaint, other=beside.name
            )
        return self.engine.fetch(query, complaint=complaint)

    def ask(self, question: Callable[..., ir.Table], *given: Hashable) -> list[dict[str, Any]]:
        """Answer a question about this table, in lines; it is put together the first time only.

        Parameters
        ----------
        question
            A function of the table and of what is given, and of nothing else, that returns a query
            for a few lines of numbers.
        given
            What it is asked about, such as names of columns; what is equal is one question.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.data import open_source
        >>> def oldest(table, column):
        ...     return table.aggregate(oldest=table[column].max())
        >>> open_source(pd.DataFrame({"age": [64, 61]})).ask(oldest, "age")
        [{'oldest': 64}]
        """
        asked = (question, given)
        prepared = self._prepared.get(asked)
        if prepared is None:
            query = question(self.table, *given)
            prepared = self.engine.prepared(query, complaint=self.complaint)
            if len(self._prepared) >= _MOST_PREPARED:
                self._prepared.clear()
            self._prepared[asked] = prepared
        return prepared()

    def batches(self, query: ir.Table, *, rows: int) -> Iterator[pa.RecordBatch]:
        """Run a query on this table and yield its result in parts of at most so many rows.

        At no time is all of it in memory.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.data import open_source
        >>> source = open_source(pd.DataFrame({"age": [64, 61, 35]}))
        >>> sum(part.num_rows for part in source.batches(source.table, rows=2))
        3
        """
        return self.engine.batches(query, rows=rows, complaint=self.complaint)

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
