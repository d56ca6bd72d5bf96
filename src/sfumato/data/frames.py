"""Frames of other libraries as Arrow tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.names import check_names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["arrow_table"]


def arrow_table(frame: Any, name: str) -> pa.Table:
    """Return a pandas, polars or Arrow frame as an Arrow table.

    The index of a pandas frame is no column.  Whatever the library of the frame raises comes out.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data.frames import arrow_table
    >>> indexed = pd.DataFrame({"age": [64, 61]}, index=pd.Index(["u", "v"], name="id"))
    >>> arrow_table(indexed, "the table").column_names
    ['age']
    """
    import pyarrow as pa

    if not hasattr(frame, "__arrow_c_stream__"):
        message = "this is no frame"
        raise TypeError(message)
    table = pa.table(_without_index(frame, name) if hasattr(frame, "reset_index") else frame)
    check_names(table.column_names, name)
    return table.select([each for each in table.column_names if each])


def _without_index(frame: Any, name: str) -> Any:
    """Return a pandas frame without its index; one with repeated names could not be converted."""
    check_names([str(each) for each in frame.columns], name)
    return frame.reset_index(drop=True)
