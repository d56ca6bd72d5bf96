"""Reading a table as a list: its rows or one column, never the names of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.information.frames import is_frame
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["entries", "read_any_rows", "read_cells", "read_column", "read_table"]

_TIMES = "mM"


def read_table(rows: Any, name: str = "a table") -> list[Any]:
    """Return the rows of a list, an array, a series or a generator, in order.

    Frames and mappings are refused: going through them gives the names of their columns.
    """
    advice = _advice(rows)
    if advice is not None:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a list, not a {kind}",
            "{advice}",
            name=Argument(name),
            kind=type(rows).__name__,
            advice=advice,
        )
    if isinstance(rows, np.ndarray):
        return entries(rows)
    return list(rows.to_pylist() if hasattr(rows, "to_pylist") else rows)


def read_column(cells: Any, name: str = "a column") -> list[Any]:
    """Return the cells of one column, in order; an array of rows is refused."""
    column = read_table(cells, name)
    dimensions = getattr(cells, "ndim", 1)
    if dimensions > 1:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a list, not an array of {dimensions} dimensions",
            "give one column, array[:, 0]",
            name=Argument(name),
            dimensions=dimensions,
        )
    return column


def read_any_rows(table: Any) -> list[Any]:
    """Return one entry a row, also for a frame, where only their number is asked for."""
    count = _length(table) if is_frame(type(table)) else None
    return read_table(table) if count is None else [None] * count


def read_cells(row: Any, width: int) -> list[Any]:
    """Return the cells of a row that has so many."""
    cells = read_table(row, mark("each row"))
    if len(cells) != width:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "each row must have {width} cells, not {count}",
            "give rows of equal length",
            width=width,
            count=len(cells),
        )
    return cells


def entries(array: NDArray[Any]) -> list[Any]:
    """Return what an array holds, as Python's numbers; times stay times."""
    return list(array) if array.dtype.kind in _TIMES else list(array.tolist())


def _length(frame: Any) -> int | None:
    """Return how many rows a frame has; None for a query that was not run yet."""
    try:
        return len(frame)
    except Exception:  # noqa: BLE001  (each library raises what it likes)
        return None


def _advice(rows: Any) -> str | None:
    """Return what to write instead of something that is no list of rows."""
    if is_frame(type(rows)):
        return mark("give one column, df['age'], or the rows, df.to_numpy()")
    if isinstance(rows, Mapping):
        return mark("give one column, data['age']")
    if isinstance(rows, np.ma.MaskedArray):
        return mark("write array.filled(0), say, for what the cells under the mask count as")
    return None if _is_iterable(rows) else "write [1, 2, 3], say"


def _is_iterable(rows: Any) -> bool:
    try:
        iter(rows)
    except TypeError:
        return False
    return not isinstance(rows, (str, bytes))
