"""The functions that take more than a word of the engine to be the same everywhere."""

from __future__ import annotations

import re
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from sfumato.data import doubles
from sfumato.tables.expressions.guards import (
    LONGEST,
    constant,
    dated,
    exactly,
    held,
    short,
    whole,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

_LIKE = {"%": ".*", "_": "."}
_MOST_PIECES = 8
_MOST_DAYS = 3_652_058
_UNIT_LETTERS = {
    "year": "Y",
    "quarter": "Q",
    "month": "M",
    "week": "W",
    "day": "D",
    "hour": "h",
    "minute": "m",
    "second": "s",
}


def floor_divide(dividend: ir.Value, divisor: ir.Value) -> ir.Value:
    """Return the floor of a quotient of doubles."""
    return floor(dividend / divisor)


def floor(value: ir.Value) -> ir.Value:
    """Return the floor of a double as an integer."""
    return doubles.floor(whole(value))


def ceil(value: ir.Value) -> ir.Value:
    """Return the ceiling of a double as an integer."""
    return doubles.ceiling(whole(value))


def rounded(value: ir.Value) -> ir.Value:
    """Return the nearest integer to a double, halves away from zero."""
    return doubles.nearest(whole(value))


def rounded_to(value: ir.Value, digits: int) -> ir.Value:
    """Return a double with so many digits; one too large to have any behind is left alone."""
    import ibis

    step = constant(float(10**digits), "number")
    scaled = value * step
    small = scaled.abs() < constant(2.0**52, "number")
    near = exactly(doubles.nearest(held(small, scaled)), "number") / step
    return ibis.cases((small, near), else_=value)


def negatable(value: ir.Value) -> ir.Value:
    """Return an integer, or null for the one whose negative has no room."""
    return held(value > constant(-(2**63), "integer"), value)


def clip(value: ir.Value, lower: ir.Value, upper: ir.Value) -> ir.Value:
    """Return a value moved to the nearer bound; null stays null."""
    return held(value.notnull(), least([greatest([value, lower]), upper]))


def first(values: Sequence[ir.Value]) -> ir.Value:
    """Return the first value that is not null."""
    import ibis

    return ibis.coalesce(*values)


def least(values: Sequence[ir.Value]) -> ir.Value:
    """Return the least of the values that are not null."""
    import ibis

    return ibis.least(*values)


def greatest(values: Sequence[ir.Value]) -> ir.Value:
    """Return the greatest of the values that are not null."""
    import ibis

    return ibis.greatest(*values)


def is_one_of(value: ir.Value, others: Sequence[Any]) -> ir.Value:
    """Return whether a value equals one of others; of booleans in words that Ibis writes rightly.

    It writes ``x IS NULL IN (...)``, which no engine reads.
    """
    if value.type().is_boolean():
        return reduce(or_, (value == each for each in others))
    return value.isin(others)


def substring(text: ir.Value, start: int, length: int) -> ir.Value:
    """Return a piece of a text; places count from 1."""
    return text.substr(start - 1, length)


def like(text: ir.Value, pattern: str) -> ir.Value:
    """Return whether a text fits a pattern; engines disagree about backslashes, so none is left."""
    if "\\" not in pattern:
        return text.like(pattern)
    pieces = re.findall(r"\\[\\%_]|.", pattern, re.DOTALL)
    wanted = "".join(_LIKE.get(each, re.escape(each[-1])) for each in pieces)
    return text.re_search(f"(?s)^{wanted}$")


def replaced(text: ir.Value, old: str, new: str) -> ir.Value:
    """Return a text with pieces replaced, unless it is long enough to grow out of hand."""
    return short(text).replace(constant(old, "text"), constant(new, "text"))


def weekday(value: ir.Value) -> ir.Value:
    """Return the day of the week, 1 for Monday."""
    return value.day_of_week.index().cast("int64") + 1


def cut_date(value: ir.Value, unit: str) -> ir.Value:
    """Return the first day of a unit of time."""
    return exactly(value.truncate(_UNIT_LETTERS[unit]), "date")


def cut_timestamp(value: ir.Value, unit: str) -> ir.Value:
    """Return the first moment of a unit of time."""
    return exactly(value.truncate(_UNIT_LETTERS[unit]), "timestamp")


def days_until(start: ir.Value, end: ir.Value) -> ir.Value:
    """Return the number of midnights from one date or timestamp to another."""
    return exactly(end, "date").delta(exactly(start, "date"), unit="day").cast("int64")


def later_date(value: ir.Value, days: ir.Value) -> ir.Value:
    """Return a date so many days later."""
    return dated(exactly(_later(value, days), "date"), "date")


def later_timestamp(value: ir.Value, days: ir.Value) -> ir.Value:
    """Return a timestamp so many days later."""
    return dated(_later(value, days), "timestamp")


def _later(value: ir.Value, days: ir.Value) -> ir.Value:
    return value + within(days, -_MOST_DAYS, _MOST_DAYS, "integer").as_interval("D")


def joined(one: ir.StringValue, other: ir.StringValue) -> ir.Value:
    """Return one text after another, with one character too many at least if it is too long.

    It is cut now and then: a cut at each step would nest too deep for whoever writes the query.
    """
    both = _piece(one) + _piece(other)
    return both.right(LONGEST + 1) if _pieces(both) > _MOST_PIECES else both


def _piece(text: ir.Value) -> ir.Value:
    return text if _pieces(text) > 1 else text.right(LONGEST + 1)


def _pieces(text: ir.Value) -> int:
    """Return how many texts one is joined of since it was cut."""
    import ibis.expr.operations as ops

    found = text.op()
    if not isinstance(found, ops.StringConcat):
        return 1
    return sum(_pieces(each.to_expr()) for each in found.arg)
