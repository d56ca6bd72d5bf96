"""Frames of other libraries as Arrow tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.names import check_names
from sfumato.errors import InputError
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa


#: The milliseconds of a day.
_DAY = 86_400_000
_NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def arrow_table(frame: Any, name: str) -> pa.Table:
    """Return a pandas, polars or Arrow frame as an Arrow table.

    The index of a pandas frame is no column.  Whatever the library of the frame raises comes out.
    """
    import pyarrow as pa

    if type(frame).__name__ == "LazyFrame":
        raise InputError(
            "E-FRAME-KIND",
            "{name} is a LazyFrame, which is not computed yet",
            "call .collect() first",
            name=Argument(name),
        )
    if not hasattr(frame, "__arrow_c_stream__"):
        message = mark("this is no frame")
        raise TypeError(message)
    table = pa.table(_without_index(frame, name) if hasattr(frame, "reset_index") else frame)
    table = _within_their_days(table)
    table.validate(full=True)
    check_names(table.column_names, name)
    return _in_microseconds(table.select([each for each in table.column_names if each]))


def without_objects(frame: Any, name: str) -> Any:
    """Return a pandas frame whose columns of objects are text, and anything else as it is.

    A column of other objects is refused: a single cell would decide the type of all.
    """
    if type(frame).__module__.partition(".")[0] != "pandas" or not hasattr(frame, "dtypes"):
        return frame
    from pandas.api.types import infer_dtype

    check_names([str(each) for each in frame.columns], name)
    objects = [each for each, kind in frame.dtypes.items() if str(kind) == "object"]
    held = {each: infer_dtype(frame[each], skipna=True) for each in objects}
    for each, kind in held.items():
        if kind not in {"string", "empty"}:
            raise InputError(
                "E-COLUMN-TYPE",
                "the column {each!r:.60} of {name} holds objects of Python, and a single one "
                "would decide the type of all",
                "convert it first, by pd.to_datetime, pd.to_numeric, .astype('boolean') or "
                ".astype('string'), or give an Arrow or polars table",
                each=str(each),
                name=name,
            )
    return frame.astype({each: "string" for each, kind in held.items() if kind == "empty"})


def arrow_file(path: Path, name: str) -> Any:
    """Return the rows of an Arrow file as a data set, which is read when it is asked."""
    import pyarrow.dataset as ds

    rows = ds.dataset(str(path), format="ipc")
    check_names(rows.schema.names, name)
    return rows


def _within_their_days(table: pa.Table) -> pa.Table:
    """Return a table in which a time outside a day, or a date within one, is null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for place, column in enumerate(table.schema):
        if pa.types.is_time(column.type) or pa.types.is_date64(column.type):
            cells = table.column(place)
            numbers = cells.cast(pa.int32() if pa.types.is_time32(column.type) else pa.int64())
            known = pc.if_else(_is_within(numbers, column.type), cells, pa.scalar(None, cells.type))
            table = table.set_column(place, column, known)
    return table


def _is_within(numbers: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """Tell which numbers are times of a day, or whole days."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_date64(kind):
        return pc.equal(pc.multiply(pc.divide(numbers, _DAY), _DAY), numbers)
    day = _DAY * 10**6 // _NANOSECONDS[kind.unit]
    return pc.and_(pc.greater_equal(numbers, 0), pc.less(numbers, day))


def _in_microseconds(table: pa.Table) -> pa.Table:
    """Return a table whose timestamps are all in microseconds, which the engine can hold.

    A moment that microseconds cannot hold becomes null: by the type of a column, and never by
    an error that a single cell would make.
    """
    import pyarrow as pa

    for place, column in enumerate(table.schema):
        if pa.types.is_timestamp(column.type) and column.type.unit != "us":
            found = _moments(table.column(place), column.type)
            table = table.set_column(place, column.name, found)
    return table


def _moments(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = column.cast(pa.int64())
    if kind.unit == "ns":
        numbers = pc.divide(pc.subtract(numbers, _remainder(numbers)), 1000)
    else:
        factor = {"s": 10**6, "ms": 10**3}[kind.unit]
        fits = pc.less_equal(pc.abs(pc.max_element_wise(numbers, -(2**62))), 2**62 // factor)
        numbers = pc.multiply(pc.if_else(fits, numbers, pa.scalar(None, pa.int64())), factor)
    return numbers.cast(pa.timestamp("us", kind.tz))


def _remainder(numbers: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return what is beyond the last whole thousand, not below 0."""
    import pyarrow.compute as pc

    rest = pc.subtract(numbers, pc.multiply(pc.divide(numbers, 1000), 1000))
    return pc.if_else(pc.less(rest, 0), pc.add(rest, 1000), rest)


def _without_index(frame: Any, name: str) -> Any:
    """Return a pandas frame without its index; one with repeated names could not be converted."""
    check_names([str(each) for each in frame.columns], name)
    return frame.reset_index(drop=True)
