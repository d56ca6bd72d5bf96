"""Taking one output apart into its entries: vectors, mappings and data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from sfumato.numeric import shown

__all__ = ["LENGTH", "ROWS", "WHOLE", "flat"]

#: The names of a whole output, and of how much there is of it.
WHOLE, LENGTH, ROWS = "the output", "the length", "the number of rows"


def flat(output: Any) -> dict[str, Any]:
    """Return the entries of an output by their names; a single value is all of it.

    Examples
    --------
    >>> from sfumato.audit.blackbox.flatten import flat
    >>> flat([1, 2])
    {'coordinate 0': 1, 'coordinate 1': 2, 'the length': 2}
    >>> flat(None)
    {'the output': None}
    """
    found = dict(_entries(output, ""))
    if hasattr(output, "columns"):
        found[ROWS] = len(output)
    elif _is_sequence(output):
        found[LENGTH] = len(output)
    return found


def _entries(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    parts = _parts(value)
    if parts is None:
        yield path or WHOLE, value
        return
    for name, part in parts:
        yield from _entries(part, f"{path}, {name}" if path else name)


def _parts(value: Any) -> Iterator[tuple[str, Any]] | None:
    """Return the named parts of a value, or None where it has none."""
    if isinstance(value, Mapping):
        return ((f"the entry {shown(key)}", each) for key, each in value.items())
    if hasattr(value, "columns") and hasattr(value, "__len__"):
        return _cells(value)
    if _has_keys(value):
        return _parts(dict(zip(value.index, value, strict=True)))
    if isinstance(value, (complex, np.complexfloating)):
        return iter([("the real part", value.real), ("the imaginary part", value.imag)])
    if _is_sequence(value):
        return ((f"coordinate {index}", each) for index, each in enumerate(value))
    return None


def _cells(frame: Any) -> Iterator[tuple[str, Any]]:
    """Yield the cells of a data frame by column and by the keys of their rows."""
    columns = {name: np.asarray(frame[name]) for name in frame.columns}
    keys = [each for each in columns.values() if each.dtype.kind not in "iufb"]
    if _has_keys(frame):
        keys.insert(0, np.asarray(frame.index))
    cells = {name: each for name, each in columns.items() if each.dtype.kind in "iufb"}
    rows = zip(*keys, strict=True) if keys else ((index,) for index in range(len(frame)))
    for index, row in enumerate(rows):
        name = ", ".join(map(shown, row))
        yield f"the row {name}", True
        for column, values in cells.items():
            yield f"{column} of row {name}", values[index]


def _is_sequence(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (hasattr(value, "__array__") and np.ndim(value) > 0)


def _has_keys(value: Any) -> bool:
    """Tell whether rows have names of their own: an index that does not just count them."""
    index = getattr(value, "index", None)
    return index is not None and not callable(index) and type(index).__name__ != "RangeIndex"
