"""Numbers and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.tables.expressions import Cast, Expression, FunctionCall, Literal, coalesce, type_of
from sfumato.tables.sql.functions import BINARY, SEVERAL, UNARY
from sfumato.tables.sql.refusals import refusal
from sfumato.tables.sql.rows.rule import TranslationRule, call, calling, slots
from sfumato.tables.sql.shapes import only
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names

_WHOLE_TEXT = 10**6


def _negative(_: Names, __: Expr, below: list[Expression]) -> Expression:
    (value,) = below
    if isinstance(value, Literal) and type(value.value) in {int, float}:
        return Literal(-value.value)  # type: ignore[operator]
    return FunctionCall("negative", (value,))


def _divided(names: Names, node: Expr, below: list[Expression]) -> Expression:
    """Return a quotient, of whole numbers a whole one where the dialect says so."""
    found = FunctionCall("divide", tuple(below))
    is_whole = all(type_of(each, names.schema) == "integer" for each in below)
    return Cast(found, "integer") if node.args.get("typed") and is_whole else found


def _round(_: Names, __: Expr, below: list[Expression]) -> Expression:
    value, *digits = below
    to_whole = all(isinstance(each, Literal) and each.value == 0 for each in digits)
    return FunctionCall("round", (value,) if to_whole else (value, *digits))


def _log(_: Names, __: Expr, below: list[Expression]) -> Expression:
    base, *value = below
    if not value or not isinstance(base, Literal) or base.value != 10:
        raise refusal(
            of=mark("LOG of a base that is not said to be 10"), write=mark("LN(x) or LOG10(x)")
        )
    return FunctionCall("log10", tuple(value))


def _substring(_: Names, __: Expr, below: list[Expression]) -> Expression:
    value, *places = below
    length = [] if len(places) > 1 else [Literal(_WHOLE_TEXT)]
    return FunctionCall("substring", (value, *places, *length))


def _concatenated(names: Names, node: Expr, below: list[Expression]) -> Expression:
    """Return texts joined into one; in some dialects a null counts as the empty text."""
    _check_texts(names, below)
    first, *others = [_text(each) for each in below] if node.args.get("coalesce") else below
    for each in others:
        first = FunctionCall("add", (first, each))
    return first


def _text(value: Expression) -> Expression:
    return value if isinstance(value, Literal) else coalesce(value, "")


def _joined(names: Names, _: Expr, below: list[Expression]) -> Expression:
    _check_texts(names, below)
    return FunctionCall("add", tuple(below))


def _check_texts(names: Names, values: Sequence[Expression]) -> None:
    if not {type_of(each, names.schema) for each in values} <= {"text", "null"}:
        raise refusal(
            of=mark("|| or CONCAT of other values than texts"), write="CAST(x AS TEXT) || y"
        )


SCALARS = {
    **calling(UNARY, slots("this")),
    **calling(BINARY, slots("this", "expression")),
    **calling(SEVERAL, slots("this", optional=["expressions"], flags=["ignore_nulls"])),
    "Neg": TranslationRule(slots("this"), _negative),
    "Div": TranslationRule(
        lambda node: only(node, "this", "expression", "typed", "safe")[:2], _divided
    ),
    "Round": TranslationRule(slots("this", optional=["decimals"]), _round),
    "Log": TranslationRule(slots("this", optional=["expression"]), _log),
    "Substring": TranslationRule(slots("this", "start", optional=["length"]), _substring),
    "Replace": TranslationRule(slots("this", "expression", "replacement"), call("replace")),
    "Concat": TranslationRule(slots("expressions", flags=["safe", "coalesce"]), _concatenated),
    "DPipe": TranslationRule(slots("this", "expression", flags=["safe"]), _joined),
}
