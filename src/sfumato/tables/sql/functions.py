"""Functions of one row: how each is translated, of numbers, of texts, and of dates."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.tables.expressions import Cast, Expression, FunctionCall, Literal, coalesce, type_of
from sfumato.tables.sql.dialect import (
    SUNDAY_FIRST,
    WEEKDAY,
    kind,
    literal,
    number,
    only,
    refusal,
    shortened,
    spelt,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names

#: Functions of ``this``.
_UNARY = {
    **{each: each.lower() for each in ("Abs", "Ceil", "Day", "Exp", "Floor", "Hour", "Length")},
    **{each: each.lower() for each in ("Ln", "Lower", "Minute", "Month", "Quarter", "Second")},
    **{each: each.lower() for each in ("Sign", "Sqrt", "Upper", "Year")},
    "DayOfMonth": "day",
    "DayOfWeekIso": "weekday",
    "DayOfYear": "day_of_year",
    "Trim": "strip",
}
#: Functions of ``this`` and ``expression``.
_BINARY = {
    **{name: name.lower() for name in ("And", "Contains", "Left", "Or", "Right")},
    "EndsWith": "ends_with",
    "StartsWith": "starts_with",
    "IntDiv": "floor_divide",
    "Mod": "modulo",
    "Mul": "multiply",
    "Pow": "power",
}
#: Functions of ``this`` and any number of ``expressions``.
_SEVERAL = {"Coalesce": "coalesce", "Greatest": "greatest", "Least": "least"}
#: What EXTRACT and DATE_PART take out of a date.
_DATE_PARTS = {
    **{each: each for each in ("year", "quarter", "month", "day")},
    **dict.fromkeys(["isodow", "dayofweek_iso"], "weekday"),
    **dict.fromkeys(["doy", "dayofyear"], "day_of_year"),
    **{each: each for each in ("hour", "minute", "second")},
}
_WHOLE_TEXT = 10**6
_DATED = {"date", "timestamp"}
_DAYS = {"day", "days"}
_SUNDAY_FIRST = {"dow", "dayofweek", "weekday"}
#: Units as Spark's TRUNC abbreviates them.
_UNIT_WORDS = {"mm": "month", "mon": "month", "yy": "year", "yyyy": "year"}
#: What is the same of a timestamp and of its day.
_OF_DAYS = {"DateDiff", "Year", "Quarter", "Month", "Day", "DayOfMonth", "DayOfYear"}
Parts = Callable[[Any], Sequence[Any]]
Make = Callable[["Names", Any, list[Expression]], Expression]


@dataclass(frozen=True)
class TranslationRule:
    """How one kind of node is translated.

    Attributes
    ----------
    parts
        The nodes right below one, in order; whatever else it holds is refused.
    make
        The expression, from what the nodes below became.
    """

    parts: Parts
    make: Make


def slots(*names: str, optional: Sequence[str] = (), flags: Sequence[str] = ()) -> Parts:
    """Return what finds the nodes in some arguments; flags may be given and are not nodes."""

    def parts(node: Expr) -> Sequence[Expr]:
        found = only(node, *names, *optional, *flags)
        if any(each is None for each in found[: len(names)]):
            raise refusal(
                of=tr("{node} with too few arguments", node=spelt(node)),
                write=tr("{node} with all of them", node=spelt(node)),
            )
        return _flat(found[: len(names) + len(optional)])

    return parts


def _flat(found: Sequence[Any]) -> list[Expr]:
    listed = [each if isinstance(each, list) else [each] for each in found if each is not None]
    return [each for several in listed for each in several]


def call(function: str) -> Make:
    """Return what makes a call of a function."""
    return lambda _, __, below: FunctionCall(function, tuple(below))


def calling(functions: dict[str, str], parts: Parts) -> dict[str, TranslationRule]:
    """Return the rules of nodes that are calls of functions, each of the same arguments."""
    return {kind: TranslationRule(parts, call(function)) for kind, function in functions.items()}


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
    if not {type_of(each, names.schema) for each in below} <= {"text", "null"}:
        raise refusal(
            of=mark("|| or CONCAT of other values than texts"), write="CAST(x AS TEXT) || y"
        )
    if node.args.get("coalesce"):
        below = [each if isinstance(each, Literal) else coalesce(each, "") for each in below]
    return functools.reduce(lambda one, other: FunctionCall("add", (one, other)), below)


SCALARS = {
    **calling(_UNARY, slots("this")),
    **calling(_BINARY, slots("this", "expression")),
    **calling(_SEVERAL, slots("this", optional=["expressions"], flags=["ignore_nulls"])),
    "Neg": TranslationRule(slots("this"), lambda _, __, below: _negative(below[0])),
    "Div": TranslationRule(
        lambda node: only(node, "this", "expression", "typed", "safe")[:2], _divided
    ),
    "Round": TranslationRule(slots("this", optional=["decimals"]), _round),
    "Log": TranslationRule(slots("this", optional=["expression"]), _log),
    "Substring": TranslationRule(slots("this", "start", optional=["length"]), _substring),
    "Replace": TranslationRule(slots("this", "expression", "replacement"), call("replace")),
    "Concat": TranslationRule(slots("expressions", flags=["safe", "coalesce"]), _concatenated),
    "DPipe": TranslationRule(slots("this", "expression", flags=["safe"]), _concatenated),
}


def part_of(unit: str, value: Expression) -> Expression:
    """Return a part of a date, such as the year."""
    function = _DATE_PARTS.get(unit.lower())
    if unit.lower() in _SUNDAY_FIRST:
        raise refusal(of=SUNDAY_FIRST, write=WEEKDAY)
    if function is None:
        raise refusal(
            of=tr("the part {unit!r} of a date", unit=shortened(unit)),
            write=tr("one of {date_parts}", date_parts=", ".join(_DATE_PARTS).upper()),
        )
    return FunctionCall(function, (value,))


def _unit(node: Expr | None) -> str:
    if node is None or kind(node) not in {"Var", "Literal"}:
        raise refusal(of=mark("a date function without a unit"), write="DATE_TRUNC('month', x)")
    return str(node.name).lower()


def _extract(_: Names, node: Expr, below: list[Expression]) -> Expression:
    return part_of(_unit(node.this), below[-1])


def _truncated(names: Names, node: Expr, below: list[Expression]) -> Expression:
    unit = _unit(node.args.get("unit"))
    value = _day(names, below[0]) if kind(node) == "DateTrunc" else below[0]
    return FunctionCall("date_trunc", (value, Literal(_UNIT_WORDS.get(unit, unit))))


def _days_between(names: Names, node: Expr, below: list[Expression]) -> Expression:
    """Return the midnights between two dates, unless the dialect counts something else."""
    unit = node.args.get("unit")
    if names.dialect == "postgres":
        raise refusal(
            of=mark("DATEDIFF, which PostgreSQL does not have,"), write="DAYS_UNTIL(x, y)"
        )
    if unit is not None and _unit(unit) not in _DAYS:
        raise refusal(of=mark("a difference of dates in other units than days"), write="days")
    later, earlier = below
    is_dated = all(type_of(each, names.schema) == "date" for each in below)
    if unit is not None and names.dialect == "spark" and not is_dated:
        raise refusal(of=mark("DATEDIFF(DAY, ...) of timestamps"), write="DATEDIFF(y, x)")
    return FunctionCall("days_until", (earlier, later))


def _day(names: Names, value: Expression) -> Expression:
    """Return the date of a value that Spark takes for one."""
    return value if type_of(value, names.schema) == "date" else Cast(value, "date")


def _as_date(names: Names, node: Expr, below: list[Expression]) -> Expression:
    """Return what Spark reads as a date; the parts of a timestamp's day are its own."""
    (value,) = below
    is_dated = type_of(value, names.schema) in _DATED
    return value if is_dated and kind(node.parent) in _OF_DAYS else _day(names, value)


def _shift(node: Expr) -> Sequence[Expr]:
    """Return a date and the days that Spark adds; days taken away come as a product with -1."""
    this, days, unit = only(node, "this", "expression", "unit")
    if _unit(unit) not in _DAYS:
        raise refusal(of=mark("a date moved by other units than days"), write="DATE_ADD(x, 7)")
    if kind(days) == "Interval":
        return [this]
    return [this, days.this if _is_taken_away(days) else days]


def _is_taken_away(days: Expr) -> bool:
    return kind(days) == "Mul" and kind(days.expression) == "Neg"


def _shifted(names: Names, node: Expr, below: list[Expression]) -> Expression:
    value, *added = below
    days = added[0] if added else Literal(_interval_days(node.expression))
    moved = _negative(days) if _is_taken_away(node.expression) else days
    return FunctionCall("add_days", (_day(names, value), moved))


def _without_interval(node: Expr) -> Sequence[Expr]:
    this, other = only(node, "this", "expression")
    return [this] if kind(other) == "Interval" else [this, other]


def _moved(function: str, sign: int) -> Make:
    """Return what makes a sum or a difference, of numbers or of dates and days."""

    def make(names: Names, node: Expr, below: list[Expression]) -> Expression:
        if len(below) == 1:
            days = Literal(sign * _interval_days(node.expression))
            return FunctionCall("add_days", (below[0], days))
        found = _calendar(names, below, sign)
        return FunctionCall(function, tuple(below)) if found is None else found

    return make


def _calendar(names: Names, below: list[Expression], sign: int) -> Expression | None:
    """Return days between dates, or a date some days on; None for anything else."""
    left, right = below
    first, second = (type_of(each, names.schema) for each in below)
    if sign < 0 and first == second == "date":
        return FunctionCall("days_until", (right, left))
    if first in _DATED and second == "integer":
        return FunctionCall("add_days", (left, right if sign > 0 else _negative(right)))
    return None


def _negative(value: Expression) -> Expression:
    if isinstance(value, Literal) and type(value.value) in {int, float}:
        return Literal(-value.value)  # type: ignore[operator]
    return FunctionCall("negative", (value,))


def _interval_days(node: Expr) -> int:
    this, unit = only(node, "this", "unit")
    given = literal(this) if kind(this) == "Literal" else None
    days = number(given) if isinstance(given, str) and given.isdigit() else given
    if _unit(unit) not in _DAYS or not isinstance(days, int):
        raise refusal(
            of=mark("an interval of other units than whole days"), write="x + INTERVAL 7 DAY"
        )
    return days


_ADD, _SUBTRACT = _moved("add", 1), _moved("subtract", -1)


TIMES = {
    "Add": TranslationRule(_without_interval, _ADD),
    "Sub": TranslationRule(_without_interval, _SUBTRACT),
    "DateAdd": TranslationRule(_without_interval, _ADD),
    "DateSub": TranslationRule(_without_interval, _SUBTRACT),
    "Extract": TranslationRule(lambda node: only(node, "expression", "this")[:1], _extract),
    "TimestampTrunc": TranslationRule(slots("this", flags=["unit"]), _truncated),
    "DateTrunc": TranslationRule(slots("this", flags=["unit"]), _truncated),
    "TsOrDsAdd": TranslationRule(_shift, _shifted),
    "TsOrDsToDate": TranslationRule(slots("this", flags=["safe"]), _as_date),
    "DateDiff": TranslationRule(
        slots("this", "expression", flags=["unit", "date_part_boundary"]), _days_between
    ),
}
