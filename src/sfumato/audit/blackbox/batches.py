"""The rows of what a call returned, each read as if it had come alone, and kept as they came."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from copy import deepcopy
from typing import Any

import numpy as np

from sfumato.audit.blackbox.opening import PLAIN
from sfumato.errors import InputError

__all__ = ["by_value", "columns_of", "is_frame", "kept", "numbered", "refuse_guarantee", "rows_of"]

_EXACT, _HUGE = 2.0**53, 2.0**1023


def is_frame(value: Any) -> bool:
    """Tell whether a value is a data frame: something with rows and columns by name."""
    columns = getattr(value, "columns", None)
    table = hasattr(type(value), "__len__") and hasattr(type(value), "__getitem__")
    return table and isinstance(columns, Iterable) and not isinstance(columns, (str, bytes))


def refuse_guarantee(output: Any) -> None:
    """Refuse what an asynchronous function gives: there is no output yet."""
    guarantee = type(output) not in PLAIN and (
        inspect.isawaitable(output) or inspect.isasyncgen(output)
    )
    if not guarantee:
        return
    if inspect.iscoroutine(output):
        output.close()
    raise InputError(
        "E-FUNCTION-RESULT",
        "release gave a {kind}, which is no output yet",
        "write lambda dataset: asyncio.run(release(dataset))",
        kind=type(output).__name__,
    )


def kept(output: Any) -> Any:
    """Return an output that no later call can change: containers are copied."""
    if type(output) in PLAIN:
        return output
    if isinstance(output, np.ndarray):
        return output.copy()
    if type(output) in (list, tuple) and all(type(each) in PLAIN for each in output):
        return type(output)(output)
    holds = isinstance(output, (list, tuple, Mapping, AbstractSet, bytearray))
    try:
        return deepcopy(output) if holds or is_frame(output) or hasattr(output, "iloc") else output
    except Exception:  # noqa: BLE001 - whatever cannot be copied is taken as it is
        return output


def rows_of(outputs: Any) -> Any:
    """Return the outputs of one call, of which none depends on those beside it.

    The type of an array, a column or a frame belongs to the call: one missing number makes
    floats of all the others.  So numbers in them are read by their value, and 1 is 1.0.
    """
    if is_frame(outputs):
        return _rows_of_frame(columns_of(outputs))
    names = getattr(getattr(outputs, "dtype", None), "names", None)
    if names:
        return _rows_of_frame([(name, outputs[name]) for name in names])
    if hasattr(outputs, "__array__"):
        return _entries(outputs)
    return [kept(each) for each in outputs]


def columns_of(frame: Any) -> list[tuple[Any, Any]]:
    """Return the columns of a data frame with their names, which may repeat."""
    names = list(frame.columns)
    if hasattr(frame, "iloc"):
        return [(name, frame.iloc[:, place]) for place, name in enumerate(names)]
    return [(name, frame[name]) for name in names]


def numbered(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return values by their names, with a number at each name that was there before."""
    found: dict[Any, Any] = {}
    seen: dict[Any, int] = {}
    for name, value in pairs:
        own = name
        while own in found:
            seen[name] = seen.get(name, 1) + 1
            own = f"{name} (number {seen[name]})"
        found[own] = value
    return found


def by_value(output: Any) -> Any:
    """Return the numbers of an array as whole ones where they are, for a function of the caller."""
    if isinstance(output, dict):
        return {name: by_value(each) for name, each in output.items()}
    if not isinstance(output, (np.float64, np.ndarray)) or output.dtype != np.float64:
        return output
    if not np.all((np.abs(output) < _EXACT) & (output == np.round(output))):
        return output.item() if output.ndim == 0 else output
    return int(output) if output.ndim == 0 else output.astype(np.int64)


def _rows_of_frame(columns: list[tuple[Any, Any]]) -> Any:
    """Return the rows of columns: values where there is one column, else mappings."""
    entries = numbered((name, _entries(column)) for name, column in columns)
    if len(entries) == 1:
        return next(iter(entries.values()))
    names = sorted(entries, key=str)
    entries = {name: entries[name] for name in names}
    return [dict(zip(names, row, strict=True)) for row in zip(*entries.values(), strict=True)]


def _entries(column: Any) -> Any:
    """Return the entries of an array or a column: floats, or a list of what else they are."""
    mask = np.ma.getmaskarray(column) if isinstance(column, np.ma.MaskedArray) else None
    values = np.asarray(column)
    if values.dtype.kind in "iufb":
        values = values.astype(np.float64)
    if mask is not None and mask.any():
        return _masked(list(values), list(mask))
    if values.dtype == np.float64:
        return values
    if values.ndim != 1:
        return [kept(each) for each in values]
    missing = not isinstance(column, np.ndarray)
    return [_entry(each, missing=missing) for each in values]


def _masked(values: list[Any], mask: list[Any]) -> list[Any]:
    """Return entries with None where they are masked."""
    return [
        (None if hidden else each) if np.ndim(hidden) == 0 else _masked(list(each), list(hidden))
        for each, hidden in zip(values, mask, strict=True)
    ]


def _entry(value: Any, *, missing: bool) -> Any:
    """Return an entry by its value; in a column every missing one is NaN."""
    if isinstance(value, np.str_):
        return _number_of(str(value))
    if isinstance(value, (complex, np.complexfloating)):
        return np.float64(value.real) if value.imag == 0 else value
    if isinstance(value, (bool, np.bool_, int, float, np.integer, np.floating)):
        return np.float64(value) if -_HUGE < value < _HUGE else kept(value)
    if missing and (value is None or type(value).__name__ in ("NaTType", "NAType")):
        return np.float64(np.nan)
    return kept(value)


def _number_of(text: str) -> Any:
    """Return the number of which an array of texts has made a text, or the text."""
    if text in ("True", "False"):
        return np.float64(text == "True")
    try:
        number = float(text)
    except ValueError:
        return text
    whole = number.is_integer() and abs(number) < _EXACT and text == str(int(number))
    return np.float64(number) if whole or text == str(number) else text
