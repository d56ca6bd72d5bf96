"""Reading columns of values into the cells of a joint table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.information.cells import Codes, SparseCells
from sfumato.information.intake import held_values

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

__all__ = ["mapping_columns", "named_columns", "sparse_cells"]


def mapping_columns(table: Mapping[Any, Any]) -> tuple[list[list[Any]], list[Any]]:
    """Return the columns of the keys of a mapping from tuples, and its values."""
    keys = list(table)
    if not keys or not all(isinstance(key, tuple) and len(key) == len(keys[0]) for key in keys):
        message = "a joint table given as a mapping needs tuples of equal length as keys"
        raise InputError(message)
    return [list(column) for column in zip(*keys, strict=True)], list(table.values())


def named_columns(columns: Any) -> dict[Hashable, Any]:
    """Return the columns of a mapping or of a pandas, polars or Arrow frame by name."""
    names = getattr(columns, "column_names", None) or getattr(columns, "columns", None)
    named = {name: columns[name] for name in (columns if names is None else names)}
    if not named:
        message = "no columns were given; give at least one"
        raise InputError(message)
    return named


def sparse_cells(
    columns: list[Any], weights: Any
) -> tuple[SparseCells, tuple[Sequence[Hashable], ...]]:
    """Return the combinations in columns, equal ones added up, and the values of each variable."""
    pairs = [_encoded(column) for column in columns]
    lengths = {codes.size for _, codes in pairs}
    values = np.ones(max(lengths), dtype=np.int64) if weights is None else weights
    array, total = held_values(values, "the weights")
    if lengths != {array.size}:
        message = "the columns differ in length; give every combination one entry a column"
        raise InputError(message)
    codes = tuple(each for _, each in pairs)
    labels = tuple(each for each, _ in pairs)
    cells = SparseCells(codes, tuple(len(each) for each in labels), array, total)
    return cells.marginal(range(len(codes))), labels


def _encoded(column: Iterable[Any]) -> tuple[tuple[Hashable, ...], Codes]:
    """Return the distinct values of a column and, for each entry, the position of its value."""
    array = np.asarray(column if hasattr(column, "__array__") else list(column))
    if array.dtype.kind in "iufUb":
        values, codes = np.unique(array, return_inverse=True)
        return tuple(values.tolist()), codes.astype(np.int64)
    positions: dict[Hashable, int] = {}
    items = (None if each != each else each for each in array.tolist())
    codes = np.array([positions.setdefault(each, len(positions)) for each in items], dtype=np.int64)
    return tuple(positions), codes
