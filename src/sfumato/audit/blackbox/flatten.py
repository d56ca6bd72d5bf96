"""Taking one output apart into its entries: vectors, mappings and data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from hashlib import blake2b
from typing import Any

import numpy as np

from sfumato.audit.blackbox.batches import columns_of, is_frame, numbered
from sfumato.audit.blackbox.opening import PLAIN, fields_of, in_order, moment_of, opened
from sfumato.errors import InputError
from sfumato.numeric import shown

__all__ = ["LENGTH", "ROWS", "WHOLE", "flat"]

#: The names of a whole output, and of how much there is of it.
WHOLE, LENGTH, ROWS = "the output", "the length", "the number of rows"


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
