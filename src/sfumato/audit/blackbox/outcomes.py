"""The outputs of a release as columns, whatever they are, on two datasets side by side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.entries import LENGTH, WHOLE, flat
from sfumato.audit.blackbox.values import (
    ABSENT,
    ZERO,
    ValueKinds,
    is_readable,
    key_of,
    kind_of,
    opened,
)
from sfumato.numeric import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

#: Types of values that are equal only where nothing tells them apart, and that often repeat.
_WORDS = {str, bytes, type(None), type(ABSENT)}
#: Types of numbers of which a list is read as an array, and all else one by one.
_WHOLE_NUMBERS = (int, np.int64, np.int32)
_FLOATS = (float, np.float64)


@dataclass(frozen=True, eq=False)
class Field:
    """One entry of every output, as numbers where it is one and as keys that tell values apart.

    Attributes
    ----------
    label
        Which entry, in words.
    values
        The values themselves.
    kind
        What the numbers of an array are called; by default it goes by the array's type.
    """

    label: str
    values: Any
    kind: str | None = None

    @cached_property
    def plain(self) -> bool:
        """Whether the values are an array of numbers."""
        return isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iufb"

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The values as floats; NaN where a value is no number."""
        if self.plain:
            return np.asarray(self.values, dtype=np.float64)
        return np.array([_number(each) for each in self.values], dtype=np.float64)

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """A whole number for each value, the same for the same value."""
        if self.plain and self.values.dtype.kind == "f":
            return (self.numbers + ZERO).view(np.int64)
        if self.plain:
            return np.asarray(self.values.astype(np.int64))
        if set(map(type, self.values)) <= _WORDS:
            known = {each: key_of(each) for each in set(self.values)}
            return np.array([known[each] for each in self.values], dtype=np.int64)
        return np.array([key_of(each) for each in self.values], dtype=np.int64)

    @cached_property
    def has_floats(self) -> bool:
        """Whether some value is a float, whose last bits may tell something."""
        if self.plain:
            return bool(self.values.dtype.kind == "f")
        return any(isinstance(each, (float, np.floating)) for each in self.values)

    @cached_property
    def varies(self) -> bool:
        """Whether there is more than one value."""
        return bool((self.keys != self.keys[0]).any()) or self.kinds.vary

    @cached_property
    def kinds(self) -> ValueKinds:
        """What kind of value each is."""
        if self.plain:
            return ValueKinds.of_array(
                self.numbers, self.kind or kind_of(self.values.dtype.type(1))
            )
        return ValueKinds.of_objects(self.values)


def _number(value: Any) -> float:
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    if not isinstance(value, Real) and type(value).__name__ != "Decimal":
        return math.nan
    try:
        return float(value)
    except (OverflowError, ValueError):
        return math.nan


class OutputSample:
    """Outputs as fields by label, all as long as there are outputs."""

    def __init__(
        self, outputs: Any, fields: dict[str, Field], orders: list[tuple[str, ...]] | None = None
    ) -> None:
        self.outputs = outputs
        self.orders = orders
        self.size = len(outputs)
        self.fields = fields
        self._columns: dict[Any, NDArray[Any]] = {}

    def column(self, read: Callable[[OutputSample], NDArray[Any]]) -> NDArray[Any]:
        """Return what a function reads off the sample, and remember it."""
        if read not in self._columns:
            self._columns[read] = read(self)
        return self._columns[read]

    def field(self, label: str) -> Field:
        """Return a field, of values that are absent where no output has it."""
        return self.fields.get(label) or Field(label, [ABSENT] * self.size)

    @cached_property
    def shapes(self) -> list[str]:
        """Which entries each output has."""
        labels = sorted(self.fields)
        if all(self.fields[label].plain for label in labels):
            return ["\n".join(labels)] * self.size
        rows = zip(*(self.fields[label].values for label in labels), strict=True)
        return [
            "\n".join(label for label, each in zip(labels, row, strict=True) if each is not ABSENT)
            for row in rows
        ]


def read_outputs(outputs: Any) -> OutputSample:
    """Return the outputs of a release as columns.

    What is read off an output does not depend on the others beside it.
    """
    array, read = _array(outputs), outputs
    if array is None:
        read = [opened(each) for each in outputs]
        array = _array(read)
    if array is None:
        return _read_objects(list(outputs))
    return OutputSample(outputs, _fields(array, _kind_of_listed(read)))


def opaque_type(sample: OutputSample) -> str | None:
    """Return the type of an entry that cannot be seen into, or None where there is none."""
    for field in sample.fields.values():
        examples = {} if field.plain else {type(each): each for each in field.values}
        for kind, value in examples.items():
            if value is not ABSENT and not is_readable(value):
                return kind.__name__
    return None


def _kind_of_listed(outputs: Any) -> str | None:
    """Return what numbers are called that were floats in lists, not entries of an array."""
    first = outputs if hasattr(outputs, "dtype") else outputs[0]
    while isinstance(first, (list, tuple)):
        first = first[0]
    return "a float" if type(first) is float else None


def _fields(array: NDArray[Any], kind: str | None) -> dict[str, Field]:
    """Return the columns of an array of numbers with a row for each output."""
    if array.ndim == 1:
        return {WHOLE: Field(WHOLE, array, kind)}
    flattened = array.reshape(len(array), -1)
    columns = {
        ", ".join(f"coordinate {place}" for place in places): flattened[:, index]
        for index, places in enumerate(np.ndindex(*array.shape[1:]))
    }
    found = {
        label: Field(label, np.ascontiguousarray(each), kind) for label, each in columns.items()
    }
    return found | {LENGTH: Field(LENGTH, np.full(len(array), array.shape[1]))}


def merged(chunks: list[Any]) -> Any:
    """Return the outputs of several calls as one."""
    arrays = [each for each in chunks if isinstance(each, np.ndarray)]
    alike = {(each.dtype, each.shape[1:]) for each in arrays}
    if len(arrays) == len(chunks) and len(alike) == 1:
        return np.concatenate(arrays)
    return [output for chunk in chunks for output in chunk]


def _array(outputs: Any) -> NDArray[Any] | None:
    """Return outputs as an array of numbers with a row for each, or None."""
    if hasattr(outputs, "dtype"):
        array = np.asarray(outputs)
        return array if _is_plain(array.dtype) and array.size else None
    types = {type(each) for each in outputs}
    if types == {np.ndarray}:
        return _stacked(outputs)
    if types <= {list} or types <= {tuple}:
        if len({len(each) for each in outputs}) != 1:
            return None
        types = {type(part) for each in outputs for part in each}
    return _listed(outputs, types)


def _is_plain(dtype: np.dtype[Any]) -> bool:
    """Tell whether numbers of a type fit in 64 bits, as signed ones or as floats."""
    return dtype.kind in "iufb" and dtype.itemsize <= 8 and dtype != np.uint64


def _stacked(arrays: Any) -> NDArray[Any] | None:
    """Return arrays of one shape and type as rows."""
    alike = {(each.dtype, each.shape) for each in arrays}
    first = next(iter(arrays))
    usable = len(alike) == 1 and _is_plain(first.dtype) and first.size
    return np.stack(list(arrays)) if usable else None


def _listed(outputs: Any, types: set[type]) -> NDArray[Any] | None:
    """Return numbers of one type, or lists of such, as an array."""
    if len(types) != 1 or not types <= {*_WHOLE_NUMBERS, *_FLOATS}:
        return None
    array = np.asarray(outputs)
    return array if array.dtype.kind == ("f" if types <= {*_FLOATS} else "i") else None


def _read_objects(outputs: list[Any]) -> OutputSample:
    """Return outputs of any kinds as fields, by the entries that they have."""
    flattened = [flat(each) for each in outputs]
    labels = list(dict.fromkeys(label for each in flattened for label in each))
    fields = {
        label: Field(label, [each.get(label, ABSENT) for each in flattened]) for label in labels
    }
    orders: dict[tuple[str, ...], tuple[str, ...]] = {}
    return OutputSample(
        outputs, fields, [orders.setdefault(each, each) for each in map(tuple, flattened)]
    )


@dataclass(frozen=True, eq=False)
class Pool:
    """Outputs on both datasets in one sample: those on the first dataset come first.

    Attributes
    ----------
    sample
        All the outputs.
    first
        How many of them are of the first dataset.
    """

    sample: OutputSample
    first: int

    def sides(self, column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return a column as its part on the first dataset and that on the second."""
        return column[: self.first], column[self.first :]
