"""How a joint table is held: a full array, or only the combinations that occur."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError, UnknownNameError
from sfumato.information.validate import Floats, count_labels, held_values, is_frame
from sfumato.translation import mark

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class JointCells(ABC):
    """What a joint table needs of its cells; ``axes`` are positions of variables."""

    values: NDArray[Any]
    total: int

    def __len__(self) -> int:
        return self.values.size

    def probabilities(self) -> Floats:
        """Return the probabilities as floats, flat."""
        flat = self.values.ravel()
        if flat.dtype == np.float64:
            return flat
        return (flat / self.total).astype(np.float64, copy=False)

    def masses(self) -> list[Any]:
        """Return the cells as they are held: counts, or probabilities."""
        masses: list[Any] = self.values.ravel().tolist()
        return masses

    @abstractmethod
    def groups(self, axes: Sequence[int]) -> Codes:
        """Return, for each cell, a number for its values on ``axes``."""

    @abstractmethod
    def marginal(self, axes: Sequence[int]) -> JointCells:
        """Return the cells summed over every axis but ``axes``, in that order."""

    @abstractmethod
    def slice(self, at: Mapping[int, int]) -> JointCells:
        """Return the cells at fixed positions of some axes, divided by their sum."""


class DenseCells(JointCells):
    """An array with one axis a variable: floats that sum to one, or integers over ``total``."""

    def groups(self, axes: Sequence[int]) -> Codes:
        """Return, for each cell, a number for its values on ``axes``."""
        shape = self.values.shape
        code: Codes = np.zeros((1,) * len(shape), dtype=np.int64)
        for axis in axes:
            steps = np.arange(shape[axis]).reshape(
                [-1 if i == axis else 1 for i in range(len(shape))]
            )
            code = code * shape[axis] + steps
        return np.broadcast_to(code, shape).ravel()

    def marginal(self, axes: Sequence[int]) -> DenseCells:
        """Return the cells summed over every axis but ``axes``, in that order."""
        others = tuple(axis for axis in range(self.values.ndim) if axis not in axes)
        summed = self.values.sum(axis=others) if others else self.values
        kept = sorted(axes)
        return DenseCells(np.transpose(summed, [kept.index(axis) for axis in axes]), self.total)

    def slice(self, at: Mapping[int, int]) -> DenseCells:
        """Return the cells at fixed positions, divided by their sum."""
        index = tuple(at.get(axis, slice(None)) for axis in range(self.values.ndim))
        return DenseCells(*_rescaled(self.values[index]))


@dataclass(frozen=True, eq=False)
class SparseCells(JointCells):
    """The combinations that occur: one code a variable, and the value of each combination."""

    codes: tuple[Codes, ...]
    sizes: tuple[int, ...]

    def groups(self, axes: Sequence[int]) -> Codes:
        """Return, for each cell, a number for its values on ``axes``."""
        code: Codes = np.zeros(len(self), dtype=np.int64)
        bound = 1
        for axis in axes:
            if bound * self.sizes[axis] >= 2**62:
                code = np.unique(code, return_inverse=True)[1]
                bound = len(self)
            code = code * self.sizes[axis] + self.codes[axis]
            bound *= self.sizes[axis]
        return code

    def marginal(self, axes: Sequence[int]) -> SparseCells:
        """Return the combinations of ``axes`` that occur, equal ones added up."""
        _, first, group = np.unique(self.groups(axes), return_index=True, return_inverse=True)
        summed = np.zeros(first.size, dtype=self.values.dtype)
        np.add.at(summed, group, self.values)
        codes = tuple(self.codes[axis][first] for axis in axes)
        return SparseCells(summed, self.total, codes, tuple(self.sizes[axis] for axis in axes))

    def slice(self, at: Mapping[int, int]) -> SparseCells:
        """Return the combinations at fixed codes, divided by their sum."""
        keep = np.ones(len(self), dtype=bool)
        rest = [axis for axis in range(len(self.codes)) if axis not in at]
        for axis, code in at.items():
            keep &= self.codes[axis] == code
        codes = tuple(self.codes[axis][keep] for axis in rest)
        sizes = tuple(self.sizes[axis] for axis in rest)
        return SparseCells(*_rescaled(self.values[keep]), codes, sizes)


def _rescaled(values: NDArray[Any]) -> tuple[NDArray[Any], int]:
    total = values.sum()
    if not total > 0:
        raise InputError(
            "E-CONDITION-IMPOSSIBLE",
            "the given values never occur together",
            "condition on values of positive probability",
        )
    return (values / total, 1) if values.dtype == np.float64 else (values, int(total))


def labelled_table(
    table: Any,
) -> tuple[Any, Sequence[Hashable] | None, tuple[Sequence[Hashable], ...] | None]:
    """Return a table, and the variables and labels that a pandas crosstab or column names."""
    index: Any = getattr(table, "index", None)
    if getattr(index, "nlevels", 1) > 1 and not is_frame(table):
        return dict(zip(index, table, strict=True)), _filled(index.names), None
    if not is_frame(table):
        return table, None, None
    labels = count_labels(table, mark("the joint table"))
    names = _filled([getattr(table.index, "name", None), getattr(table.columns, "name", None)])
    return np.asarray(table), names, labels


def _filled(names: Iterable[Hashable]) -> list[Hashable]:
    return [position if name is None else name for position, name in enumerate(names)]


def dense_values(table: Any, *, copy: bool) -> tuple[NDArray[Any], int]:
    """Return a table with one axis a variable as it is held: checked, in its shape, read-only."""
    if isinstance(table, np.ma.MaskedArray):
        table = table.tolist()
    try:
        array = np.asarray(table if hasattr(table, "__array__") else list(table))
        shape = array.shape
    except (TypeError, ValueError):
        shape = ()
    if not shape:
        raise InputError(
            "E-LENGTHS-DIFFER", "a joint table needs rows of equal length, one axis a variable"
        )
    values, total = held_values(array, mark("the joint table"))
    held = values.copy() if copy else values.view()
    held.flags.writeable = False
    return held.reshape(shape), total


def mapping_columns(table: Mapping[Any, Any]) -> tuple[list[list[Any]], list[Any]]:
    """Return the columns of the keys of a mapping from tuples, and its values."""
    keys = list(table)
    if not keys or not all(isinstance(key, tuple) and len(key) == len(keys[0]) for key in keys):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "a joint table given as a mapping needs tuples of equal length as keys",
        )
    return [list(column) for column in zip(*keys, strict=True)], list(table.values())


def weighted_columns(columns: Any, weights: Any) -> tuple[dict[Hashable, Any], Any]:
    """Return the columns by name, and the weights, which may be given as the name of a column."""
    named = _named_columns(columns)
    if not isinstance(weights, str):
        return named, weights
    if weights not in named:
        raise UnknownNameError(kind="column", name=weights, known=named)
    if len(named) == 1:
        raise InputError(
            "E-ARGUMENT-EMPTY", "only the weights were given", "give at least one other column"
        )
    return named, named.pop(weights)


def _named_columns(columns: Any) -> dict[Hashable, Any]:
    """Return the columns of a mapping or of a pandas, polars or Arrow frame by name."""
    names = getattr(columns, "column_names", None) or getattr(columns, "columns", None)
    if names is None and not isinstance(columns, Mapping):
        names = ()
    listed = list(columns if names is None else names)
    if not listed:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "no columns were given",
            "give a mapping from names to columns, or a frame",
        )
    if len(set(listed)) < len(listed):
        raise InputError(
            "E-COLUMN-TWICE", "two columns have the same name", "name each differently"
        )
    return {name: columns[name] for name in listed}


def sparse_cells(
    columns: list[Any], weights: Any
) -> tuple[SparseCells, tuple[Sequence[Hashable], ...]]:
    """Return the combinations in columns, equal ones added up, and the values of each variable."""
    pairs = [encoded(column) for column in columns]
    lengths = {codes.size for _, codes in pairs}
    values = np.ones(max(lengths), dtype=np.int64) if weights is None else weights
    array, total = held_values(values, mark("the weight column"))
    if lengths != {array.size}:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "the columns differ in length",
            "give every combination one entry a column",
        )
    codes = tuple(each for _, each in pairs)
    labels = tuple(each for each, _ in pairs)
    cells = SparseCells(array, total, codes, tuple(len(each) for each in labels))
    return cells.marginal(range(len(codes))), labels


def encoded(column: Iterable[Any]) -> tuple[tuple[Hashable, ...], Codes]:
    """Return the distinct values of a column and, for each entry, the position of its value.

    Values are the same where Python says that they are equal; every kind of gap is None.
    """
    array = np.asarray(column) if hasattr(column, "__array__") else None
    if array is not None and array.ndim != 1:
        raise InputError(
            "E-COLUMN-TYPE",
            "a column must be flat, one value an entry",
            "give several columns by name",
        )
    if array is None or array.dtype.kind not in "iufb" or isinstance(column, np.ma.MaskedArray):
        return _encoded_items(_as_list(column))
    values, codes = np.unique(array, return_inverse=True)
    labels = tuple(None if _is_gap(each) else each for each in values.tolist())
    return labels, codes.astype(np.int64)


def _encoded_items(items: list[Any]) -> tuple[tuple[Hashable, ...], Codes]:
    positions: dict[Hashable, int] = {}
    try:
        codes = [
            positions.setdefault(None if _is_gap(each) else each, len(positions)) for each in items
        ]
    except TypeError:
        raise InputError(
            "E-COLUMN-TYPE",
            "a column holds values that cannot be told apart, such as lists",
            "use plain values",
        ) from None
    return tuple(positions), np.array(codes, dtype=np.int64)


def _as_list(column: Any) -> list[Any]:
    """Return a column as plain Python values: Arrow, pandas and NumPy each have a way."""
    for way in ("to_pylist", "tolist"):
        if hasattr(column, way):
            values: list[Any] = getattr(column, way)()
            return values
    return list(column)


def _is_gap(value: Any) -> bool:
    """Tell whether a value is None, NaN, or another that is not even equal to itself."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"
