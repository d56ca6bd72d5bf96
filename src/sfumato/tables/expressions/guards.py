"""The safe forms that functions are compiled from: each gives null for what has no value.

An engine may work out a branch that a condition rules out, so a condition is inside of what it is
for.  An optimiser may decide one from what a file tells of a column, and Parquet does not tell of
NaN: so no comparison is trusted to leave NaN out, which `is_finite` does, row by row, and what
becomes an integer does so by a cast that cannot fail (`sfumato.data.doubles`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.doubles import is_finite

if TYPE_CHECKING:
    import ibis.expr.types as ir

#: The engine's type for each of ours.
ENGINE_TYPES = {
    "integer": "int64",
    "number": "float64",
    "text": "string",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamp",
}
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
    return held(is_finite(value), value)


def finite_from(value: ir.Value, lower: float) -> ir.Value:
    """Return a double, or null if it is below a constant, infinite or not a number."""
    return held(is_finite(value) & (value >= constant(lower, "number")), value)


def within(value: ir.Value, lower: Any, upper: Any, kind: str) -> ir.Value:
    """Return a value that is no double, or null if it lies outside two constants."""
    return held((value >= constant(lower, kind)) & (value <= constant(upper, kind)), value)


def whole(value: ir.Value) -> ir.Value:
    """Return a double of at most 2^62 in size, or null; one that is not a number may stay."""
    return held(value.abs() <= constant(LARGEST_WHOLE, "number"), value)


def short(text: ir.Value) -> ir.Value:
    """Return a text, or null if it is long enough to grow out of hand."""
    return held(text.length() <= LONGEST, text)


def dated(value: ir.Value, kind: str) -> ir.Value:
    """Return a date or a timestamp of the years 1 to 9999, or null."""
    if kind == "date":
        return within(value, FIRST_DAY, LAST_DAY, kind)
    return within(value, FIRST_MOMENT, LAST_MOMENT, kind)
