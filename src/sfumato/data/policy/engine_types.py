"""The type of a column of the engine, as one of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ibis.expr.datatypes as dt

__all__ = ["column_type"]


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
