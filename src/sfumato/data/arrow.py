"""Columns of Arrow from lists and as arrays, without what pyarrow would load to convert them.

Its own ways look for a frame of pandas in whatever they are given, and load pandas to know one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray


def array_of(column: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """Return a column as an array, which is not to be written to."""
    import pyarrow as pa

    held = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    is_plain = pa.types.is_integer(held.type) or pa.types.is_floating(held.type)
    if is_plain and not held.null_count:
        return np.from_dlpack(held)
    found: NDArray[Any] = held.to_numpy(zero_copy_only=False)
    return found


def whole_numbers(column: pa.ChunkedArray) -> NDArray[np.int64]:
    """Return a column of whole numbers as an array; those that are missing are 0."""
    filled = column.fill_null(0) if column.null_count else column
    return np.asarray(array_of(filled), dtype=np.int64)


def in_memory(columns: Mapping[str, Sequence[Any]], types: Mapping[str, Any]) -> ir.Table:
    """Return columns as a table of Ibis, of types that Ibis names."""
    import ibis
    import pyarrow as pa

    schema = ibis.schema(types)
    return ibis.memtable(pa.table(dict(columns), schema=schema.to_pyarrow()), schema=schema)


def as_expected(found: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a result with its columns in the types of a schema."""
    import pyarrow as pa

    if found.schema == schema:
        return found
    columns = [_cast(found.column(field.name), field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def _cast(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    import pyarrow as pa

    if column.type == kind:
        return column
    if kind == pa.int64() and column.type == pa.decimal128(38):
        return pa.chunked_array([_narrow(each) for each in column.chunks], kind)
    if kind == pa.int64() and column.type == pa.int32() and not column.null_count:
        return pa.chunked_array([_whole(array_of(column).astype(np.int64))], kind)
    return column.cast(kind)


def _whole(numbers: NDArray[np.int64], present: pa.Buffer | None = None) -> pa.Array:
    import pyarrow as pa

    return pa.Array.from_buffers(pa.int64(), len(numbers), [present, pa.py_buffer(numbers)])


def _narrow(wide: pa.Array) -> pa.Array:
    """Return whole numbers of 128 bits, which DuckDB's sums are, in 64 bits."""
    import pyarrow as pa

    present, held = wide.buffers()
    words = np.frombuffer(held or b"", np.int64).reshape(-1, 2)[: len(wide)]
    low, high = words.T
    if wide.offset or not np.array_equal(high, low >> 63):
        return wide.cast(pa.int64())
    return _whole(np.ascontiguousarray(low), present)
