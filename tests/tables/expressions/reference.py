"""The language again, in plain Python over one row: slow, simple, and written on its own."""

from __future__ import annotations

import datetime as dt
import math
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from sfumato.tables.expressions import (
    Case,
    Cast,
    Column,
    Expression,
    FunctionCall,
    Literal,
    type_of,
)
from tests.tables.expressions.reference_casts import BLANKS, cast, finite, midnight, to_integer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def evaluate(expression: Expression, row: Mapping[str, Any], schema: Mapping[str, str]) -> Any:
    """The value of an expression on one row, by recursion."""
    if isinstance(expression, Column):
        return row[expression.name]
    if isinstance(expression, Literal):
        return expression.value
    kind = type_of(expression, schema)
    if isinstance(expression, Case):
        return widened(chosen(expression, row, schema), kind)
    values = [evaluate(each, row, schema) for each in expression.parts]
    if isinstance(expression, Cast):
        start = type_of(expression.argument, schema)
        return None if values[0] is None else cast(values[0], start, kind)
    assert isinstance(expression, FunctionCall)
    types = [type_of(each, schema) for each in expression.parts]
    return widened(called(expression.function, aligned(values, types)), kind)


def chosen(case: Case, row: Mapping[str, Any], schema: Mapping[str, str]) -> Any:
    for condition, value in case.branches:
        if evaluate(condition, row, schema) is True:
            return evaluate(value, row, schema)
    return evaluate(case.otherwise, row, schema)


def widened(value: Any, kind: str) -> Any:
    if kind == "number" and isinstance(value, int):
        return float(value)
    if kind == "timestamp" and value is not None and not isinstance(value, dt.datetime):
        return midnight(value)
    return value


def aligned(values: list[Any], types: list[str]) -> list[Any]:
    """Integers beside numbers are doubles, dates beside timestamps are midnights."""
    if "number" in types:
        return [widened(each, "number") if type(each) is int else each for each in values]
    if "timestamp" in types:
        dated = [each for each in values if isinstance(each, dt.date)]
        return [midnight(each) if each in dated else each for each in values]
    return values


def called(function: str, values: list[Any]) -> Any:
    if function in SPECIAL:
        return SPECIAL[function](*values)
    return None if any(each is None for each in values) else PLAIN[function](*values)


def kleene_and(a: Any, b: Any) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def negated(a: Any) -> bool | None:
    return None if a is None else not a


def kleene_or(a: Any, b: Any) -> bool | None:
    return negated(kleene_and(negated(a), negated(b)))


def compared(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool | None]:
    def run(a: Any, b: Any) -> bool | None:
        return None if a is None or b is None else test(bytes_of(a), bytes_of(b))

    return run


def bytes_of(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


at_least = compared(lambda a, b: a >= b)
at_most = compared(lambda a, b: a <= b)
same = compared(lambda a, b: a == b)


def is_in(value: Any, *others: Any) -> bool | None:
    found: bool | None = False
    for each in others:
        found = kleene_or(found, same(value, each))
    return found


def known(values: tuple[Any, ...]) -> list[Any]:
    return [each for each in values if each is not None]


def clip(value: Any, lower: Any, upper: Any) -> Any:
    if value is None:
        return None
    raised = max(known((value, lower)), key=bytes_of)
    return min(known((raised, upper)), key=bytes_of)


SPECIAL: dict[str, Callable[..., Any]] = {
    "and": kleene_and,
    "or": kleene_or,
    "not": negated,
    "is_null": lambda a: a is None,
    "is_not_null": lambda a: a is not None,
    "is_in": is_in,
    "between": lambda a, low, high: kleene_and(at_least(a, low), at_most(a, high)),
    "coalesce": lambda *values: next(iter(known(values)), None),
    "least": lambda *values: min(known(values), key=bytes_of, default=None),
    "greatest": lambda *values: max(known(values), key=bytes_of, default=None),
    "clip": clip,
}


def attempt(function: Callable[..., float], *values: float) -> float | None:
    """A function of finite numbers, null where it has no finite value."""
    if not all(math.isfinite(each) for each in values):
        return None
    try:
        return finite(function(*(float(each) for each in values)))
    except (ValueError, OverflowError, ZeroDivisionError):
        return None


def half_away(value: float) -> int:
    return int(Decimal(value).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def rounded(value: Any, digits: int = 0) -> Any:
    if isinstance(value, int):
        return value
    if digits == 0:
        return to_integer(value, half_away)
    scaled = value * 10.0**digits
    return finite(half_away(scaled) / 10.0**digits if abs(scaled) < 2**52 else value)


def summed(a: Any, b: Any) -> Any:
    return a + b if isinstance(a, str) else attempt(lambda x, y: x + y, a, b)


def sign(value: Any) -> Any:
    return type(value)((value > 0) - (value < 0))


def like(text: str, pattern: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "%":
        return any(like(text[place:], pattern[1:]) for place in range(len(text) + 1))
    escaped = pattern[0] == "\\" and pattern[1:2] in {"%", "_", "\\"}
    wanted, rest = (pattern[1], pattern[2:]) if escaped else (pattern[0], pattern[1:])
    any_one = pattern[0] == "_"
    return bool(text) and (any_one or text[0] == wanted) and like(text[1:], rest)


def cut(value: Any, unit: str) -> Any:
    if unit in {"hour", "minute", "second"}:
        kept = ["hour", "minute", "second"][: ["hour", "minute", "second"].index(unit) + 1]
        value = midnight(value)
        return midnight(value.date()).replace(**{each: getattr(value, each) for each in kept})
    day = value.date() if isinstance(value, dt.datetime) else value
    first = {
        "year": day.replace(month=1, day=1),
        "quarter": day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1),
        "month": day.replace(day=1),
        "week": dt.date.fromordinal(day.toordinal() - day.weekday()),
        "day": day,
    }[unit]
    return midnight(first) if isinstance(value, dt.datetime) else first


def later(value: Any, days: int) -> Any:
    try:
        return value + dt.timedelta(days=days)
    except OverflowError:
        return None


PLAIN: dict[str, Callable[..., Any]] = {
    "add": summed,
    "subtract": lambda a, b: attempt(lambda x, y: x - y, a, b),
    "multiply": lambda a, b: attempt(lambda x, y: x * y, a, b),
    "divide": lambda a, b: attempt(lambda x, y: x / y, a, b),
    "modulo": lambda a, b: attempt(math.fmod, a, b),
    "power": lambda a, b: attempt(math.pow, a, b),
    "floor_divide": lambda a, b: to_integer(attempt(lambda x, y: x / y, a, b), math.floor),
    "negative": lambda a: None if a == -(2**63) and isinstance(a, int) else -a,
    "abs": lambda a: None if a == -(2**63) and isinstance(a, int) else abs(a),
    "sign": sign,
    "round": rounded,
    "floor": lambda a: a if isinstance(a, int) else to_integer(a, math.floor),
    "ceil": lambda a: a if isinstance(a, int) else to_integer(a, math.ceil),
    "sqrt": lambda a: attempt(math.sqrt, a),
    "ln": lambda a: attempt(math.log, a),
    "log10": lambda a: attempt(math.log10, a),
    "exp": lambda a: attempt(math.exp, a),
    "equal": same,
    "not_equal": compared(lambda a, b: a != b),
    "less": compared(lambda a, b: a < b),
    "less_equal": at_most,
    "greater": compared(lambda a, b: a > b),
    "greater_equal": at_least,
    "lower": str.lower,
    "upper": str.upper,
    "strip": lambda a: a.strip(BLANKS),
    "length": len,
    "substring": lambda a, start, length: a[start - 1 : start - 1 + length],
    "left": lambda a, n: a[:n],
    "right": lambda a, n: a[max(len(a) - n, 0) :],
    "starts_with": str.startswith,
    "ends_with": str.endswith,
    "contains": lambda a, b: b in a,
    "like": like,
    "replace": lambda a, old, new: a.replace(old, new) if old else a,
    "year": lambda a: a.year,
    "quarter": lambda a: (a.month + 2) // 3,
    "month": lambda a: a.month,
    "day": lambda a: a.day,
    "weekday": lambda a: a.isoweekday(),
    "day_of_year": lambda a: a.timetuple().tm_yday,
    "hour": lambda a: midnight(a).hour,
    "minute": lambda a: midnight(a).minute,
    "second": lambda a: midnight(a).second,
    "date_trunc": cut,
    "days_until": lambda a, b: b.toordinal() - a.toordinal(),
    "add_days": later,
}
