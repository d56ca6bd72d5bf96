"""Reading numbers into a distribution: what is a count, what a probability, what is refused."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.numeric import any_float, exact, is_exact
from sfumato.refusal import Argument, Given, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from fractions import Fraction


Labels = tuple["Hashable", ...]
_TOLERANCE = {2: 1e-2, 4: 1e-5, 8: 1e-9}
_WANTED = "give probabilities that sum to one, or counts as integers"
_TEXT, _ELSE = mark("text"), mark("something else")
#: What arrays hold that are of no numbers, by the kinds of NumPy.
_KINDS = {"U": _TEXT, "S": _TEXT, "b": mark("true/false values")}
_NEGATIVE = mark("a negative entry")
_MISSING = mark("a missing (NaN) entry")
_INFINITE = mark("an infinite entry")


class Frame(Protocol):
    """What has columns, and perhaps an index: a pandas, polars or Arrow frame."""

    @property
    def columns(self) -> Any:
        """The columns, or their names."""


def is_frame(values: Any) -> bool:
    """Tell whether something is a pandas, polars or Arrow frame, by what it has."""
    return hasattr(values, "columns") or hasattr(values, "column_names")


def is_default_index(index: Any) -> bool:
    """Tell whether the index of a pandas column or frame only numbers its rows from 0."""
    return getattr(index, "start", None) == 0 and getattr(index, "step", None) == 1


def frame_axes(frame: Any, name: Given) -> tuple[Labels | None, Labels | None]:
    """Return the labels of the rows and of the columns; None for those that are only numbered."""
    columns = getattr(frame, "column_names", None) or frame.columns
    return _labels(getattr(frame, "index", None), name), _labels(columns, name)


def count_labels(frame: Any, name: Given) -> tuple[Labels, Labels]:
    """Return the labels of the rows and columns of a table of counts, such as a crosstab.

    A frame that only numbers its rows holds observations, not counts: refused.
    """
    rows, columns = frame_axes(frame, name)
    if rows is None:
        raise InputError(
            "E-TABLE-KIND",
            "{name} is a table of rows, and a table of counts is needed",
            "Joint.from_columns counts them, and a crosstab is a table of counts",
            name=Argument(name),
        )
    return rows, tuple(range(len(frame.columns))) if columns is None else columns


def _labels(axis: Any, name: Given) -> Labels | None:
    if axis is None or is_default_index(axis):
        return None
    labels = tuple(axis)
    if len(set(labels)) < len(labels):
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "two rows or two columns of {name} have the same label",
            "label each differently",
            name=name,
        )
    return labels


Floats = NDArray[np.float64]
Integers = list[int] | NDArray[np.integer[Any]]


def split_labels(values: Any, name: Given) -> tuple[tuple[Hashable, ...] | None, Iterable[Any]]:
    """Return the outcomes, if they are named, and the numbers."""
    if isinstance(values, Mapping):
        return tuple(values), list(values.values())
    if is_frame(values):
        rows, columns = count_labels(values, name)
        return tuple((row, column) for row in rows for column in columns), np.asarray(values)
    index = getattr(values, "index", None)
    if index is None or callable(index) or is_default_index(index):
        return None, values
    labels = tuple(index)
    if len(set(labels)) < len(labels):
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "the index of {name} repeats an outcome",
            "add up its rows first",
            name=name,
        )
    return labels, values


def held_values(values: Iterable[Any], name: Given) -> tuple[NDArray[Any], int]:
    """Return checked numbers as they are held: floats over 1, or integers over their total."""
    array = flat_array(values, name)
    if array.dtype.kind == "f":
        return checked_floats(array, name), 1
    numerators, total = checked_integers(array, name)
    return np.asarray(numerators, dtype=np.int64 if total < 2**63 else object), total


def flat_array(column: Iterable[Any], name: Given) -> NDArray[Any]:
    """Return the numbers as a flat array of floats, of integers, or of exact objects."""
    if isinstance(column, (str, bytes)):
        raise _not_numbers(name, _TEXT)
    if not isinstance(column, Iterable):
        raise _not_a_column(column, name)
    if isinstance(column, np.ma.MaskedArray):
        column = column.ravel().tolist()
    try:
        array = np.asarray(column if hasattr(column, "__array__") else list(column)).ravel()
    except (TypeError, ValueError):
        raise _not_numbers(name, _ELSE) from None
    if array.size == 0:
        raise InputError(
            "E-DISTRIBUTION-EMPTY",
            "{name} is empty",
            "give at least one outcome",
            name=Argument(name),
        )
    if array.dtype.kind == "O":
        return _objects_as_array(array, name)
    if array.dtype.kind not in "iuf":
        raise _not_numbers(name, _KINDS.get(array.dtype.kind, _ELSE))
    return array


def _objects_as_array(array: NDArray[Any], name: Given) -> NDArray[Any]:
    """Keep exact numbers as they are; anything that mixes in a float or a gap becomes floats."""
    items = array.tolist()
    if all(is_exact(each) and not isinstance(each, bool) for each in items):
        return array
    if all(
        each is None or (isinstance(each, (Real, Decimal)) and not isinstance(each, bool))
        for each in items
    ):
        return np.array([any_float(each) for each in items])
    raise _not_numbers(name, _TEXT if any(isinstance(each, str) for each in items) else _ELSE)


def _not_numbers(name: Given, kind: str) -> InputError:
    error = InputError(
        "E-DISTRIBUTION-FORM", "{name} holds {kind}, not numbers", _WANTED, name=name, kind=kind
    )
    if kind == _TEXT:
        error.refusal = error.refusal.adding("value_counts() or Joint.from_columns counts values")
    return error


def _not_a_column(value: object, name: Given) -> InputError:
    if callable(getattr(value, "cdf", None)):
        return InputError(
            "E-DISTRIBUTION-FORM",
            "{name} is a continuous distribution",
            "this is measured of finite distributions only",
            name=Argument(name),
        )
    return InputError(
        "E-DISTRIBUTION-FORM",
        "{name} is not a list, array, column or mapping",
        _WANTED,
        name=name,
    )


def checked_floats(array: NDArray[Any], name: Given) -> Floats:
    """Return probabilities that are finite, 0 or more, and sum to one; refuse any others."""
    floats: Floats = array.astype(np.float64, copy=False)
    if not floats.min() >= 0:
        raise _bad_entry(floats, name)
    total = float(floats.sum())
    if not abs(total - 1) <= _TOLERANCE.get(array.dtype.itemsize, 1e-9):
        raise _bad_sum(total, name) if math.isfinite(total) else _bad_entry(floats, name)
    return floats if array.dtype.itemsize >= 8 else floats / total


def checked_integers(array: NDArray[Any], name: Given) -> tuple[Integers, int]:
    """Return numerators over a common denominator: counts over their sum, or exact parts of one."""
    if array.dtype.kind in "iu":
        counts: Integers = array
        smallest, total = int(array.min()), _integer_sum(array)
    else:
        counts, total = _over_common_denominator(array.tolist(), name)
        smallest = min(counts)
    if smallest < 0:
        signs = np.array([-1.0 if each < 0 else 0.0 for each in counts])
        raise _bad_entry(signs, name)
    if total == 0:
        raise InputError(
            "E-DISTRIBUTION-EMPTY",
            "{name} holds only zeros",
            "give at least one positive count",
            name=name,
        )
    return counts, total


def _over_common_denominator(items: list[Any], name: Given) -> tuple[list[int], int]:
    if all(isinstance(each, Rational) and each.denominator == 1 for each in items):
        counts = [int(each) for each in items]
        return counts, sum(counts)
    fractions = [exact(each, text("an entry of {name}", name=name)) for each in items]
    total = sum(fractions)
    if total != 1 and min(fractions) >= 0:
        raise _bad_sum(total, name)
    shared = math.lcm(*(each.denominator for each in fractions))
    return [each.numerator * (shared // each.denominator) for each in fractions], shared


def _integer_sum(array: NDArray[np.integer[Any]]) -> int:
    bound = max(abs(int(array.min())), abs(int(array.max()))) * array.size
    return int(array.sum()) if bound < 2**63 else sum(array.tolist())


def divided(numerators: Integers | None, total: int) -> Floats:
    """Return numerators over one denominator as floats."""
    if isinstance(numerators, np.ndarray):
        floats: Floats = numerators / float(total)
        return floats
    return np.array([each / total for each in numerators or []])


def _bad_entry(floats: Floats, name: Given) -> InputError:
    position = int(np.argmax(~((floats >= 0) & np.isfinite(floats))))
    value = floats[position]
    return InputError(
        "E-PROBABILITY-NEGATIVE" if value < 0 else "E-NUMBER-NOT-FINITE",
        "{name} has {entry} at position {position}",
        "probabilities and counts are finite and 0 or more",
        name=name,
        entry=_NEGATIVE if value < 0 else _MISSING if np.isnan(value) else _INFINITE,
        position=position,
    )


def _bad_sum(total: float | Fraction, name: Given) -> InputError:
    given = {"name": name, "whole": any_float(total), "gap": abs(any_float(total - 1))}
    if total > 1:
        return InputError(
            "E-PROBABILITIES-SUM",
            "{name} sums to {whole:.10g}, which is {gap:.3g} above 1",
            _WANTED,
            **given,
        )
    return InputError(
        "E-PROBABILITIES-SUM",
        "{name} sums to {whole:.10g}, which is {gap:.3g} below 1",
        _WANTED,
        **given,
    )
