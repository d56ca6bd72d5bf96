"""Single values: what they stand for, keys that tell them apart, and their kinds in words."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from hashlib import blake2b
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import cached_property, shown
from sfumato.translation import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CLOCK = (date, time, timedelta)
#: Containers that wrap nothing.
_CONTAINERS = {list, tuple, dict, set, frozenset}
_MICROSECOND = timedelta(microseconds=1)
_EPOCH = date(1970, 1, 1)
_DEEPEST = 8
#: Floats up to here are written as whole numbers where they are.
_EXACT = 2.0**53
#: Added to a float, it makes one zero of the two; their signs are told apart as kinds.
ZERO = 0.0


class Happened(str):
    """An outcome in words that say what happened, not what there is."""

    __slots__ = ()


@dataclass(frozen=True)
class Raised:
    """An exception as an outcome; its message tells outcomes apart and is never shown."""

    kind: str
    message: str

    @classmethod
    def of(cls, error: Exception) -> Raised:
        """Return the outcome that an exception is."""
        try:
            message = str(error)
        except Exception:  # noqa: BLE001 - whatever it is, it has no message
            message = ""
        return cls(type(error).__name__, message)

    def __str__(self) -> str:
        return Happened(tr("raised {kind}", kind=self.kind))

    def with_its_message(self) -> Happened:
        """Return that it was raised with this message, which is not shown."""
        return Happened(tr("raised {kind} with a certain message", kind=self.kind))


_SCALARS = (Number, str, bytes, bytearray, Enum, np.generic, Raised, *_CLOCK)
#: The types that most outputs have: single values, as they are.
PLAIN = {int, float, bool, str, bytes, type(None), np.float64, np.int64, np.bool_, Raised}


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


class _Absent:
    """What stands where an output has no such entry."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()


def key_of(value: Any) -> int:
    """Return a whole number that tells values apart; equal values of one type share it."""
    if isinstance(value, (bool, np.bool_)) or (
        isinstance(value, (int, np.integer)) and -(2**63) <= value < 2**63
    ):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return int((np.float64(value) + ZERO).view(np.int64))
    digest = blake2b(_text(value).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def described(value: Any) -> str:
    """Return an outcome in words; the message of an exception is left out."""
    if isinstance(value, Raised):
        return value.with_its_message()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    if isinstance(value, AbstractSet):
        return f"{{{shown(in_order(value))[1:-1]}}}"
    try:
        return shown(value)
    except Exception:  # noqa: BLE001 - whatever it is, it has no text
        return tr("a {kind}", kind=type(value).__name__)


def _text(value: Any) -> str:
    """Return a text that is the same for equal values."""
    if isinstance(value, (set, frozenset)):
        return f"set {sorted(map(_text, value))}"
    if isinstance(value, Raised):
        return f"raised {value.kind}: {value.message}"
    if isinstance(value, np.generic):
        value = value.item()
    name = type(value).__qualname__
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - whatever it is, it has no text
        return name
    return name if " at 0x" in text else f"{name} {text}"


@dataclass(frozen=True, eq=False)
class ValueKinds:
    """The kind of each of many values, in words.

    Attributes
    ----------
    names
        The kinds there may be.
    codes
        For each value the place of its kind in the names.
    """

    names: tuple[str, ...]
    codes: NDArray[np.int64]

    @classmethod
    def of_objects(cls, values: Any) -> ValueKinds:
        """Return the kinds of values of any types."""
        names = [kind_of(each) for each in values]
        known = {name: place for place, name in enumerate(dict.fromkeys(names))}
        return cls(tuple(known), np.array([known[name] for name in names], dtype=np.int64))

    @classmethod
    def of_array(cls, numbers: NDArray[np.float64], kind: str) -> ValueKinds:
        """Return the kinds of numbers of one type."""
        names = (kind, "NaN", "+infinity", "-infinity", "-0.0")
        negative_zero = (numbers == 0) & np.signbit(numbers)
        odd = [np.isnan(numbers), numbers == np.inf, numbers == -np.inf, negative_zero]
        return cls(names, np.select(odd, [1, 2, 3, 4], 0).astype(np.int64))

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """A key for each value, the same for the same kind."""
        return np.array([key_of(name) for name in self.names], dtype=np.int64)[self.codes]

    @property
    def vary(self) -> bool:
        """Whether there is more than one kind."""
        return bool((self.codes != self.codes[0]).any())

    def name(self, draw: int) -> str:
        """Return the kind of one value, in words."""
        return self.names[int(self.codes[draw])]


def kind_of(value: Any) -> str:
    """Return what kind of outcome a value is, in words."""
    if value is None or value is ABSENT or isinstance(value, Raised):
        return str(value)
    if isinstance(value, (float, np.floating)) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "+infinity" if value > 0 else "-infinity"
    if isinstance(value, (float, np.floating)) and value == 0 and math.copysign(1, value) < 0:
        return "-0.0"
    name = type(value).__name__
    if isinstance(value, Integral) and not isinstance(value, (bool, np.bool_)):
        return (
            tr("a whole number")
            if name in ("int", "int64")
            else tr("a whole number ({name})", name=name)
        )
    if name == "float64":
        return tr("a number")
    return tr("a {kind}", kind=name.removesuffix("_"))


def are_equal(data: Any, other: Any) -> bool:
    """Tell whether two tables are the same; False where that cannot be told."""
    try:
        if hasattr(data, "equals"):
            return bool(data.equals(other))
        return np.array_equal(data, other) if hasattr(data, "__array__") else bool(data == other)
    except Exception:  # noqa: BLE001 - whatever they are, they cannot be compared
        return False
