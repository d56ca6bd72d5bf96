"""Rows from a server as an Arrow table of the types that the question expects."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import ibis.expr.schema as sch
    import pyarrow as pa

__all__ = ["arrow_of"]


def arrow_of(rows: Sequence[Sequence[Any]], schema: sch.Schema) -> pa.Table:
    """Return rows as a table."""
    import pyarrow as pa

    fields = schema.to_pyarrow()
    columns = list(zip(*rows, strict=True)) or [()] * len(fields)
    arrays = [
        pa.array(_converted(column, field.type), field.type)
        for column, field in zip(columns, fields, strict=True)
    ]
    return pa.table(arrays, schema=fields)


def _converted(column: Sequence[Any], kind: pa.DataType) -> list[Any]:
    import pyarrow as pa

    convert: Callable[[Any], Any] | None = None
    if pa.types.is_integer(kind):
        convert = int
    elif pa.types.is_floating(kind):
        convert = float
    elif pa.types.is_decimal(kind):
        convert = Decimal
    elif pa.types.is_string(kind):
        convert = str
    if convert is None:
        return list(column)
    return [None if each is None else convert(each) for each in column]
