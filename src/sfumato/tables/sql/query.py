"""From a text to a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.tables.sql.after import having, limited, sorted_by
from sfumato.tables.sql.leftovers import check_all_read
from sfumato.tables.sql.names import names_of
from sfumato.tables.sql.outputs import read_outputs
from sfumato.tables.sql.parsing import parse_select
from sfumato.tables.sql.rows import row_expression
from sfumato.tables.sql.shapes import only

if TYPE_CHECKING:
    from sfumato.tables.query import Query
    from sfumato.tables.sql.asked import Asked

__all__ = ["read_sql"]

_CLAUSES = ("from", "expressions", "where", "group", "having", "order", "limit")


def read_sql(text: str, table: Asked) -> Query:
    """Return the query that a text in SQL asks of a private table; no row is read.

    Parameters
    ----------
    text
        One SELECT, as ``sfumato.tables.sql`` describes.
    table
        The private table.  After FROM it is called by its file's name without the suffix, or by
        the name of its book in the ledger; a frame, which has no name, by any.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> from sfumato.tables.sql import read_sql
    >>> people = sf.table(pd.DataFrame({"sex": ["F"], "age": [61]}), unit="row")
    >>> print(read_sql("SELECT sex, AVG(age) FROM people WHERE age > 17 GROUP BY sex", people))
    mean_age = mean(age) by sex where age > 17
    >>> read_sql("SELECT * FROM people", people)
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: * is not part of the SQL that private tables answer; write the \
keys and aggregates by name, or COUNT(*)
    """
    parsed = parse_select(text)
    source, items, where, group, *after = only(parsed.select, *_CLAUSES)
    names = names_of(table, source)
    outputs = read_outputs(items or (), group, names)
    if where is not None:
        table = table.filter(row_expression(only(where, "this")[0], names))
    grouped = table.with_columns(**outputs.derived).group_by(*outputs.keys)
    query = grouped.agg(**outputs.aggregates)
    query = having(query, after[0], outputs, names)
    query = sorted_by(query, after[1], outputs, names)
    query = limited(query, after[2])
    check_all_read(parsed.tokens, parsed.select)
    return query
