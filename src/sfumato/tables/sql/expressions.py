"""The one table of what a row expression may hold; anything else is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import UnknownNameError
from sfumato.refusal import Declaration, text
from sfumato.tables.expressions import Cast, Column, Expression, FunctionCall, Literal
from sfumato.tables.expressions.values import fold
from sfumato.tables.sql.functions import LOGIC, SCALARS, TIMES, part_of
from sfumato.tables.sql.literals import TranslationRule, literal, moment, slots
from sfumato.tables.sql.refusals import (
    CLOCKS,
    DATE_PARTS_ALONE,
    FORMATS,
    FUNCTIONS,
    NAMED,
    TYPES,
    kind,
    only,
    refusal,
    refused_node,
    shortened,
)
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names


def row_expression(node: Expr, names: Names) -> Expression:
    """Return the expression of a row that a node is, or say which part of it cannot be one."""
    made: Expression = fold(
        node, _parts, lambda each, below: _RULES[kind(each)].make(names, each, below)
    )
    return made


def _parts(node: Expr) -> Sequence[Expr]:
    rule = _RULES.get(kind(node))
    if rule is None:
        raise refused_node(node)
    return rule.parts(node)


def _leaf(node: Expr) -> Sequence[Expr]:  # noqa: ARG001
    return ()


def _column(names: Names, node: Expr, _: list[Expression]) -> Expression:
    return Column(names.column(node))


def _literal(_: Names, node: Expr, __: list[Expression]) -> Expression:
    return Literal(literal(node))


def _boolean(_: Names, node: Expr, __: list[Expression]) -> Expression:
    return Literal(bool(node.this))


def _null(_: Names, __: Expr, ___: list[Expression]) -> Expression:
    return Literal(None)


def _cast(names: Names, node: Expr, below: list[Expression]) -> Expression:
    """Return a cast; the parser reads DIV of PostgreSQL with one, of a number that is whole."""
    (value,) = below
    to = _type(node.args["to"], names)
    text = value.value if isinstance(value, Literal) else None
    if not node.args.get("safe") and isinstance(text, str) and to in {"date", "timestamp"}:
        return moment(text, to)
    is_div = kind(node.this) == "IntDiv" and to == "number"
    return value if is_div else Cast(value, to)


def _type(node: Expr, names: Names) -> str:
    name = getattr(node.this, "name", "")
    is_spark_timestamp = names.dialect == "spark" and name == "TIMESTAMPTZ"
    found = TYPES.get("TIMESTAMP" if is_spark_timestamp else name)
    if found == "text" and node.expressions:
        raise refusal(of=mark("a CAST to a text of limited length"), write="LEFT(x, 10)")
    if found is None:
        raise refusal(
            of=mark("a CAST to this type"),
            write=mark("BIGINT, DOUBLE, VARCHAR, BOOLEAN, DATE or TIMESTAMP"),
        )
    return found


def _date(_: Names, __: Expr, below: list[Expression]) -> Expression:
    return Cast(below[0], "date")


_HISTOGRAM = text(
    "GROUP BY FLOOR(age / 10), with {keys}",
    keys=Declaration("keys", "floor(age / 10)", [*range(11)]),
)


def _named_parts(node: Expr) -> Sequence[Expr]:
    """Return the arguments of a function that the parser does not know, if we do."""
    name, arguments = only(node, "this", "expressions")
    if str(name).lower() in CLOCKS:
        raise refusal(of=mark("the present time"), write=mark("a date as DATE '2024-01-31'"))
    if str(name).lower() in FORMATS:
        raise refusal(of=mark("a date written as text"), write=DATE_PARTS_ALONE)
    if str(name).lower() == "histogram":
        raise refusal(of="HISTOGRAM", write=_HISTOGRAM)
    if str(name).lower() not in NAMED:
        raise UnknownNameError(kind="function", name=shortened(str(name)), known=FUNCTIONS)
    return arguments or ()


def _named(_: Names, node: Expr, below: list[Expression]) -> Expression:
    name = str(node.this).lower()
    if name != "date_part":
        return FunctionCall(name, tuple(below))
    if len(below) != 2 or not isinstance(below[0], Literal):
        raise refusal(of=mark("DATE_PART without a part and a date"), write="DATE_PART('year', x)")
    return part_of(str(below[0].value), below[1])


_RULES: dict[str, TranslationRule] = {
    **LOGIC,
    **SCALARS,
    **TIMES,
    "Paren": TranslationRule(slots("this"), lambda _, __, below: below[0]),
    "Column": TranslationRule(_leaf, _column),
    "Literal": TranslationRule(_leaf, _literal),
    "Boolean": TranslationRule(_leaf, _boolean),
    "Null": TranslationRule(_leaf, _null),
    "Cast": TranslationRule(slots("this", flags=["to"]), _cast),
    "TryCast": TranslationRule(slots("this", flags=["to", "safe"]), _cast),
    "Date": TranslationRule(slots("this"), _date),
    "Anonymous": TranslationRule(_named_parts, _named),
}
