"""How a table that anybody may see is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data import open_source
from sfumato.data.names import asked_names
from sfumato.data.policy import Policy, check_against_schema, declared_types
from sfumato.errors import InputError
from sfumato.tables.expressions import col, column_types, compile_expression
from sfumato.tables.tree.public import PublicTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyarrow as pa

    from sfumato.data import Source

_MOST_ROWS = 10_000_000


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
