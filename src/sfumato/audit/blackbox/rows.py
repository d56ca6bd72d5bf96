"""Rows of datasets of any kind: taken out, or replaced by those of another dataset."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from sfumato.audit.blackbox.opening import in_order
from sfumato.errors import InputError

__all__ = ["are_equal", "number_of_rows", "rows_taken", "with_row_of"]


def number_of_rows(data: Any) -> int:
    """Return how many rows a dataset has; refuse what has none."""
    record = isinstance(data, (str, bytes, dict)) or hasattr(data, "_fields")
    if record or not hasattr(data, "__len__"):
        raise _without_rows(data)
    return len(data)


def rows_taken(data: Any, rows: list[int]) -> Any:
    """Return some rows of a table, in a table of the same type."""
    try:
        if isinstance(data, AbstractSet):
            return type(data)(in_order(data)[row] for row in rows)  # type: ignore[call-arg]
        if isinstance(data, (list, tuple)):
            return type(data)([data[row] for row in rows])
        return data.iloc[rows] if hasattr(data, "iloc") else data[rows]
    except Exception as error:
        raise _without_rows(data) from error


def with_row_of(data: Any, row: int, other: Any, place: int) -> Any:
    """Return a table with one row replaced by one of another table.

    Where the two do not go together the row is replaced by one of its own table.
    """
    rows = list(range(number_of_rows(data)))
    if type(other) is type(data) and isinstance(data, (list, tuple, np.ndarray)):
        before, after = rows_taken(data, rows[:row]), rows_taken(data, rows[row + 1 :])
        given = rows_taken(other, [place])
        if not isinstance(data, np.ndarray):
            return before + given + after
        if data.shape[1:] == other.shape[1:]:
            return np.concatenate([before, given, after])
    rows[row] = place % len(rows)
    return rows_taken(data, rows)


def are_equal(data: Any, other: Any) -> bool:
    """Tell whether two tables are the same; False where that cannot be told."""
    try:
        if hasattr(data, "equals"):
            return bool(data.equals(other))
        return np.array_equal(data, other) if hasattr(data, "__array__") else bool(data == other)
    except Exception:  # noqa: BLE001 - whatever they are, they cannot be compared
        return False


def _without_rows(data: Any) -> InputError:
    return InputError(
        "E-DATASET-FORM",
        "a dataset of type {kind} has no rows to remove",
        "give lists, arrays or data frames, or say what the neighbours are: "
        "neighbours=lambda data: [data + 1]",
        kind=type(data).__name__,
    )
