"""From a text to a query."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from sfumato.refusal import SQL, said_in
from sfumato.tables.comparison import check_aggregates_ordered
from sfumato.tables.sql.names import dialect_of
from sfumato.tables.sql.outputs import having, limited, read_outputs, sorted_by
from sfumato.tables.sql.parsing import check_all_read, check_not_columns, parse_select, too_deep
from sfumato.tables.sql.refusals import only
from sfumato.tables.sql.subqueries import TableScope, another_first, rows_asked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.query import Query
    from sfumato.tables.sql.names import AskedTable
    from sfumato.tables.sql.parsing import Parsed

_CLAUSES = ("with", "from", "joins", "where", "expressions", "group", "having", "order", "limit")


def read_sql(
    text: str,
    table: AskedTable,
    tables: Mapping[str, Any] | None = None,
    *,
    dialect: str | None = None,
) -> Query:
    """Return the query that a text in SQL asks of a private table; no row is read.

    Parameters
    ----------
    text
        One SELECT, as ``sfumato.tables.sql`` describes.
    table
        The private table.  After FROM it is called by its file's name without the suffix, or by
        the name of its book in the ledger; a frame, which has no name, by any.
    tables
        The public and private tables that can be joined to it, by their names after JOIN.

    dialect
        In which the text is written: "duckdb", "postgres" or "spark"; that of the table's engine
        where it is not said.
    """
    dialect = dialect_of(table) if dialect is None else dialect
    parsed = parse_select(text, dialect)
    scope = TableScope(table, {} if tables is None else tables, dialect)
    if parsed.quoted:
        check_not_columns(parsed.quoted, _columns(scope))
    try:
        with said_in(SQL):
            query = _query(parsed, scope)
        check_all_read(parsed.tokens, parsed.select)
    except RecursionError:
        raise too_deep() from None
    return query


def _columns(scope: TableScope) -> list[str]:
    """Return the columns of all tables that can be named."""
    others = [getattr(each, "columns", ()) for each in scope.others.values()]
    return list(dict.fromkeys([*scope.table.known, *chain.from_iterable(others)]))


def _query(parsed: Parsed, scope: TableScope) -> Query:
    *_, items, group, kept, order, limit = only(parsed.select, *_CLAUSES)
    rows = rows_asked(parsed.select, scope)
    if rows.first is not scope.table:
        raise another_first()
    outputs = read_outputs(items or (), group, rows.names)
    grouped = rows.table.with_columns(**outputs.derived).group_by(*outputs.keys)
    query = grouped.agg(**outputs.aggregates)
    check_aggregates_ordered(query)
    query = having(query, kept, outputs, rows.names)
    query = sorted_by(query, order, outputs, rows.names)
    return limited(query, limit)
