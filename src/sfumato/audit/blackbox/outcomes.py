"""The outputs of a release as columns, whatever they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.fields import Field
from sfumato.audit.blackbox.flatten import LENGTH, WHOLE, flat
from sfumato.audit.blackbox.opening import is_readable, opened
from sfumato.audit.blackbox.values import ABSENT
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["Sample", "merged", "opaque_type", "read_outputs"]

#: Types of numbers of which a list is read as an array, and all else one by one.
_WHOLE_NUMBERS = (int, np.int64, np.int32)
_FLOATS = (float, np.float64)


class Sample:
    """Outputs as fields by label, all as long as there are outputs."""

    def __init__(
        self,
        outputs: Any,
        fields: dict[str, Field],
        orders: list[tuple[str, ...]] | None = None,
    ) -> None:
        self.outputs = outputs
        self.orders = orders
        self.size = len(outputs)
        self.fields = fields
        self._columns: dict[Any, NDArray[Any]] = {}

    def column(self, read: Callable[[Sample], NDArray[Any]]) -> NDArray[Any]:
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


def read_outputs(outputs: Any) -> Sample:
    """Return the outputs of a release as columns.

    What is read off an output does not depend on the others beside it.
    """
    array, read = _array(outputs), outputs
    if array is None:
        read = [opened(each) for each in outputs]
        array = _array(read)
    if array is None:
        return _read_objects(list(outputs))
    return Sample(outputs, _fields(array, _kind_of_listed(read)))


def opaque_type(sample: Sample) -> str | None:
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


def _read_objects(outputs: list[Any]) -> Sample:
    """Return outputs of any kinds as fields, by the entries that they have."""
    flattened = [flat(each) for each in outputs]
    labels = list(dict.fromkeys(label for each in flattened for label in each))
    fields = {
        label: Field(label, [each.get(label, ABSENT) for each in flattened]) for label in labels
    }
    orders: dict[tuple[str, ...], tuple[str, ...]] = {}
    return Sample(
        outputs, fields, [orders.setdefault(each, each) for each in map(tuple, flattened)]
    )
