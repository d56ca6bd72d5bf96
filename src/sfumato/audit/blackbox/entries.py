"""What a call returned, taken apart: its rows as they came, and the entries of one output."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import deepcopy
from hashlib import blake2b
from typing import Any

import numpy as np

from sfumato.audit.blackbox.values import PLAIN, fields_of, in_order, moment_of, opened
from sfumato.errors import InputError
from sfumato.numeric import shown

_EXACT, _HUGE = 2.0**53, 2.0**1023
#: The names of a whole output, and of how much there is of it.
WHOLE, LENGTH, ROWS = "the output", "the length", "the number of rows"


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
        return _column_entries(outputs)
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
    entries = numbered((name, _column_entries(column)) for name, column in columns)
    if len(entries) == 1:
        return next(iter(entries.values()))
    names = sorted(entries, key=str)
    entries = {name: entries[name] for name in names}
    return [dict(zip(names, row, strict=True)) for row in zip(*entries.values(), strict=True)]


def _column_entries(column: Any) -> Any:
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


def flat(output: Any) -> dict[str, Any]:
    """Return the entries of an output by their names; a single value is all of it."""
    whole = opened(output)
    if type(whole) in PLAIN:
        return {WHOLE: whole}
    try:
        found = numbered(_entries(whole, ""))
    except RecursionError:
        raise InputError(
            "E-FUNCTION-RESULT",
            "release gave an output that contains itself",
            "return one that ends",
        ) from None
    if is_frame(whole):
        found[ROWS] = len(whole)
    elif _is_sequence(whole):
        found[LENGTH] = _length(whole)
    return found


def _length(value: Any) -> int | None:
    try:
        return len(value)
    except Exception:  # noqa: BLE001 - whatever it is, it does not tell its length
        return None


def _entries(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    value = None if value is np.ma.masked else opened(value)
    parts = None if type(value) in PLAIN else _parts(value)
    if parts is None:
        yield path or WHOLE, value
        return
    empty = bool(path)
    for name, part in parts:
        yield from _entries(part, f"{path}, {name}" if path else name)
        empty = False
    if empty:
        yield path, f"an empty {type(value).__name__}"


def _parts(value: Any) -> Iterator[tuple[str, Any]] | None:
    """Return the named parts of a value, or None where it has none."""
    if type(value) in (list, tuple):
        return _coordinates(value)
    if isinstance(value, Mapping):
        return ((f"the entry {_key(key)}", each) for key, each in value.items())
    if is_frame(value):
        return _cells(value)
    if _has_keys(value):
        keyed = zip(value.index, value, strict=True)
        return iter(numbered((f"the entry {_key(key)}", each) for key, each in keyed).items())
    if isinstance(value, (complex, np.complexfloating)):
        return iter([("the real part", value.real), ("the imaginary part", value.imag)])
    named = moment_of(value) or fields_of(value)
    if named is not None:
        return named
    if isinstance(value, AbstractSet):
        value = in_order(value)
    return _coordinates(value) if _is_sequence(value) else None


def _coordinates(values: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    return ((f"coordinate {index}", each) for index, each in enumerate(values))


def _cells(frame: Any) -> Iterator[tuple[str, Any]]:
    """Yield the cells of a data frame by column and by the keys of their rows."""
    columns = numbered((name, np.asarray(each)) for name, each in columns_of(frame))
    keys = [each for each in columns.values() if each.dtype.kind not in "iufb"]
    if _has_keys(frame):
        keys.insert(0, np.asarray(frame.index))
    cells = {name: each for name, each in columns.items() if each.dtype.kind in "iufb"}
    rows = zip(*keys, strict=True) if keys else ((index,) for index in range(len(frame)))
    for index, row in enumerate(rows):
        name = ", ".join(map(_key, row))
        yield f"the row {name}", True
        for column, values in cells.items():
            yield f"{column} of row {name}", values[index]


def _key(key: Any) -> str:
    """Return a key as a message can show it, marked where cut so that no two look alike."""
    text = shown(key)
    if not text.endswith("…"):
        return text
    return f"{text} ({blake2b(repr(key).encode(), digest_size=4).hexdigest()})"


def _is_sequence(value: Any) -> bool:
    if isinstance(value, (str, bytes, bytearray, memoryview)):
        return False
    several = hasattr(type(value), "__array__") and np.ndim(value) > 0
    return several or isinstance(value, (Sequence, AbstractSet))


def _has_keys(value: Any) -> bool:
    """Tell whether rows have names of their own: an index that does not just count them."""
    table = hasattr(type(value), "__array__") and hasattr(type(value), "__len__")
    index = getattr(value, "index", None) if table else None
    return index is not None and not callable(index) and type(index).__name__ != "RangeIndex"
