"""What a row expression may hold, in one table of rules; anything else is refused."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Declaration, text
from sfumato.tables.expressions import (
    Case,
    Cast,
    Column,
    Expression,
    FunctionCall,
    Literal,
    type_of,
)
from sfumato.tables.expressions.values import fold
from sfumato.tables.sql.dialect import (
    COMPARISONS,
    DATE_PARTS_ALONE,
    FUNCTIONS,
    kind,
    literal,
    moment,
    only,
    refusal,
    refused_node,
    shortened,
)
from sfumato.tables.sql.functions import SCALARS, TIMES, Make, TranslationRule, part_of, slots
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names

#: Functions that the parser does not know.
_NAMED = ("add_days", "clip", "date_part", "days_until")
#: Functions of the present time.
_CLOCKS = ("get_current_timestamp", "now", "transaction_timestamp")
#: Functions that write a date as text.
_FORMATS = ("date_format", "format_date", "format_datetime", "format_timestamp", "formatdatetime")
#: The types of SQL, as the parser names them.
_TYPES = {
    **dict.fromkeys(["TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT"], "integer"),
    **dict.fromkeys(["FLOAT", "DOUBLE", "DECIMAL"], "number"),
    **dict.fromkeys(["TEXT", "VARCHAR", "CHAR", "NVARCHAR", "NCHAR"], "text"),
    **dict.fromkeys(["TIMESTAMP", "TIMESTAMPNTZ", "DATETIME"], "timestamp"),
    "BOOLEAN": "boolean",
    "DATE": "date",
}
_NUMBERS = {"integer", "number"}
#: How many parts a difference of three numbers has: the numbers, and two minus signs.
_DIFFERENCE = 5
_HISTOGRAM = text(
    "GROUP BY FLOOR(age / 10), with {keys}",
    keys=Declaration("keys", "floor(age / 10)", [*range(11)]),
)


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


def _leaf(make: Callable[[Names, Expr], Expression]) -> TranslationRule:
    """Return the rule of a node without others below it."""
    return TranslationRule(lambda _: (), lambda names, node, _: make(names, node))


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
    found = _TYPES.get("TIMESTAMP" if is_spark_timestamp else name)
    if found == "text" and node.expressions:
        raise refusal(of=mark("a CAST to a text of limited length"), write="LEFT(x, 10)")
    if found is None:
        raise refusal(
            of=mark("a CAST to this type"),
            write=mark("BIGINT, DOUBLE, VARCHAR, BOOLEAN, DATE or TIMESTAMP"),
        )
    return found


def _named_parts(node: Expr) -> Sequence[Expr]:
    """Return the arguments of a function that the parser does not know, if we do."""
    name, arguments = only(node, "this", "expressions")
    word = str(name).lower()
    if word in _CLOCKS:
        raise refusal(of=mark("the present time"), write=mark("a date as DATE '2024-01-31'"))
    if word in _FORMATS:
        raise refusal(of=mark("a date written as text"), write=DATE_PARTS_ALONE)
    if word == "histogram":
        raise refusal(of="HISTOGRAM", write=_HISTOGRAM)
    if word not in _NAMED:
        raise UnknownNameError(kind="function", name=shortened(str(name)), known=FUNCTIONS)
    return arguments or ()


def _named(_: Names, node: Expr, below: list[Expression]) -> Expression:
    name = str(node.this).lower()
    if name != "date_part":
        return FunctionCall(name, tuple(below))
    if len(below) != 2 or not isinstance(below[0], Literal):
        raise refusal(of=mark("DATE_PART without a part and a date"), write="DATE_PART('year', x)")
    return part_of(str(below[0].value), below[1])


def _comparing(function: str) -> Make:
    """Return what makes a comparison, in which a text beside a date is read as one."""

    def make(names: Names, node: Expr, below: list[Expression]) -> Expression:  # noqa: ARG001
        return FunctionCall(function, tuple(_dated(below, names)))

    return make


def _dated(values: Sequence[Expression], names: Names) -> Sequence[Expression]:
    _check_quoted(values, names)
    if not any(_is_text(each) for each in values):
        return values
    others = {type_of(each, names.schema) for each in values if not _is_text(each)}
    wanted = next((each for each in ("timestamp", "date") if each in others), None)
    if wanted is None:
        return values
    return [
        moment(str(each.value), wanted) if isinstance(each, Literal) and _is_text(each) else each
        for each in values
    ]


def _check_quoted(values: Sequence[Expression], names: Names) -> None:
    """Refuse a date without quotes, which is a difference of numbers, beside texts and dates."""
    written = next((found for each in values if (found := _bare_date(each))), None)
    if written is None or all(type_of(each, names.schema) in _NUMBERS for each in values):
        return
    raise InputError(
        "E-SQL-SYNTAX",
        "{written} without quotes is a difference of three numbers",
        "write DATE '{written}'",
        written=written,
    )


def _bare_date(value: Expression) -> str | None:
    """Return the date that three numbers with minus signs between them look like."""
    written = str(value) if value.size == _DIFFERENCE else ""
    found = re.fullmatch(r"\(([0-9]{4}) - ([0-9]{1,2})\) - ([0-9]{1,2})", written)
    try:
        return found and dt.date(*map(int, found.groups())).isoformat()
    except ValueError:
        return None


def _is_text(value: Expression) -> bool:
    return isinstance(value, Literal) and isinstance(value.value, str)


def _is_in(names: Names, node: Expr, below: list[Expression]) -> Expression:
    if len(below) == 1 or any(isinstance(each, Literal) and each.value is None for each in below):
        raise refusal(
            of=mark("IN with NULL or without values"),
            write=mark("IN ('a', 'b'), and IS NULL for the rest"),
        )
    return _comparing("is_in")(names, node, below)


def _like(_: Names, node: Expr, below: list[Expression]) -> Expression:
    found = FunctionCall("like", tuple(below))
    return FunctionCall("not", (found,)) if node.args.get("negate") else found


def _not(_: Names, __: Expr, below: list[Expression]) -> Expression:
    (inner,) = below
    if isinstance(inner, FunctionCall) and inner.function == "is_null":
        return FunctionCall("is_not_null", inner.arguments)
    return FunctionCall("not", (inner,))


def _null_test(node: Expr) -> Sequence[Expr]:
    this, other, _ = only(node, "this", "expression", "negate")
    if kind(other) != "Null":
        raise refusal(
            of=mark("IS with anything but NULL"), write=mark("x IS NULL, or the condition itself")
        )
    return [this]


def _is_null(_: Names, node: Expr, below: list[Expression]) -> Expression:
    return FunctionCall("is_not_null" if node.args.get("negate") else "is_null", tuple(below))


def _case_parts(node: Expr) -> Sequence[Expr]:
    this, branches, default = only(node, "this", "ifs", "default")
    found = [] if this is None else [this]
    for each in branches:
        found += only(each, "this", "true")
    return found if default is None else [*found, default]


def _case(names: Names, node: Expr, below: list[Expression]) -> Expression:
    start = 0 if node.args.get("this") is None else 1
    count = len(node.args["ifs"])
    pairs = [(below[i], below[i + 1]) for i in range(start, start + 2 * count, 2)]
    if start:
        equal = _comparing("equal")
        pairs = [(equal(names, node, [below[0], value]), then) for value, then in pairs]
    otherwise = below[-1] if len(below) > start + 2 * count else Literal(None)
    return Case(tuple(pairs), otherwise)


def _choice(_: Names, __: Expr, below: list[Expression]) -> Expression:
    condition, value, *otherwise = below
    return Case(((condition, value),), *otherwise)


def _null_if(names: Names, node: Expr, below: list[Expression]) -> Expression:
    same = _comparing("equal")(names, node, below)
    return Case(((same, Literal(None)),), below[0])


_TWO = slots("this", "expression")
#: What each kind of node becomes.
_RULES: dict[str, TranslationRule] = {
    **SCALARS,
    **TIMES,
    **{name: TranslationRule(_TWO, _comparing(function)) for name, function in COMPARISONS.items()},
    "Between": TranslationRule(slots("this", "low", "high"), _comparing("between")),
    "In": TranslationRule(slots("this", optional=["expressions"]), _is_in),
    "Like": TranslationRule(slots("this", "expression", flags=["negate"]), _like),
    "Is": TranslationRule(_null_test, _is_null),
    "Not": TranslationRule(slots("this"), _not),
    "Case": TranslationRule(_case_parts, _case),
    "If": TranslationRule(slots("this", "true", optional=["false"]), _choice),
    "Nullif": TranslationRule(_TWO, _null_if),
    "Paren": TranslationRule(slots("this"), lambda _, __, below: below[0]),
    "Column": _leaf(lambda names, node: Column(names.column(node))),
    "Literal": _leaf(lambda _, node: Literal(literal(node))),
    "Boolean": _leaf(lambda _, node: Literal(bool(node.this))),
    "Null": _leaf(lambda *_: Literal(None)),
    "Cast": TranslationRule(slots("this", flags=["to"]), _cast),
    "TryCast": TranslationRule(slots("this", flags=["to", "safe"]), _cast),
    "Date": TranslationRule(slots("this"), lambda _, __, below: Cast(below[0], "date")),
    "Anonymous": TranslationRule(_named_parts, _named),
}
