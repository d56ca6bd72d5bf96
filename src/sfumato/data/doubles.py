"""Doubles inside an engine, taken by operations that fail on none of them.

A condition in front of an operation that may fail does not keep it from failing: an optimiser may
decide the condition from what a file says of its columns, and what Parquet says of a column of
doubles leaves NaN out.  So NaN is looked for by a function that is worked out row by row, and a
double becomes a whole number by a cast that gives null where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.data.engines.functions import call

if TYPE_CHECKING:
    import ibis.expr.types as ir


#: The greatest double that is finite.
LARGEST = 1.7976931348623157e308


def is_finite(value: ir.Value) -> ir.Value:
    """Return whether a double is neither infinite nor NaN."""
    return call("isfinite", "boolean", value)


def number_or(value: ir.Value, otherwise: ir.Value | None = None) -> ir.Value:
    """Return a double, its infinities as they are, and something else for NaN and null."""
    import ibis

    return ibis.cases((is_finite(value), value), (value.isinf(), value), else_=otherwise)


def floor(value: ir.Value) -> ir.Value:
    """Return the floor of a double as an integer, null where 64 bits do not hold it."""
    return _whole("floor", value)


def ceiling(value: ir.Value) -> ir.Value:
    """Return the ceiling of a double as an integer, null where 64 bits do not hold it."""
    return _whole("ceil", value)


def nearest(value: ir.Value) -> ir.Value:
    """Return the nearest integer to a double, halves away from zero, null where there is none."""
    return _whole("round", value)


def _whole(name: str, value: ir.Value) -> ir.Value:
    return call(name, "float64", value).try_cast("int64")
