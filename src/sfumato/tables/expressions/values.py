"""The values that a query may write down: checked, and made plain Python."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.refusal import Either, text
from sfumato.translation import mark

Value = None | bool | int | float | str | dt.date | dt.datetime

_NONE = Either("None", "NULL")
_ALLOWED = mark("write None, True, False, a number, a text, a date or a datetime")
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "text", dt.datetime: "timestamp"}


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
