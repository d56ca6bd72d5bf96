"""Values that are declared: which type one has, and one value read as a type."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sfumato.data.policy.render import refusal, shown
from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Given, all_of, text
from sfumato.translation import mark

if TYPE_CHECKING:
    import ibis.expr.datatypes as dt


#: A declared value of a column, in the Python type of its kind.
Value = str | bool | int | float | date

#: The types that a column can have.
TYPES = ("integer", "number", "text", "boolean", "date", "timestamp")

Day = TypeVar("Day", date, datetime)

_OF_TYPE = {
    "boolean": mark("a boolean"),
    "integer": mark("an integer of 64 bits"),
    "number": mark("a number that is finite"),
    "text": mark("text in UTF-8"),
    "date": mark("a date"),
    "timestamp": mark("a timestamp"),
}
_INTEGERS = range(-(2**63), 2**63)
_WHOLE = re.compile(r"[+-]?[0-9]{1,19}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIMESTAMP = re.compile(_DATE.pattern + r"[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?")
#: What other programs call the types.
_MEANT = {
    **dict.fromkeys(("datetime", "timestamptz", "time"), "timestamp"),
    **dict.fromkeys(("int", "bigint", "long", "int64"), "integer"),
    **dict.fromkeys(("float", "double", "decimal", "numeric", "real", "float64"), "number"),
    **dict.fromkeys(("str", "string", "varchar", "object", "category"), "text"),
    "bool": "boolean",
}
_TRUTHS = {"true": True, "false": False}


def read_type(given: Any) -> str | None:
    """Return the name of a type, if one is given."""
    if given is None or (isinstance(given, str) and given in TYPES):
        return given
    if isinstance(given, str):
        raise UnknownNameError(
            kind="type", name=given[:60], known=TYPES, meant=_MEANT.get(given.lower())
        )
    allowed = text("one of {types}", types=", ".join(TYPES))
    raise refusal(given, what="type", allowed=allowed, write='"integer"')


def read_values(given: Any, declared: str | None, what: Given = "values") -> tuple[Value, ...]:
    """Return declared values, all of one type and each once.

    Parameters
    ----------
    given
        A list, or any other collection.
    declared
        The type that they have; without it, the type is theirs.
    what
        What a message calls them.
    """
    values = typed_values(given, declared, what)
    if len(set(values)) < len(values):
        raise InputError("E-KEYS-FORM", "{what} names a value twice", "write each once", what=what)
    return values


def typed_values(given: Any, declared: str | None, what: Given) -> tuple[Value, ...]:
    """Return declared values, all of one type."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        write = f"[{shown(given)}]" if isinstance(given, str) else '["F", "M"]'
        raise refusal(given, what=what, allowed=mark("a list of values"), write=write)
    listed = [_plain(each) for each in given]
    if not listed:
        raise InputError(
            "E-KEYS-EMPTY",
            "{what} is an empty list",
            'write the values that occur, as in ["F", "M"]',
            what=what,
        )
    kind = declared or _common_type(listed, what)
    return tuple(read_value(each, kind, _nth(what, place)) for place, each in enumerate(listed))


def read_value(value: Any, kind: str, what: Given) -> Value:
    """Return one value as a type has it; text is read, anything else must have the type."""
    read = _READERS[kind](value)
    if read is None:
        raise InputError(
            "E-KEYS-TYPE",
            "{what} is not {wanted}, as the type of the column asks",
            "write values of that type, or declare another type",
            what=what,
            wanted=_OF_TYPE[kind],
        )
    return read


def type_of_values(values: Iterable[Any]) -> str | None:
    """Return the type that values have in common, or None where they have none."""
    kinds = {_type_of(each) for each in values}
    if kinds == {"integer", "number"}:
        return "number"
    return kinds.pop() if len(kinds) == 1 else None


def _type_of(value: Any) -> str | None:
    for kind, types in _PYTHON_TYPES:
        if isinstance(value, types):
            return kind
    return None


# In this order: a boolean is an integer to Python, and a timestamp a date.
_PYTHON_TYPES: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("boolean", (bool,)),
    ("integer", (int,)),
    ("number", (float, Decimal, Fraction)),
    ("text", (str,)),
    ("timestamp", (datetime,)),
    ("date", (date,)),
)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _nth(what: Given, place: int) -> Given:
    return text("number {place} of {what}", place=place + 1, what=what)


def _common_type(listed: list[Any], what: Given) -> str:
    for place, each in enumerate(listed):
        if _type_of(each) is None:
            raise InputError(
                "E-KEYS-TYPE",
                "{nth} is of type {kind}",
                "write text, whole numbers, numbers, true or false, dates or timestamps",
                nth=_nth(what, place),
                kind=type(each).__name__,
            )
    common = type_of_values(listed)
    if common is None:
        raise InputError(
            "E-KEYS-TYPE",
            "{what} mixes {kinds}",
            "write values of one type, all in quotes if they are text",
            what=what,
            kinds=all_of(dict.fromkeys(str(_type_of(each)) for each in listed)),
        )
    return common


def _text(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    return str(value) if value.isascii() or _is_utf8(value) else None


def _is_utf8(text: str) -> bool:
    return not any("\ud800" <= each <= "\udfff" for each in text)


def _integer(value: Any) -> int | None:
    if isinstance(value, str):
        return _integer(int(value)) if _WHOLE.fullmatch(value.strip()) else None
    fits = isinstance(value, int) and not isinstance(value, bool) and value in _INTEGERS
    return int(value) if fits else None


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        return _number(float(value)) if _NUMBER.fullmatch(value.strip()) else None
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, Fraction)):
        return None
    try:
        number = float(value)
    except (OverflowError, ValueError):
        return None
    return number + 0.0 if math.isfinite(number) else None


def _boolean(value: Any) -> bool | None:
    if isinstance(value, str):
        return _TRUTHS.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def _date(value: Any) -> date | None:
    if isinstance(value, str):
        return _parsed(date, value.strip(), _DATE)
    return value if isinstance(value, date) and not isinstance(value, datetime) else None


def _timestamp(value: Any) -> datetime | None:
    """Return a time of day without a zone; one with a zone is taken in UTC."""
    if isinstance(value, str):
        return _parsed(datetime, value.strip(), _TIMESTAMP)
    if not isinstance(value, datetime):
        return None
    try:
        moment = value if value.tzinfo is None else value.astimezone(UTC)
        return datetime.combine(moment.date(), moment.time())
    except (OverflowError, ValueError):
        return None


def _parsed(kind: type[Day], text: str, form: re.Pattern[str]) -> Day | None:
    try:
        return kind.fromisoformat(text) if form.fullmatch(text) else None
    except ValueError:
        return None


_READERS: dict[str, Callable[[Any], Value | None]] = {
    "text": _text,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "date": _date,
    "timestamp": _timestamp,
}


def column_type(dtype: dt.DataType) -> str:
    """Return "integer", "number", "text", "boolean", "date", "timestamp", or else "other".

    Integers that may not fit 64 bits with a sign are numbers.
    """
    checks = {
        "boolean": dtype.is_boolean(),
        "integer": dtype.is_integer() and not dtype.is_uint64(),
        "number": dtype.is_numeric(),
        "text": dtype.is_string() and not dtype.is_json(),
        "date": dtype.is_date(),
        "timestamp": dtype.is_timestamp(),
    }
    return next((kind for kind, holds in checks.items() if holds), "other")
