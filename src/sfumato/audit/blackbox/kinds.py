"""What kinds of values there are among many."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.raised import Raised
from sfumato.audit.blackbox.values import ABSENT, key_of
from sfumato.numeric.cached import cached_property
from sfumato.translation import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Kinds", "kind_of"]


@dataclass(frozen=True, eq=False)
class Kinds:
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
    def of_objects(cls, values: Any) -> Kinds:
        """Return the kinds of values of any types."""
        names = [kind_of(each) for each in values]
        known = {name: place for place, name in enumerate(dict.fromkeys(names))}
        return cls(tuple(known), np.array([known[name] for name in names], dtype=np.int64))

    @classmethod
    def of_array(cls, numbers: NDArray[np.float64], kind: str) -> Kinds:
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
