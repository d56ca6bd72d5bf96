"""The names that expressions are built from: the types and the functions."""

from __future__ import annotations

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

_LOGIC = ("not", "is_null", "is_not_null", "is_in", "between", "coalesce", "least", "greatest")
_NUMBERS = ("negative", "abs", "sign", "clip", "round", "floor", "ceil")
_CURVES = ("sqrt", "ln", "exp", "log10")
_TEXTS = ("lower", "upper", "strip", "length", "substring", "starts_with", "ends_with")
_PIECES = ("contains", "replace", "left", "right")
_DAYS = ("year", "quarter", "month", "day", "weekday", "day_of_year")
_CLOCK = ("hour", "minute", "second")
_CALENDAR = ("date_trunc", "days_until", "add_days")

FUNCTION_NAMES = (
    *(*OPERATORS, *_LOGIC, *_NUMBERS, *_CURVES),
    *(*_TEXTS, *_PIECES, *_DAYS, *_CLOCK, *_CALENDAR),
)

#: What a date or a timestamp can be cut down to; the last three for timestamps only.
UNITS = ("year", "quarter", "month", "week", "day", "hour", "minute", "second")
