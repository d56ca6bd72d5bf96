"""Comparisons, conditions and choices."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.expressions import Case, Expression, FunctionCall, Literal, type_of
from sfumato.tables.sql.functions import COMPARISONS
from sfumato.tables.sql.refusals import refusal
from sfumato.tables.sql.rows.rule import Make, TranslationRule, slots
from sfumato.tables.sql.shapes import kind, only
from sfumato.tables.sql.values import moment
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names

_NUMBERS = {"integer", "number"}
#: How many parts a difference of three numbers has: the numbers, and two minus signs.
_DIFFERENCE = 5


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

LOGIC = {
    **{name: TranslationRule(_TWO, _comparing(function)) for name, function in COMPARISONS.items()},
    "Between": TranslationRule(slots("this", "low", "high"), _comparing("between")),
    "In": TranslationRule(slots("this", optional=["expressions"]), _is_in),
    "Like": TranslationRule(slots("this", "expression", flags=["negate"]), _like),
    "Is": TranslationRule(_null_test, _is_null),
    "Not": TranslationRule(slots("this"), _not),
    "Case": TranslationRule(_case_parts, _case),
    "If": TranslationRule(slots("this", "true", optional=["false"]), _choice),
    "Nullif": TranslationRule(_TWO, _null_if),
}
