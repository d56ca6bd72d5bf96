"""The casts of the language in plain Python, and what a number must be to be whole."""

from __future__ import annotations

import datetime as dt
import math
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

BLANKS = " \t\n\r\f\v"
WORDS = dict.fromkeys(["true", "t", "yes", "y", "1"], True) | dict.fromkeys(
    ["false", "f", "no", "n", "0"], False
)


def midnight(day: dt.date) -> dt.datetime:
    return day if isinstance(day, dt.datetime) else dt.datetime(day.year, day.month, day.day)


def finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def to_integer(value: float | None, cut: Callable[[float], int]) -> int | None:
    if value is None or not math.isfinite(value) or abs(value) > 2**62:
        return None
    return cut(value)


def cast(value: Any, start: str, to: str) -> Any:
    if start == to:
        return value
    return read(value.strip(BLANKS), to) if start == "text" else CASTS[start, to](value)


CASTS: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("integer", "number"): float,
    ("integer", "text"): str,
    ("integer", "boolean"): bool,
    ("number", "integer"): lambda value: to_integer(value, math.trunc),
    ("boolean", "integer"): int,
    ("boolean", "number"): float,
    ("boolean", "text"): lambda value: "true" if value else "false",
    ("date", "timestamp"): midnight,
    ("date", "text"): dt.date.isoformat,
    ("timestamp", "date"): dt.datetime.date,
}


def read(text: str, to: str) -> Any:
    if to == "boolean":
        return WORDS.get(text.lower())
    if not re.fullmatch(SHAPES[to], text):
        return None
    try:
        return READERS[to](text)
    except ValueError:
        return None


SHAPES = {
    "integer": r"[+-]?[0-9]{1,18}",
    "number": r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?",
    "date": r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "timestamp": r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?)?Z?",
}
READERS: dict[str, Callable[[str], Any]] = {
    "integer": int,
    "number": lambda text: finite(float(text)),
    "date": dt.date.fromisoformat,
    "timestamp": lambda text: read_moment(text.rstrip("Z")),
}


def read_moment(text: str) -> dt.datetime:
    head, point, fraction = text.partition(".")
    return dt.datetime.fromisoformat(head + point + fraction.ljust(6, "0") if point else head)
