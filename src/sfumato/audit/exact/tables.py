"""Inputs as tables: their rows, and when two of them are the same input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.exact.entries import column_of, has_columns
from sfumato.audit.exact.outcomes import one_nan

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

__all__ = ["input_key", "rows_of"]


def rows_of(value: Any) -> list[Any] | None:
    """Return the rows of a list, an array or a frame as they are compared; None for no table."""
    if isinstance(value, (tuple, list)):
        return [one_nan(_within(row)) for row in value]
    if has_columns(value):
        return [one_nan(row) for row in _rows_of_frame(value)]
    if hasattr(value, "__array__") and np.ndim(value):
        return [one_nan(_within(row)) for row in column_of(value)[1]]
    return None


def input_key(value: Any) -> Hashable:
    """Return what only the same input shares; 1 and True are equal and not the same."""
    hash(value)
    return type(value), repr(value), value


def _within(row: Any) -> Any:
    """Return a row with tuples for the arrays and lists in it, which are compared at once."""
    if hasattr(row, "__array__") and not isinstance(row, np.generic):
        row = np.asarray(row).tolist()
    return tuple(map(_within, row)) if isinstance(row, (list, tuple)) else row


def _rows_of_frame(frame: Any) -> Iterable[tuple[Any, ...]]:
    """Return the rows of a pandas, polars or Arrow frame, each cell with its column."""
    names = tuple(getattr(frame, "column_names", None) or frame.columns)
    if hasattr(frame, "itertuples"):
        rows = frame.itertuples(index=False, name=None)
    elif hasattr(frame, "iter_rows"):
        rows = frame.iter_rows()
    else:
        rows = zip(*(each.to_pylist() for each in frame.columns), strict=True)
    return (tuple(zip(names, row, strict=True)) for row in rows)
