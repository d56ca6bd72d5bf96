"""One entry of every output: as numbers, as keys that tell values apart, and as kinds."""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.opening import in_order
from sfumato.audit.blackbox.raised import Raised
from sfumato.numeric import shown
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ABSENT", "Field", "described", "key_of"]


class _Absent:
    """What stands where an output has no such entry."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()
#: Floats up to here are written as whole numbers where they are.
_EXACT = 2.0**53
#: Added to a float, it makes one zero of the two; their signs are told apart as kinds.
_ZERO = 0.0


@dataclass(frozen=True, eq=False)
class Field:
    """One entry of every output, as numbers where it is one and as keys that tell values apart.

    Attributes
    ----------
    label
        Which entry, in words.
    values
        The values themselves.
    kind
        What the numbers of an array are called; by default it goes by the array's type.

    Examples
    --------
    >>> from sfumato.audit.blackbox.fields import Field
    >>> Field("the output", [1, None]).numbers
    array([ 1., nan])
    """

    label: str
    values: Any
    kind: str | None = None

    @cached_property
    def plain(self) -> bool:
        """Whether the values are an array of numbers.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.audit.blackbox.fields import Field
        >>> Field("the output", np.arange(3)).plain
        True
        """
        return isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iufb"

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The values as floats; NaN where a value is no number.

        Examples
        --------
        >>> from sfumato.audit.blackbox.fields import Field
        >>> Field("the output", ["yes", 2]).numbers
        array([nan,  2.])
        """
        if self.plain:
            return np.asarray(self.values, dtype=np.float64)
        return np.array([_number(each) for each in self.values], dtype=np.float64)

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """A whole number for each value, the same for the same value.

        Examples
        --------
        >>> from sfumato.audit.blackbox.fields import Field
        >>> keys = Field("the output", ["yes", None, "yes"]).keys
        >>> bool(keys[0] == keys[2] != keys[1])
        True
        """
        if self.plain and self.values.dtype.kind == "f":
            return (self.numbers + _ZERO).view(np.int64)
        if self.plain:
            return np.asarray(self.values.astype(np.int64))
        return np.array([key_of(each) for each in self.values], dtype=np.int64)

    @cached_property
    def has_floats(self) -> bool:
        """Whether some value is a float, whose last bits may tell something.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.audit.blackbox.fields import Field
        >>> Field("the output", [None, 0.5]).has_floats, Field("", [Fraction(1, 2)]).has_floats
        (True, False)
        """
        if self.plain:
            return bool(self.values.dtype.kind == "f")
        return any(isinstance(each, (float, np.floating)) for each in self.values)

    @cached_property
    def varies(self) -> bool:
        """Whether there is more than one value.

        Examples
        --------
        >>> from sfumato.audit.blackbox.fields import Field
        >>> Field("the output", [1, 1]).varies
        False
        """
        return bool((self.keys != self.keys[0]).any()) or self.kinds.vary

    @cached_property
    def kinds(self) -> Kinds:
        """What kind of value each is.

        Examples
        --------
        >>> from sfumato.audit.blackbox.fields import Field
        >>> kinds = Field("the output", [1.5, None, None]).kinds
        >>> [kinds.name(draw) for draw in range(3)]
        ['a float', 'None', 'None']
        """
        if self.plain:
            return Kinds.of_array(self.numbers, self.kind or _kind(self.values.dtype.type(1)))
        return Kinds.of_objects(self.values)


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kind of each of many values, in words.

    Attributes
    ----------
    names
        The kinds there may be.
    codes
        For each value the place of its kind in the names.

    Examples
    --------
    >>> from sfumato.audit.blackbox.fields import Kinds
    >>> Kinds.of_objects([None, 1, 2]).codes
    array([0, 1, 1])
    """

    names: tuple[str, ...]
    codes: NDArray[np.int64]

    @classmethod
    def of_objects(cls, values: Any) -> Kinds:
        """Return the kinds of values of any types.

        Examples
        --------
        >>> from sfumato.audit.blackbox.fields import Kinds
        >>> Kinds.of_objects(["yes", None]).names
        ('a str', 'None')
        """
        names = [_kind(each) for each in values]
        known = {name: place for place, name in enumerate(dict.fromkeys(names))}
        return cls(tuple(known), np.array([known[name] for name in names], dtype=np.int64))

    @classmethod
    def of_array(cls, numbers: NDArray[np.float64], kind: str) -> Kinds:
        """Return the kinds of numbers of one type.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.audit.blackbox.fields import Kinds
        >>> numbers = np.array([1.0, np.nan, -0.0])
        >>> Kinds.of_array(numbers, "a number").codes
        array([0, 1, 4])
        """
        names = (kind, "NaN", "+infinity", "-infinity", "-0.0")
        negative_zero = (numbers == 0) & np.signbit(numbers)
        odd = [np.isnan(numbers), numbers == np.inf, numbers == -np.inf, negative_zero]
        return cls(names, np.select(odd, [1, 2, 3, 4], 0).astype(np.int64))

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """A key for each value, the same for the same kind.

        Examples
        --------
        >>> from sfumato.audit.blackbox.fields import Kinds
        >>> keys = Kinds.of_objects([None, 1, 2]).keys
        >>> bool(keys[1] == keys[2] != keys[0])
        True
        """
        return np.array([key_of(name) for name in self.names], dtype=np.int64)[self.codes]

    @property
    def vary(self) -> bool:
        """Whether there is more than one kind.

        Examples
        --------
        >>> from sfumato.audit.blackbox.fields import Kinds
        >>> Kinds.of_objects([1, 2]).vary
        False
        """
        return bool((self.codes != self.codes[0]).any())

    def name(self, draw: int) -> str:
        """Return the kind of one value, in words.

        Examples
        --------
        >>> from sfumato.audit.blackbox.fields import Kinds
        >>> Kinds.of_objects([1, 2]).name(0)
        'a whole number'
        """
        return self.names[int(self.codes[draw])]


def key_of(value: Any) -> int:
    """Return a whole number that tells values apart; equal values of one type share it.

    Examples
    --------
    >>> from sfumato.audit.blackbox.fields import key_of
    >>> key_of("yes") == key_of("yes"), key_of(0.0) == key_of(-0.0)
    (True, True)
    """
    if isinstance(value, (bool, np.bool_)) or (
        isinstance(value, (int, np.integer)) and -(2**63) <= value < 2**63
    ):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return int((np.float64(value) + _ZERO).view(np.int64))
    digest = blake2b(_text(value).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def described(value: Any) -> str:
    """Return an outcome in words; the message of an exception is left out.

    Examples
    --------
    >>> from sfumato.audit.blackbox.fields import described
    >>> described("yes"), described(-0.0), described({2, 1})
    ("'yes'", '0', '{1, 2}')
    """
    if isinstance(value, Raised):
        return f"{value} with a certain message"
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
        return f"a {type(value).__name__}"


def _number(value: Any) -> float:
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    if not isinstance(value, Real) and type(value).__name__ != "Decimal":
        return math.nan
    try:
        return float(value)
    except (OverflowError, ValueError):
        return math.nan


def _kind(value: Any) -> str:
    """Return what kind of outcome a value is, in words."""
    if value is None or value is ABSENT or isinstance(value, Raised):
        return str(value)
    if isinstance(value, (float, np.floating)) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "+infinity" if value > 0 else "-infinity"
    if isinstance(value, (float, np.floating)) and value == 0 and math.copysign(1, value) < 0:
        return "-0.0"
    name = type(value).__name__
    if isinstance(value, Integral) and not isinstance(value, (bool, np.bool_)):
        return "a whole number" if name in ("int", "int64") else f"a whole number ({name})"
    return "a number" if name == "float64" else f"a {name.removesuffix('_')}"


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
