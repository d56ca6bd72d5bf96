"""Columns as they enter an expression: of one of the six types, and free of odd values."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from sfumato.data.doubles import number_or
from sfumato.data.policy.engine_types import column_type
from sfumato.tables.expressions.guards import dated, exactly

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import ibis.expr.types as ir


def column_types(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return the type of each column of an Ibis schema, and "other" for what has none.

    Integers of more than 64 bits and decimals are numbers, that is doubles; so are unsigned ones
    of 64 bits.
    """
    return {name: column_type(kind) for name, kind in schema.items()}


def leaf(column: ir.Column) -> ir.Value:
    """Return a column as a value of its type, its odd values null."""
    return _LEAVES[column_type(column.type())](column)


def _number(column: ir.Column) -> ir.Value:
    return number_or(exactly(column, "number"))


def _timestamp(column: ir.Column) -> ir.Value:
    if column.type().timezone is not None:
        return dated(_in_utc(column), "timestamp")
    return dated(column.try_cast("timestamp"), "timestamp")


def _in_utc(column: ir.Column) -> ir.Value:
    """Return a moment as its date and time in UTC, whatever zone the session is in."""
    since_1970, moment = _clock()
    return moment(since_1970(column))


@functools.cache
def _clock() -> tuple[Any, Any]:
    """Return the engine's functions from a moment to microseconds, and to a timestamp from them."""
    import ibis

    def epoch_us(moment: Any) -> Any: ...

    def make_timestamp(microseconds: Any) -> Any: ...

    builtin = ibis.udf.scalar.builtin
    return (
        builtin(epoch_us, signature=(("timestamp('UTC')",), "int64")),
        builtin(make_timestamp, signature=(("int64",), "timestamp")),
    )


_LEAVES: dict[str, Callable[[ir.Column], ir.Value]] = {
    "integer": lambda column: exactly(column, "integer"),
    "number": _number,
    "text": lambda column: exactly(column, "text"),
    "boolean": lambda column: column,
    "date": lambda column: dated(column, "date"),
    "timestamp": _timestamp,
}
