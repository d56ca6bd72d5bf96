"""A public table: rows that anybody may see, to be joined to private ones."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sfumato.data import (
    asked_names,
    check_names,
    open_source,
)
from sfumato.data.policy import Policy, check_against_schema, declared_types
from sfumato.errors import InputError, UnknownNameError
from sfumato.tables.expressions import col, column_types, compile_expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

    from sfumato.data import Source


#: Of a column with more values than these, none is a key by itself.
_MOST_VALUES = 100_000
_GREATEST = Fraction(10) ** 300
_ORDERED = ("integer", "number", "date", "timestamp")

_MOST_ROWS = 10_000_000


@dataclass(frozen=True)
class PublicColumn:
    """What a column of a public table holds, all of which is public.

    Parameters
    ----------
    type
        One of the six types of expressions.
    bounds
        Its least and its greatest value; None where they are alike or not of a type with an order.
    values
        Its different values; None where there are too many to list.
    has_missing
        Whether a value is missing.
    """

    type: str
    bounds: Any = None
    values: tuple[Any, ...] | None = None
    has_missing: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class PublicTable:
    """Rows that anybody may see; ``sf.public`` makes one.

    Attributes
    ----------
    name
        What errors call it.
    schema
        The columns and their types.
    rows
        The rows themselves, as they were when the table was opened.
    left_out
        The columns of a type that questions have no use for, such as uuid.
    path
        The file that it was opened from; None where it is no file.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> sf.public(pd.DataFrame({"zip": ["1010", "8010"], "region": ["Vienna", "Styria"]}))
    <the table, public: zip, region; 2 rows>
    """

    name: str
    schema: Mapping[str, str]
    rows: pa.Table
    left_out: tuple[str, ...] = ()
    path: Path | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> sf.public(pd.DataFrame({"zip": ["1010"], "region": ["Vienna"]})).columns
        ('zip', 'region')
        """
        return tuple(self.schema)

    def column(self, name: str) -> PublicColumn:
        """Return what a column holds.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> sf.public(pd.DataFrame({"region": ["Vienna", None]})).column("region")
        PublicColumn(type='text', bounds=None, values=('Vienna',), has_missing=True)
        """
        self.check_columns([name])
        return self._held[name]

    def check_columns(self, names: Sequence[str]) -> None:
        """Refuse a column that is not there.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> sf.public(pd.DataFrame({"zip": ["1010"]})).check_columns(["zip"])
        """
        for name in names:
            if name not in self.schema:
                raise self._missing(name)

    def _missing(self, name: str) -> InputError:
        if name not in self.left_out:
            return UnknownNameError(kind="column", name=name, known=self.schema, where=self.name)
        return InputError(
            "E-COLUMN-TYPE",
            "the column {name!r} of {other_name} has a type that no query can use",
            "store it as text, say",
            name=name,
            other_name=self.name,
        )

    def rename(self, names: Mapping[str, str]) -> PublicTable:
        """Give columns other names.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> regions = sf.public(pd.DataFrame({"zip": ["1010"], "name": ["Vienna"]}))
        >>> regions.rename({"name": "region"}).columns
        ('zip', 'region')
        """
        self.check_columns(list(names))
        if not all(isinstance(each, str) for each in names.values()) or "" in names.values():
            raise InputError(
                "E-ARGUMENT-TYPE",
                "rename takes names for names, as in rename({{'name': 'region'}})",
            )
        new = [names.get(each, each) for each in self.columns]
        check_names(new, self.name)
        schema = dict(zip(new, self.schema.values(), strict=True))
        return replace(self, schema=schema, rows=self.rows.rename_columns(new))

    def most_alike(self, names: Sequence[str]) -> int:
        """Return how many rows are alike in some columns at most, those with a missing one aside.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> sf.public(pd.DataFrame({"zip": ["1010", "1010", "8010"]})).most_alike(["zip"])
        2
        """
        import pyarrow.compute as pc

        keys = self.rows.select(list(names)).drop_null()
        counted = keys.group_by(list(names)).aggregate([([], "count_all")])["count_all"]
        return int(pc.max(counted).as_py() or 0)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the names, types and rows, in hexadecimal digits.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> rows = pd.DataFrame({"zip": ["1010"]})
        >>> sf.public(rows).digest == sf.public(rows.assign(zip="8010")).digest
        False
        """
        found = sha256(json.dumps(dict(self.schema)).encode("ascii"))
        for cells in self.rows.columns:
            found.update(json.dumps(cells.to_pylist(), default=str).encode("ascii"))
        return found.hexdigest()

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, PublicTable) and self.name == other.name
        return same and self.digest == getattr(other, "digest", None)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.schema)))

    @cached_property
    def _held(self) -> dict[str, PublicColumn]:
        return {name: _column(self.rows[name], kind) for name, kind in self.schema.items()}

    def __repr__(self) -> str:
        without = (
            f"; without {', '.join(self.left_out)}, which no query can use" if self.left_out else ""
        )
        count = f"{self.rows.num_rows:,} row{'' if self.rows.num_rows == 1 else 's'}"
        return f"<{self.name}, public: {', '.join(self.columns)}; {count}{without}>"


def _column(cells: pa.ChunkedArray, kind: str) -> PublicColumn:
    return PublicColumn(kind, _bounds(cells, kind), _values(cells), cells.null_count > 0)


def _values(cells: pa.ChunkedArray) -> tuple[Any, ...] | None:
    different = cells.drop_null().unique()
    if not 0 < len(different) <= _MOST_VALUES:
        return None
    known = dict.fromkeys(different.to_pylist())
    return tuple(sorted(known)) if all(map(_is_finite, known)) else None


def _is_finite(value: Any) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _bounds(cells: pa.ChunkedArray, kind: str) -> tuple[Any, Any] | None:
    import pyarrow.compute as pc

    if kind not in _ORDERED:
        return None
    ends = pc.min_max(cells).as_py()
    low, high = (_exact(ends[each]) for each in ("min", "max"))
    return (low, high) if low is not None and high is not None and low < high else None


def _exact(end: Any) -> Any:
    """Return an end as bounds have it; None for one that bounds cannot have."""
    if end is None or isinstance(end, date):
        return end
    number = Fraction(end) if _is_finite(end) else None
    return number if number is not None and abs(number) <= _GREATEST else None


def public(
    data: Any,
    *,
    table: str | None = None,
    columns: str | Iterable[str] | None = None,
    types: Mapping[str, str] | None = None,
) -> PublicTable:
    """Return a public table: rows that anybody may see, to be joined to those of a private one.

    The rows are read at once.  Nothing in them is protected, whoever they are about.

    Parameters
    ----------
    data
        The path of a CSV or Parquet file; a pandas, polars or Arrow table; a table of Ibis; or
        the address of a database.
    table
        Which table of the database.
    columns
        The columns to take; left out, all whose type can be used in a question.  The others are
        named where the table is printed.
    types
        The type of a column, as in ``{"beds": "integer"}``.  The cells of a CSV file are text
        where nothing else is said.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> sf.public(pd.DataFrame({"zip": ["1010", "8010"], "region": ["Vienna", "Styria"]}))
    <the table, public: zip, region; 2 rows>
    """
    source = open_source(data, table=table)
    schema = _schema(source, types)
    chosen = _chosen(source, schema, columns)
    held = {name: schema[name] for name in chosen}
    if not held:
        raise InputError(
            "E-COLUMN-TYPE",
            "no column of {source} has a type that a query can use",
            "take a table with numbers, texts, booleans, dates or timestamps",
            source=source.name,
        )
    values = {name: compile_expression(col(name), source.table, held) for name in chosen}
    rows = source.fetch(source.table.select(**values).limit(_MOST_ROWS + 1))
    if rows.num_rows > _MOST_ROWS:
        raise InputError(
            "E-TOO-LARGE",
            "{source} has more than {most_rows:,} rows, which are too many for a public table",
            "take the rows that a join needs",
            source=source.name,
            most_rows=_MOST_ROWS,
        )
    left_out = tuple(name for name in schema if columns is None and name not in held)
    return PublicTable(source.name, held, _unsigned(rows), left_out, source.path)


def _schema(source: Source, types: Mapping[str, str] | None) -> dict[str, str]:
    policy = Policy.inline(types=types)
    found = column_types(source.table.schema())
    schema = declared_types(policy, found, textual=source.is_text)
    check_against_schema(policy, schema, where=source.name)
    return schema


def _chosen(
    source: Source, schema: Mapping[str, str], columns: str | Iterable[str] | None
) -> tuple[str, ...]:
    if columns is None:
        return tuple(name for name, kind in schema.items() if kind != "other")
    names = asked_names(columns)
    source.check_columns(names)
    return names


def _unsigned(rows: pa.Table) -> pa.Table:
    """Return rows without a zero that has a sign, which is alike to the other and another text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for place, column in enumerate(rows.schema):
        if pa.types.is_floating(column.type):
            rows = rows.set_column(place, column.name, pc.add(rows.column(place), 0.0))
    return rows
