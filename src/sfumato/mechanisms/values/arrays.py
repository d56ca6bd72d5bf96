"""Reading arrays, lists and columns of private numbers as numpy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.values.kinds import refuse_masked
from sfumato.mechanisms.values.missing import is_placeholder

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["as_array", "no_number"]

_MOST_DIMENSIONS = 32


def as_array(value: Any, *, whole: bool = False) -> NDArray[Any]:
    """Return an array as it is, and a list as an array of its entries as they are.

    What is missing counts as 0: None, and the missing values of columns.
    Columns of whole numbers are read entry by entry, since numpy makes floats of them as soon as
    one is missing.

    Examples
    --------
    >>> from sfumato.mechanisms.values.arrays import as_array
    >>> as_array([1, None, 3])
    array([1, 0, 3], dtype=object)
    """
    if value is np.ma.masked:
        return np.array(0)
    refuse_masked(value)
    listed = _listed(value) if whole else value
    if not hasattr(listed, "__array__") and not isinstance(listed, (list, tuple)):
        raise InputError(no_number(type(value)))
    array = np.asarray(listed) if hasattr(listed, "__array__") else _nested(listed)
    return _filled(array) if array.dtype == object else array


def _nested(rows: list[Any] | tuple[Any, ...]) -> NDArray[Any]:
    try:
        array = np.array(rows, dtype=object)
    except (ValueError, RuntimeError):
        array = np.empty((1,) * _MOST_DIMENSIONS, dtype=object)
    if array.ndim >= _MOST_DIMENSIONS:
        message = "the rows of value differ in length; give an array whose rows are equally long"
        raise InputError(message)
    return array


def _filled(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array of Python's objects with 0 where they are missing."""
    row = array.reshape(-1).copy()
    row[[place for place, each in enumerate(row) if is_placeholder(each)]] = 0
    return row.reshape(array.shape)


def _listed(value: Any) -> Any:
    """Return the entries of a column whose type is not numpy's own, and all else as it is."""
    if isinstance(getattr(value, "dtype", None), np.dtype):
        return value
    to_list = getattr(value, "to_list", None) or getattr(value, "to_pylist", None)
    return to_list() if callable(to_list) else value


def no_number(kind: type) -> str:
    """Return the sentence for a value of a type that is no number.

    Examples
    --------
    >>> from sfumato.mechanisms.values.arrays import no_number
    >>> no_number(str).startswith("value must be a number or an array of numbers, not str")
    True
    """
    return (
        f"value must be a number or an array of numbers, not {kind.__name__}; give floats, "
        "whole numbers or Fractions"
    )
