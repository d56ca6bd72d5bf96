"""One entry of every output: as numbers, as keys that tell values apart, and as kinds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.kinds import Kinds, kind_of
from sfumato.audit.blackbox.values import ABSENT, ZERO, key_of
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Field"]

#: Types of values that are equal only where nothing tells them apart, and that often repeat.
_WORDS = {str, bytes, type(None), type(ABSENT)}


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
    """

    label: str
    values: Any
    kind: str | None = None

    @cached_property
    def plain(self) -> bool:
        """Whether the values are an array of numbers."""
        return isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iufb"

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The values as floats; NaN where a value is no number."""
        if self.plain:
            return np.asarray(self.values, dtype=np.float64)
        return np.array([_number(each) for each in self.values], dtype=np.float64)

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """A whole number for each value, the same for the same value."""
        if self.plain and self.values.dtype.kind == "f":
            return (self.numbers + ZERO).view(np.int64)
        if self.plain:
            return np.asarray(self.values.astype(np.int64))
        if set(map(type, self.values)) <= _WORDS:
            known = {each: key_of(each) for each in set(self.values)}
            return np.array([known[each] for each in self.values], dtype=np.int64)
        return np.array([key_of(each) for each in self.values], dtype=np.int64)

    @cached_property
    def has_floats(self) -> bool:
        """Whether some value is a float, whose last bits may tell something."""
        if self.plain:
            return bool(self.values.dtype.kind == "f")
        return any(isinstance(each, (float, np.floating)) for each in self.values)

    @cached_property
    def varies(self) -> bool:
        """Whether there is more than one value."""
        return bool((self.keys != self.keys[0]).any()) or self.kinds.vary

    @cached_property
    def kinds(self) -> Kinds:
        """What kind of value each is."""
        if self.plain:
            return Kinds.of_array(self.numbers, self.kind or kind_of(self.values.dtype.type(1)))
        return Kinds.of_objects(self.values)


def _number(value: Any) -> float:
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    if not isinstance(value, Real) and type(value).__name__ != "Decimal":
        return math.nan
    try:
        return float(value)
    except (OverflowError, ValueError):
        return math.nan
