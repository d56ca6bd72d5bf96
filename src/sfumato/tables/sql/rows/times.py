"""Dates, timestamps, days between them, and sums that may be of days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.tables.expressions import Cast, Expression, FunctionCall, Literal, type_of
from sfumato.tables.sql.functions import DATE_PARTS
from sfumato.tables.sql.refusals import SUNDAY_FIRST, WEEKDAY, refusal, shortened
from sfumato.tables.sql.rows.rule import Make, TranslationRule, slots
from sfumato.tables.sql.shapes import kind, only
from sfumato.tables.sql.values import literal, number
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names

_DATED = {"date", "timestamp"}
_DAYS = {"day", "days"}
_SUNDAY_FIRST = {"dow", "dayofweek", "weekday"}
#: Units as Spark's TRUNC abbreviates them.
_UNIT_WORDS = {"mm": "month", "mon": "month", "yy": "year", "yyyy": "year"}
#: What is the same of a timestamp and of its day.
_OF_DAYS = {"DateDiff", "Year", "Quarter", "Month", "Day", "DayOfMonth", "DayOfYear"}


def part_of(unit: str, value: Expression) -> Expression:
    """Return a part of a date, such as the year."""
    function = DATE_PARTS.get(unit.lower())
    if unit.lower() in _SUNDAY_FIRST:
        raise refusal(of=SUNDAY_FIRST, write=WEEKDAY)
    if function is None:
        raise refusal(
            of=tr("the part {unit!r} of a date", unit=shortened(unit)),
            write=tr("one of {date_parts}", date_parts=", ".join(DATE_PARTS).upper()),
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
    if unit is not None and names.dialect == "spark" and not _are_dates(names, below):
        raise refusal(of=mark("DATEDIFF(DAY, ...) of timestamps"), write="DATEDIFF(y, x)")
    return FunctionCall("days_until", (earlier, later))


def _are_dates(names: Names, values: Sequence[Expression]) -> bool:
    return all(type_of(each, names.schema) == "date" for each in values)


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
    if len(below) == 1:
        return FunctionCall(
            "add_days", (_day(names, below[0]), Literal(_interval_days(node.expression)))
        )
    days = _opposite(below[1]) if _is_taken_away(node.expression) else below[1]
    return FunctionCall("add_days", (_day(names, below[0]), days))


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
        return FunctionCall("add_days", (left, right if sign > 0 else _opposite(right)))
    return None


def _opposite(value: Expression) -> Expression:
    if isinstance(value, Literal) and isinstance(value.value, int):
        return Literal(-value.value)
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
