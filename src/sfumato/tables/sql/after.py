"""What a query does with its answer: HAVING, ORDER BY and LIMIT, on released values only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.tables.expressions import Literal
from sfumato.tables.sql.aggregates import is_aggregate, read_aggregate
from sfumato.tables.sql.names import identifier, matching
from sfumato.tables.sql.refusals import refusal, refused_node, shortened
from sfumato.tables.sql.rows import row_expression
from sfumato.tables.sql.shapes import kind, only, unbracketed
from sfumato.tables.sql.values import whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot.expressions import Expr

    from sfumato.tables.query import Query
    from sfumato.tables.sql.names import Names
    from sfumato.tables.sql.outputs import Outputs

__all__ = ["having", "limited", "sorted_by"]

_SIGNS = {"EQ": "=", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">="}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_COMPARISONS = "comparisons with numbers or texts, joined by AND, as COUNT(*) > 100"


def having(query: Query, clause: Expr | None, outputs: Outputs, names: Names) -> Query:
    """Return the query with its HAVING: comparisons of columns of the answer, joined by AND.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> people = sf.table(pd.DataFrame({"sex": ["F"], "age": [61]}), unit="row")
    >>> print(people.query("SELECT sex, COUNT(*) AS n FROM people GROUP BY sex HAVING n > 5"))
    n = count(*) by sex, having n > 5
    """
    if clause is None:
        return query
    for released, sign, value in _comparisons(only(clause, "this")[0]):
        query = query.having(_released(released, outputs, names), sign, _constant(value, names))
    return query


def sorted_by(query: Query, clause: Expr | None, outputs: Outputs, names: Names) -> Query:
    """Return the query in its order; sorts keep the order before them, so the last goes first.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> people = sf.table(pd.DataFrame({"sex": ["F"], "age": [61]}), unit="row")
    >>> print(people.query("SELECT sex, COUNT(*) AS n FROM people GROUP BY sex ORDER BY n"))
    n = count(*) by sex, order by n
    """
    if clause is None:
        return query
    (terms,) = only(clause, "expressions")
    for each in reversed(terms):
        term, descending, _ = only(each, "this", "desc", "nulls_first")
        name = _ordering(unbracketed(term), outputs, names)
        query = query.sort_by(name, descending=bool(descending))
    return query


def limited(query: Query, clause: Expr | None) -> Query:
    """Return the query with its LIMIT.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> people = sf.table(pd.DataFrame({"sex": ["F"], "age": [61]}), unit="row")
    >>> print(people.query("SELECT sex, COUNT(*) AS n FROM people GROUP BY sex LIMIT 3"))
    n = count(*) by sex, the first 3
    """
    if clause is None:
        return query
    if kind(clause) != "Limit":
        raise refused_node(clause)
    rows = whole(only(clause, "expression")[0])
    if rows is None:
        raise refusal(of="LIMIT with anything but a whole number", write="LIMIT 10")
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
        raise refusal(of="HAVING with such a condition", write=_COMPARISONS)
    left, right = (unbracketed(each) for each in only(node, "this", "expression"))
    if kind(left) in {"Literal", "Neg"}:
        return right, _TURNED.get(sign, sign), left
    return left, sign, right


def _constant(node: Expr, names: Names) -> Any:
    found = row_expression(node, names)
    value = found.value if isinstance(found, Literal) else None
    if type(value) not in {int, float, str}:
        raise refusal(
            of="HAVING with anything but a number or a text beside a column of the answer",
            write=_COMPARISONS,
        )
    return value


def _ordering(node: Expr, outputs: Outputs, names: Names) -> str:
    place = whole(node)
    if place is None:
        return _released(node, outputs, names)
    if not 1 <= place <= len(outputs.selected):
        message = (
            f"ORDER BY names the place {place} of {len(outputs.selected)} in SELECT; "
            "write a column of the answer"
        )
        raise InputError(message)
    return outputs.selected[place - 1]


def _released(node: Expr, outputs: Outputs, names: Names) -> str:
    """Return the column of the answer that a node names or repeats."""
    node = unbracketed(node)
    if kind(node) == "Column" and kind(node.this) == "Identifier" and not node.args.get("table"):
        name, quoted = identifier(node.this)
        found = matching(name, [*outputs.keys, *outputs.aggregates], quoted=quoted)
        if found is not None:
            return found
    of = read_aggregate(node, names) if is_aggregate(node) else row_expression(node, names)
    found = outputs.named(of)
    if found is None:
        raise refusal(
            of=f"{shortened(str(of))} in HAVING or ORDER BY and not in the answer",
            write="a key, or an aggregate that is in SELECT",
        )
    return found
