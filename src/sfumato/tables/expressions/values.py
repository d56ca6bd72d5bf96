"""The words of the language: its types and functions, the values and names that a query may write.

What is written is checked and made plain Python, and an expression is written out again as text.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from decimal import Decimal
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sfumato.errors import InputError
from sfumato.refusal import Either, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


N = TypeVar("N")
R = TypeVar("R")
Value = None | bool | int | float | str | dt.date | dt.datetime

_NONE = Either("None", "NULL")
_ALLOWED = mark("write None, True, False, a number, a text, a date or a datetime")
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "text", dt.datetime: "timestamp"}

TYPES = ("integer", "number", "text", "boolean", "date", "timestamp")

#: Functions that are written between their two arguments.
OPERATORS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "floor_divide": "//",
    "modulo": "%",
    "power": "**",
    "equal": "=",
    "not_equal": "<>",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "and": "AND",
    "or": "OR",
    "like": "LIKE",
}

FUNCTION_NAMES = (
    *OPERATORS,
    *("not", "is_null", "is_not_null", "is_in", "between", "coalesce", "least", "greatest"),
    *("negative", "abs", "sign", "clip", "round", "floor", "ceil", "sqrt", "ln", "exp", "log10"),
    *("lower", "upper", "strip", "length", "substring", "starts_with", "ends_with"),
    *("contains", "replace", "left", "right"),
    *("year", "quarter", "month", "day", "weekday", "day_of_year", "hour", "minute", "second"),
    *("date_trunc", "days_until", "add_days"),
)

#: What a date or a timestamp can be cut down to; the last three for timestamps only.
UNITS = ("year", "quarter", "month", "week", "day", "hour", "minute", "second")

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS = {"and", "as", "between", "case", "cast", "date", "else", "end", "false", "in", "is"} | {
    *("like", "not", "null", "or", "then", "timestamp", "true", "when")
}
_SHAPES = {
    "not": "NOT {0}",
    "negative": "-{0}",
    "is_null": "{0} IS NULL",
    "is_not_null": "{0} IS NOT NULL",
    "between": "{0} BETWEEN {1} AND {2}",
}


def plain_value(value: Any) -> Value:
    """Return a value as plain Python, or say in one sentence why a query cannot hold it."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _check_text(value, mark("a text"))
    if isinstance(value, Integral):
        return _plain_integer(int(value))
    if isinstance(value, (Real, Decimal)):
        return _plain_number(value)
    return _plain_time(value)


def plain_name(given: Any) -> str:
    """Return the name of a column, refused if it cannot be one."""
    if not isinstance(given, str) or not given:
        empty, other = mark("an empty text"), text("a {kind}", kind=type(given).__name__)
        raise InputError(
            "E-COLUMN-NAME",
            "a column's name was given as {shown}",
            "write its name as text",
            shown=empty if isinstance(given, str) else other,
        )
    return _check_text(given, mark("a column's name"))


def value_type(value: Value) -> str:
    """Return the type of a plain value: one of the six, or "null"."""
    if value is None:
        return "null"
    return _TYPES.get(type(value), "date")


def _check_text(given: str, what: str) -> str:
    """Return a text, refused if no engine could hold it."""
    if "\0" in given or any("\ud800" <= each <= "\udfff" for each in given):
        raise InputError(
            "E-TEXT-FORM",
            "{what} in a query has a character that no table can hold",
            "write valid Unicode",
            what=what,
        )
    return str(given)


def _plain_integer(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        if value.bit_length() < 1000:
            raise InputError(
                "E-NUMBER-FORM",
                "a query was given a whole number of {digits} digits, which has no room in 64 bits",
                "write it {float}",
                float=Either(
                    mark("as a float"), mark("with a decimal point or an exponent, as in 1e20")
                ),
                digits=len(str(abs(value))),
            )
        raise InputError(
            "E-NUMBER-FORM",
            "a query was given a whole number that has no room in 64 bits",
            "write a smaller one",
        )
    return value


def _plain_number(value: Any) -> float:
    try:
        number = float(value)
    except (OverflowError, ValueError):
        number = math.inf
    if not math.isfinite(number):
        raise InputError(
            "E-NUMBER-NOT-FINITE",
            "a query was given the number {number}, which is not finite",
            "write another, or {none}",
            none=_NONE,
            number=number,
        )
    return number


def _plain_time(value: Any) -> dt.date | dt.datetime:
    if not isinstance(value, dt.date):
        raise InputError(
            "E-EXPRESSION-TYPE",
            "a query cannot hold a {kind}",
            "{allowed}",
            kind=type(value).__name__,
            allowed=_ALLOWED,
        )
    if not isinstance(value, dt.datetime):
        return dt.date(value.year, value.month, value.day)
    if value.tzinfo is not None:
        raise InputError(
            "E-MOMENT-FORM",
            "a query was given a datetime with a time zone",
            "write it in UTC without one",
        )
    try:
        return dt.datetime.fromisoformat(value.isoformat())
    except ValueError:
        raise InputError(
            "E-MOMENT-FORM",
            "a query was given {value}, which is no moment in time",
            "write a datetime, or None",
            value=value,
        ) from None


def written_name(name: str) -> str:
    """Return a column's name, in quotes where it is not a plain word."""
    if _PLAIN_NAME.fullmatch(name) and name.lower() not in _WORDS:
        return name
    return '"' + _printable(name).replace('"', '""') + '"'


def written_value(value: Any) -> str:
    """Return a value of the query."""
    if isinstance(value, str):
        return "'" + _printable(value).replace("'", "''") + "'"
    if isinstance(value, dt.datetime):
        return f"TIMESTAMP '{value.isoformat(' ')}'"
    if isinstance(value, dt.date):
        return f"DATE '{value.isoformat()}'"
    if value is None or isinstance(value, bool):
        return {None: "NULL", True: "TRUE", False: "FALSE"}[value]
    return repr(value)


def _printable(text: str) -> str:
    """Return a text on one line, what cannot be printed as its code; no two texts alike."""
    told_apart = text.replace("\\u{", "\\u{5c}u{")
    return "".join(each if each.isprintable() else f"\\u{{{ord(each):x}}}" for each in told_apart)


def written_case(below: list[str]) -> str:
    """Return a case from its conditions and values, and its value otherwise."""
    pairs = zip(below[0:-1:2], below[1:-1:2], strict=True)
    branches = " ".join(f"WHEN {condition} THEN {value}" for condition, value in pairs)
    return f"CASE {branches} ELSE {below[-1]} END"


def written_call(node: Any, below: list[str]) -> str:
    """Return a call from its arguments, each in brackets where it is an operation itself."""
    shape = _shape(node)
    if shape is None:
        return f"{node.function}({', '.join(below)})"
    pairs = zip(node.parts, below, strict=True)
    return shape.format(*(f"({text})" if _shape(part) else text for part, text in pairs))


def _shape(node: Any) -> str | None:
    """Return how a call is written if not as a function, with a place for each argument."""
    function, count = getattr(node, "function", ""), len(node.parts)
    shape = _SHAPES.get(function)
    if function in OPERATORS:
        shape = f"{{0}} {OPERATORS[function]} {{1}}"
    if function == "is_in":
        shape = f"{{0}} IN ({', '.join(f'{{{place}}}' for place in range(1, count))})"
    return shape if shape is not None and shape.count("{") == count else None


def fold(root: N, parts: Callable[[N], Sequence[N]], step: Callable[[N, list[R]], R]) -> R:
    """Return ``step`` of the root and of what ``step`` gave for its parts, and so on down."""
    waiting: list[tuple[N, Sequence[N]]] = [(root, parts(root))]
    found: list[list[R]] = [[], []]
    while waiting:
        node, below = waiting[-1]
        done = found[-1]
        if len(done) < len(below):
            part = below[len(done)]
            waiting.append((part, parts(part)))
            found.append([])
        else:
            waiting.pop()
            found.pop()
            found[-1].append(step(node, done))
    return found[0][0]
