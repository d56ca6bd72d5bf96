"""An expression as one line of text, much as SQL would write it."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from sfumato.tables.expressions.names import OPERATORS

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
