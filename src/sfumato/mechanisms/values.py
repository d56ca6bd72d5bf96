"""What counts as a private number, and what as none."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from numbers import Integral, Rational
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from sfumato.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: What Python and NumPy count among the whole numbers, and is none.
NO_NUMBERS = (bool, np.timedelta64)
_MOST_DIMENSIONS = 32


def is_whole(value: object) -> TypeGuard[Integral]:
    """Tell whether a value is a whole number: Python's or NumPy's, no truth value, no duration."""
    return isinstance(value, Integral) and not isinstance(value, NO_NUMBERS)


def is_number(value: object) -> bool:
    """Tell whether a value is a whole number, a Fraction or a float of any length."""
    return is_whole(value) or isinstance(value, (float, np.floating, Fraction))


def exactly(number: Any) -> Fraction | float:
    """Return a number exactly; NaN, and what is beyond all floats, as the float it is."""
    if isinstance(number, Rational):  # NumPy's integers are such, and overflow
        return Fraction(int(number.numerator), int(number.denominator))
    near = float(number)
    return Fraction(*number.as_integer_ratio()) if math.isfinite(near) else near


def refuse_masked(value: Any) -> None:
    """Refuse a masked array, of which NumPy would read what is masked as if it were not."""
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(value, masked.MaskedArray):
        raise InputError(
            "E-COLUMN-TYPE",
            "a masked array is not taken, since what it hides would be read",
            "write array.filled(0), or another public number for what is hidden",
        )


def is_placeholder(value: Any) -> bool:
    """Tell whether a value has no type that would say what is missing: None, pandas' NA, a mask.

    Comparing such a value, even to itself, gives the same placeholder again.
    """
    differs = _differs_from_itself(value)
    return value is None or (differs is value and not isinstance(value, bool))


def is_missing(value: Any) -> bool:
    """Tell whether a value is a placeholder or not equal to itself, or has such a part."""
    if isinstance(value, (tuple, frozenset)):
        return any(map(is_missing, value))
    return is_placeholder(value) or _differs_from_itself(value) is True


def _differs_from_itself(value: Any) -> Any:
    """Return whether a value differs from itself, or what it says instead of True or False."""
    try:
        differs = value != value
    except ArithmeticError:  # Decimal's signalling NaN
        return True
    return bool(differs) if isinstance(differs, np.bool) else differs


def as_array(value: Any, *, whole: bool = False) -> NDArray[Any]:
    """Return an array as it is, and a list as an array of its entries as they are.

    What is missing counts as 0: None, and the missing values of columns.
    """
    if value is not None and is_placeholder(value):
        return np.array(0)
    refuse_masked(value)
    listed = listed_column(value, whole=whole)
    if not hasattr(listed, "__array__") and not isinstance(listed, (list, tuple)):
        raise no_number(type(value))
    array = np.asarray(listed) if hasattr(listed, "__array__") else _nested(listed)
    return _filled(array) if array.dtype == object else array


def _nested(rows: list[Any] | tuple[Any, ...]) -> NDArray[Any]:
    try:
        array = np.array(rows, dtype=object)
    except (ValueError, RuntimeError):
        array = np.empty((1,) * _MOST_DIMENSIONS, dtype=object)
    if array.ndim >= _MOST_DIMENSIONS:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "the rows of value differ in length",
            "give an array whose rows are equally long",
        )
    return array


def _filled(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array of Python's objects with 0 where they are missing."""
    row = array.reshape(-1).copy()
    row[[place for place, each in enumerate(row) if is_placeholder(each)]] = 0
    return row.reshape(array.shape)


def listed_column(value: Any, *, whole: bool = False) -> Any:
    """Return the entries of a column whose type is not numpy's own, and all else as it is.

    NumPy makes floats of whole numbers as soon as one is missing, and rounds them.  Columns of
    floats stay as they are, unless whole numbers are asked for.
    """
    if hasattr(value, "columns"):
        raise InputError(
            "E-FRAME-KIND",
            "a {kind} is not taken",
            "give one column, df['age'], or the numbers of several, df.to_numpy()",
            kind=type(value).__name__,
        )
    kind = getattr(value, "dtype", None) or getattr(value, "type", None)
    if kind is None or isinstance(kind, np.dtype) or isinstance(value, type):
        return value
    if not whole and str(kind).lower().startswith(("float", "double")):
        return value
    if str(kind) == "category":
        raise InputError(
            "E-COLUMN-TYPE", "a column of categories is not taken", "give one of numbers"
        )
    found = (getattr(value, name, None) for name in ("to_list", "to_pylist", "tolist"))
    to_list = next((each for each in found if callable(each)), None)
    return value if to_list is None else list(to_list())


def no_number(kind: type) -> InputError:
    """Return the sentence for a value of a type that is no number."""
    return InputError(
        "E-ARGUMENT-TYPE",
        "value must be a number or an array of numbers, not {kind}",
        "give floats, whole numbers or Fractions",
        kind=kind.__name__,
    )
