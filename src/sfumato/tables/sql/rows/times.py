"""Dates, timestamps, days between them, and sums that may be of days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.tables.expressions import Call, Expression, Literal, type_of
from sfumato.tables.sql.functions import DATE_PARTS
from sfumato.tables.sql.refusals import refusal, shortened
from sfumato.tables.sql.rows.rule import Make, Rule, slots
from sfumato.tables.sql.shapes import kind, only
from sfumato.tables.sql.values import literal, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names

__all__ = ["TIMES", "part_of"]

_DATED = {"date", "timestamp"}
_DAYS = {"day", "days"}


def part_of(unit: str, value: Expression) -> Expression:
    """Return a part of a date, such as the year.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.tables.sql.rows.times import part_of
    >>> part_of("ISODOW", sf.col("born"))
    weekday(born)
    """
    function = DATE_PARTS.get(unit.lower())
    if function is None:
        raise refusal(
            of=f"the part {shortened(unit)!r} of a date",
            write=f"one of {', '.join(DATE_PARTS).upper()}",
        )
    return Call(function, (value,))


def _unit(node: Expr | None) -> str:
    if node is None or kind(node) not in {"Var", "Literal"}:
        raise refusal(of="a date function without a unit", write="DATE_TRUNC('month', x)")
    return str(node.name).lower()


def _extract(_: Names, node: Expr, below: list[Expression]) -> Expression:
    return part_of(_unit(node.this), below[-1])


def _truncated(_: Names, node: Expr, below: list[Expression]) -> Expression:
    return Call("date_trunc", (below[0], Literal(_unit(node.args.get("unit")))))


def _days_between(_: Names, node: Expr, below: list[Expression]) -> Expression:
    if _unit(node.args.get("unit")) not in _DAYS:
        raise refusal(
            of="a difference of dates in other units than days", write="DATEDIFF('day', x, y)"
        )
    later, earlier = below
    return Call("days_until", (earlier, later))


def _without_interval(node: Expr) -> Sequence[Expr]:
    this, other = only(node, "this", "expression")
    return [this] if kind(other) == "Interval" else [this, other]


def _moved(function: str, sign: int) -> Make:
    """Return what makes a sum or a difference, of numbers or of dates and days."""

    def make(names: Names, node: Expr, below: list[Expression]) -> Expression:
        if len(below) == 1:
            days = Literal(sign * _interval_days(node.expression))
            return Call("add_days", (below[0], days))
        found = _calendar(names, below, sign)
        return Call(function, tuple(below)) if found is None else found

    return make


def _calendar(names: Names, below: list[Expression], sign: int) -> Expression | None:
    """Return days between dates, or a date some days on; None for anything else."""
    left, right = below
    first, second = (type_of(each, names.schema) for each in below)
    if sign < 0 and first == second == "date":
        return Call("days_until", (right, left))
    if first in _DATED and second == "integer":
        return Call("add_days", (left, right if sign > 0 else _opposite(right)))
    return None


def _opposite(value: Expression) -> Expression:
    if isinstance(value, Literal) and isinstance(value.value, int):
        return Literal(-value.value)
    return Call("negative", (value,))


def _interval_days(node: Expr) -> int:
    this, unit = only(node, "this", "unit")
    given = literal(this) if kind(this) == "Literal" else None
    days = number(given) if isinstance(given, str) and given.isdigit() else given
    if _unit(unit) not in _DAYS or not isinstance(days, int):
        raise refusal(of="an interval of other units than whole days", write="x + INTERVAL 7 DAY")
    return days


_ADD, _SUBTRACT = _moved("add", 1), _moved("subtract", -1)

TIMES = {
    "Add": Rule(_without_interval, _ADD),
    "Sub": Rule(_without_interval, _SUBTRACT),
    "DateAdd": Rule(_without_interval, _ADD),
    "DateSub": Rule(_without_interval, _SUBTRACT),
    "Extract": Rule(lambda node: only(node, "expression", "this")[:1], _extract),
    "TimestampTrunc": Rule(slots("this", flags=["unit"]), _truncated),
    "DateTrunc": Rule(slots("this", flags=["unit"]), _truncated),
    "DateDiff": Rule(
        slots("this", "expression", flags=["unit", "date_part_boundary"]), _days_between
    ),
}
