"""From a text in SQL to a query: its keys and aggregates, and HAVING, ORDER BY and LIMIT."""

from __future__ import annotations

import datetime as dt
from itertools import chain
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import SQL, said_in
from sfumato.tables.expressions import Literal
from sfumato.tables.release.answer import answer_type
from sfumato.tables.sql.aggregates import is_aggregate, read_aggregate
from sfumato.tables.sql.dialect import (
    identifier,
    kind,
    matching,
    moment,
    only,
    refusal,
    refused_node,
    shortened,
    spelt,
    unbracketed,
    whole,
)
from sfumato.tables.sql.expressions import row_expression
from sfumato.tables.sql.outputs import Outputs, read_outputs
from sfumato.tables.sql.parsing import check_all_read, check_not_columns, parse_select, too_deep
from sfumato.tables.sql.subqueries import TableScope, check_first, rows_asked
from sfumato.tables.tree.rows import check_aggregates_ordered
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlglot.expressions import Expr

    from sfumato.tables.query import Query
    from sfumato.tables.sql.names import AskedTable, Names
    from sfumato.tables.sql.parsing import Parsed

_CLAUSES = ("with", "from", "joins", "where", "expressions", "group", "having", "order", "limit")
_SIGNS = {"EQ": "=", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">="}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_DATED = {"date", "timestamp"}
_COMPARISONS = mark("columns of the answer compared with values, joined by AND, as COUNT(*) > 100")
_ALONE = mark("a column of the answer alone, and compute with what is released")


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
    dialect = table.source.engine.name if dialect is None else dialect
    parsed = parse_select(text, dialect)
    scope = TableScope(table, {} if tables is None else tables, dialect)
    if parsed.quoted:
        others = chain.from_iterable(getattr(each, "columns", ()) for each in scope.others.values())
        check_not_columns(parsed.quoted, dict.fromkeys([*table.steps.known, *others]))
    try:
        with said_in(SQL):
            query = _query(parsed, scope)
        check_all_read(parsed.tokens, parsed.select)
    except RecursionError:
        raise too_deep() from None
    return query


def _query(parsed: Parsed, scope: TableScope) -> Query:
    *_, items, group, kept, order, limit = only(parsed.select, *_CLAUSES)
    rows = rows_asked(parsed.select, scope)
    check_first(scope, rows.first)
    outputs = read_outputs(items or (), group, rows.names)
    grouped = rows.table.with_columns(**outputs.derived).group_by(*outputs.keys)
    query = grouped.agg(**outputs.aggregates)
    check_aggregates_ordered(query)
    query = having(query, kept, outputs, rows.names)
    query = sorted_by(query, order, outputs, rows.names)
    return limited(query, limit)


def having(query: Query, clause: Expr | None, outputs: Outputs, names: Names) -> Query:
    """Return the query with its HAVING: comparisons of columns of the answer, joined by AND."""
    if clause is None:
        return query
    for released, sign, value in _comparisons(only(clause, "this")[0]):
        name = _released(released, outputs, names)
        query = query.having(name, sign, _constant(value, names, answer_type(query, name)))
    return query


def sorted_by(query: Query, clause: Expr | None, outputs: Outputs, names: Names) -> Query:
    """Return the query in its order; sorts keep the order before them, so the last goes first."""
    if clause is None:
        return query
    (terms,) = only(clause, "expressions")
    for each in reversed(terms):
        term, descending, _ = only(each, "this", "desc", "nulls_first")
        name = _ordering(unbracketed(term), outputs, names)
        query = query.sort_by(name, descending=bool(descending))
    return query


def limited(query: Query, clause: Expr | None) -> Query:
    """Return the query with its LIMIT."""
    if clause is None:
        return query
    if kind(clause) != "Limit":
        raise refused_node(clause)
    rows = whole(only(clause, "expression")[0])
    if rows is None:
        raise refusal(of=mark("LIMIT with anything but a whole number"), write="LIMIT 10")
    return query.head(rows)


def _comparisons(condition: Expr) -> Iterator[tuple[Expr, str, Expr]]:
    """Yield each comparison of a condition: what is compared, how, and with what."""
    waiting = [condition]
    while waiting:
        node = unbracketed(waiting.pop())
        if kind(node) == "And":
            waiting += reversed(only(node, "this", "expression"))
        elif kind(node) == "Between":
            this, low, high = only(node, "this", "low", "high")
            yield from [(this, ">=", low), (this, "<=", high)]
        else:
            yield _comparison(node)


def _comparison(node: Expr) -> tuple[Expr, str, Expr]:
    sign = _SIGNS.get(kind(node))
    if sign is None:
        alone = kind(node) == "Column" or is_aggregate(node)
        words = mark("without a comparison") if alone else tr("with {node}", node=spelt(node))
        raise refusal(of=tr("HAVING {words}", words=words), write=_COMPARISONS)
    left, right = (unbracketed(each) for each in only(node, "this", "expression"))
    if _is_written(left) and not _is_written(right):
        return right, _TURNED.get(sign, sign), left
    return left, sign, right


def _is_written(node: Expr) -> bool:
    """Tell whether a node names nothing of the table or of the answer."""
    return not any(kind(each) == "Column" or is_aggregate(each) for each in node.walk())


def _constant(node: Expr, names: Names, beside: str) -> Any:
    """Return a value that is written down; beside a date or a timestamp a text is read as one."""
    found = row_expression(node, names) if _is_written(node) else None
    value = found.value if isinstance(found, Literal) else None
    if value is None:
        raise refusal(
            of=mark("HAVING with anything but a written value beside a column of the answer"),
            write=_COMPARISONS,
        )
    if beside in _DATED and isinstance(value, str):
        return moment(value, beside).value
    if beside == "timestamp" and type(value) is dt.date:
        return dt.datetime.combine(value, dt.time())
    return value


def _ordering(node: Expr, outputs: Outputs, names: Names) -> str:
    place = whole(node)
    if place is None:
        return _released(node, outputs, names)
    if not 1 <= place <= len(outputs.selected):
        raise InputError(
            "E-SQL-PLACE",
            "ORDER BY names the place {place}, and SELECT has the places 1 to {count}",
            "write a column of the answer",
            place=place,
            count=len(outputs.selected),
        )
    return outputs.selected[place - 1]


def _released(node: Expr, outputs: Outputs, names: Names) -> str:
    """Return the column of the answer that a node names or repeats."""
    node = unbracketed(node)
    if kind(node) == "Column" and kind(node.this) == "Identifier" and not node.args.get("table"):
        name, quoted = identifier(node.this)
        found = matching(name, [*outputs.keys, *outputs.aggregates], quoted=quoted)
        if found is not None:
            return found
    if not is_aggregate(node) and _computes_with_answer(node, outputs, names):
        raise refusal(of=mark("computing with the answer in HAVING or ORDER BY"), write=_ALONE)
    of = read_aggregate(node, names) if is_aggregate(node) else row_expression(node, names)
    found = outputs.named(of)
    if found is None:
        raise refusal(
            of=tr("{of} in HAVING or ORDER BY and not in the answer", of=shortened(str(of))),
            write=mark("a key, or an aggregate that is in SELECT"),
        )
    return found


def _computes_with_answer(node: Expr, outputs: Outputs, names: Names) -> bool:
    """Tell whether an aggregate, or a name that only the answer has, is part of a node."""
    given = [each for each in (*outputs.keys, *outputs.aggregates) if each not in names.schema]
    return any(
        is_aggregate(each)
        or (kind(each) == "Identifier" and matching(each.name, given, quoted=False) is not None)
        for each in node.walk()
    )
