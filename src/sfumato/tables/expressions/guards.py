"""The safe forms that functions are compiled from: each bounds a value before it is used.

An engine may work out a branch that a condition rules out, so the guard is always inside: what
could fail is given a value that it cannot fail on, or null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ibis.expr.types as ir

__all__ = [
    "LARGEST",
    "LONGEST",
    "constant",
    "dated",
    "exactly",
    "finite",
    "held",
    "nulls",
    "short",
    "whole",
    "within",
]

#: The engine's type for each of ours.
ENGINE_TYPES = {
    "integer": "int64",
    "number": "float64",
    "text": "string",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamp",
}
LARGEST = 1.7976931348623157e308
LONGEST = 10_000
LARGEST_WHOLE = 2.0**62
FIRST_DAY, LAST_DAY = "0001-01-01", "9999-12-31"
FIRST_MOMENT, LAST_MOMENT = "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999"


def exactly(value: ir.Value, kind: str) -> ir.Value:
    """Return ``value`` cast in the engine, even where Ibis thinks that it has the type already."""
    import ibis.expr.datatypes as dt
    import ibis.expr.operations as ops

    return ops.Cast(value, dt.dtype(ENGINE_TYPES[kind])).to_expr()


def constant(value: Any, kind: str) -> ir.Value:
    """Return a value of the query in the engine's own type, to the last bit."""
    import ibis

    if value is None:
        return nulls(kind)
    if kind in {"text", "boolean"}:
        return ibis.literal(value, ENGINE_TYPES[kind])
    return ibis.literal(str(value)).cast(ENGINE_TYPES[kind])


def nulls(kind: str) -> ir.Value:
    """Return the null of a type; not as a literal, of which Ibis asks "is it null" for "="."""
    import ibis

    return exactly(ibis.null(ENGINE_TYPES[kind]), kind)


def held(condition: ir.Value, value: ir.Value) -> ir.Value:
    """Return ``value`` where a condition is true, and null elsewhere."""
    import ibis

    return ibis.cases((condition, value))


def finite(value: ir.Value) -> ir.Value:
    """Return a double, or null if it is infinite or not a number."""
    return held(value.abs() <= constant(LARGEST, "number"), value)


def within(value: ir.Value, lower: Any, upper: Any, kind: str = "number") -> ir.Value:
    """Return a value, or null if it lies outside two constants."""
    return held((value >= constant(lower, kind)) & (value <= constant(upper, kind)), value)


def whole(value: ir.Value) -> ir.Value:
    """Return a double that fits an integer, or null."""
    return held(value.abs() <= constant(LARGEST_WHOLE, "number"), value)


def short(text: ir.Value) -> ir.Value:
    """Return a text, or null if it is long enough to grow out of hand."""
    return held(text.length() <= LONGEST, text)


def dated(value: ir.Value, kind: str) -> ir.Value:
    """Return a date or a timestamp of the years 1 to 9999, or null."""
    if kind == "date":
        return within(value, FIRST_DAY, LAST_DAY, kind)
    return within(value, FIRST_MOMENT, LAST_MOMENT, kind)
