"""What an object stands for: the value it wraps, its fields, or its elements in order."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from numbers import Number
from typing import Any

import numpy as np

from sfumato.audit.blackbox.raised import Raised

__all__ = ["PLAIN", "fields_of", "in_order", "is_readable", "moment_of", "opened"]

_CLOCK = (date, time, timedelta)
_SCALARS = (Number, str, bytes, bytearray, Enum, np.generic, Raised, *_CLOCK)
#: The types that most outputs have: single values, as they are.
PLAIN = {int, float, bool, str, bytes, type(None), np.float64, np.int64, np.bool_, Raised}
#: Containers that wrap nothing.
_CONTAINERS = {list, tuple, dict, set, frozenset}
_MICROSECOND = timedelta(microseconds=1)
_EPOCH = date(1970, 1, 1)
_DEEPEST = 8


def opened(value: Any) -> Any:
    """Return what an object wraps: its attribute ``value``, or the one number of an array.

    A dataclass is read by all of its fields instead, unless it comes with a guarantee.
    """
    if type(value) in PLAIN or type(value) in _CONTAINERS:
        return value
    for _ in range(_DEEPEST):
        if not _wraps(value):
            break
        value = value.value
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return value.astype(f"{'M' if isinstance(value, np.datetime64) else 'm'}8[us]").item()
    single = hasattr(type(value), "__array__") and not isinstance(value, np.generic)
    return np.asarray(value)[()] if single and np.ndim(value) == 0 else value


def _wraps(value: Any) -> bool:
    """Tell whether an object is read as its attribute ``value``."""
    plain = (type(None), *_SCALARS, Mapping, Sequence, AbstractSet, np.ndarray)
    if isinstance(value, plain) or hasattr(value, "columns") or hasattr(value, "index"):
        return False
    by_fields = is_dataclass(value) and not hasattr(value, "guarantee")
    return hasattr(value, "value") and not by_fields and not isinstance(value, type)


def fields_of(value: Any) -> Iterator[tuple[str, Any]] | None:
    """Return the fields of a dataclass or a named tuple by name, with its type; else None."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        names = value._fields
    elif is_dataclass(value) and not isinstance(value, (type, Raised)):
        names = tuple(each.name for each in fields(value))
    else:
        return None
    named = ((f"the field {name}", getattr(value, name, None)) for name in names)
    return iter([("the type", type(value).__name__), *named])


def moment_of(value: Any) -> Iterator[tuple[str, Any]] | None:
    """Return a date or a span of time as text and as a number; None for anything else."""
    if isinstance(value, datetime):
        begin = datetime(1970, 1, 1, tzinfo=value.tzinfo)
        number = (value - begin) // _MICROSECOND
        return iter([("the time", value.isoformat()), ("the microseconds since 1970", number)])
    if isinstance(value, date):
        number = (value - _EPOCH).days
        return iter([("the date", value.isoformat()), ("the days since 1970", number)])
    if isinstance(value, timedelta):
        return iter([("the microseconds", value // _MICROSECOND)])
    return None


def in_order(elements: AbstractSet[Any]) -> list[Any]:
    """Return the elements of a set in an order that does not depend on how it was made."""
    try:
        return sorted(elements)
    except TypeError:
        return sorted(elements, key=repr)


def is_readable(value: Any) -> bool:
    """Tell whether a single value can be told from others: plain, or hashable with its own text."""
    if value is None or isinstance(value, _SCALARS):
        return True
    kind = type(value)
    own = all(getattr(kind, name) is not getattr(object, name) for name in ("__eq__", "__repr__"))
    return own and isinstance(value, Hashable)
