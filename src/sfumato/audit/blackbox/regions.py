"""Sets of values of a feature: an interval, some keys, or the last digits of numbers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.values import Happened
from sfumato.printing import all_of_these, any_of_these
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

_MOST_LISTED = 4
#: Kinds of outcomes that need no value to be said.
_KINDS = {"None", "NaN", "+infinity", "-infinity", "absent"}
#: How hard events are to say.
_ODD, _SIMPLE, _NOT_ONE, _TWO_ENDS, _OUTSIDE, _SET, _NOT_A_SET = range(7)
MODULI = (2, 3, 5, 16)
_DIGITS = 53
_KEPT = 3


class Region(ABC):
    """A set of values, fixed before the draws that are tested."""

    @abstractmethod
    def holds(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell for each value whether it is in the set; NaN never is."""

    @abstractmethod
    def said_of(self, subject: str) -> str:
        """Return the event that the subject lies in the set, in words."""

    @property
    @abstractmethod
    def effort(self) -> int:
        """How hard it is to say: 0 for an exception or None, 1 for one value or a half line."""

    @property
    def outcomes(self) -> tuple[str, ...]:
        """All the values of the set in words, where it is a list of them."""
        return ()


@dataclass(frozen=True)
class Between(Region):
    """All numbers above ``low`` and up to ``high``; infinite ends are no ends."""

    low: float
    high: float

    def holds(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell for each number whether it lies between the ends."""
        above = column >= self.low if self.low == -math.inf else column > self.low
        return np.asarray(above & (column <= self.high))

    def said_of(self, subject: str) -> str:
        """Return the event in words."""
        given = {"subject": subject, "low": _digits(self.low), "high": _digits(self.high)}
        match self.low > -math.inf, self.high < math.inf:
            case True, True:
                return tr("{subject} is above {low} and at most {high}", **given)
            case True, False:
                return tr("{subject} is above {low}", **given)
            case False, True:
                return tr("{subject} is at most {high}", **given)
        return tr("{subject} is a number", **given)

    @property
    def effort(self) -> int:
        """How hard the event is to say."""
        return _SIMPLE if math.isinf(self.low) or math.isinf(self.high) else _TWO_ENDS


@dataclass(frozen=True)
class Outside(Region):
    """All numbers up to ``low`` or above ``high``."""

    low: float
    high: float

    def holds(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell for each number whether it lies outside."""
        return np.asarray((column <= self.low) | (column > self.high))

    def said_of(self, subject: str) -> str:
        """Return the event in words."""
        return tr(
            "{subject} is at most {low} or above {high}",
            subject=subject,
            low=_digits(self.low),
            high=_digits(self.high),
        )

    @property
    def effort(self) -> int:
        """How hard the event is to say."""
        return _OUTSIDE


@dataclass(frozen=True)
class AmongKeys(Region):
    """Some keys, or all but some; the name of each in words is found by its place."""

    keys: tuple[int, ...]
    name: Callable[[int], str]
    inside: bool = True

    def holds(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell for each key whether it is among them."""
        return np.isin(column, np.array(self.keys, dtype=np.int64), invert=not self.inside)

    def said_of(self, subject: str) -> str:
        """Return the event in words: the first names, and how many more there are."""
        names = list(self.outcomes[:_MOST_LISTED])
        if more := len(self.keys) - len(names):
            names.append(tr("{more:,} more like these", more=more))
        if not self.inside:
            return _is_none_of(subject, names)
        happened: list[str] = [name for name in names if isinstance(name, Happened)]
        plain = [name for name in names if not isinstance(name, Happened)]
        found = [tr("is {plain}", plain=any_of_these(plain))] if plain else []
        return tr("{subject} {found}", subject=subject, found=any_of_these(found + happened))

    @property
    def effort(self) -> int:
        """How hard the event is to say."""
        if len(self.keys) > 1:
            return _SET if self.inside else _NOT_A_SET
        if not self.inside:
            return _NOT_ONE
        name = self.name(0)
        return _ODD if isinstance(name, Happened) or name in _KINDS else _SIMPLE

    @property
    def outcomes(self) -> tuple[str, ...]:
        """All the names, each once; numbers in order."""
        names = tuple(dict.fromkeys(map(self.name, range(len(self.keys)))))
        try:
            return tuple(sorted(names, key=Fraction))
        except ValueError:
            return names


def _is_none_of(subject: str, names: Sequence[str]) -> str:
    if len(names) == 1:
        return tr("{subject} is not {name}", subject=subject, name=names[0])
    listed = reduce(lambda others, last: tr("{others} nor {last}", others=others, last=last), names)
    return tr("{subject} is neither {names}", subject=subject, names=listed)


def _digits(number: float) -> str:
    """Return a number with the digits that matter; zero has no sign."""
    return f"{number + 0.0:.10g}"


def finest_bit(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return the greatest k for which each number is a multiple of 2^k; NaN where there is none.

    A sum of floats is a multiple of the last bit of the coarser one, so that values near zero
    tell whether zero or one was added to :cite:p:`mironov2012significance`.
    """
    whole, exponent = _binary_digits(numbers)
    lowest = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    usable = np.isfinite(numbers) & (numbers != 0)
    return np.where(usable, exponent - _DIGITS + lowest, np.nan)


def size_and_bits(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return a key of each number's power of two with its last three bits."""
    whole, exponent = _binary_digits(numbers)
    kept = whole & (2**_KEPT - 1)
    return np.where(np.isfinite(numbers), exponent.astype(np.int64) * 2**_KEPT + kept, 2**62)


def size_words(number: float) -> str:
    """Return what ``size_and_bits`` keeps of a number, in words."""
    if not math.isfinite(number):
        return tr("not finite")
    whole, exponent = _binary_digits(np.array([number]))
    bits = int(whole[0]) & (2**_KEPT - 1)
    top = int(exponent[0])
    return tr(
        "from 2^{low} to 2^{top} with the last bits {bits}",
        low=top - 1,
        top=top,
        bits=f"{bits:0{_KEPT}b}",
    )


def remainder(numbers: NDArray[Any], modulus: int) -> NDArray[Any]:
    """Return what is left of whole numbers after division, and -1 where there is no number."""
    finite = np.isfinite(numbers)
    left = np.mod(np.where(finite, numbers, 0.0), modulus)
    return np.where(finite, left, -1).astype(np.int64)


def remainder_words(left: int) -> str:
    """Return a remainder in words."""
    return str(left) if left >= 0 else tr("no number")


def finest_words(label: str, region: Region) -> str:
    """Return an event of the finest bit in words."""
    if not isinstance(region, Between):
        return tr(
            "the low bits: {label}",
            label=region.said_of(tr("the last bit of {label}", label=label)),
        )
    ends = []
    if region.low > -math.inf:
        ends.append(tr("a multiple of 2^{low}", low=int(region.low) + 1))
    if region.high < math.inf:
        ends.append(tr("no multiple of 2^{high}", high=int(region.high) + 1))
    return tr("the low bits: {label} is {ends}", label=label, ends=all_of_these(ends))


def _binary_digits(numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return floats as whole numbers of 53 bits and the exponents of their powers of two."""
    fraction, exponent = np.frexp(np.where(np.isfinite(numbers), numbers, 0.0))
    return np.abs(np.ldexp(fraction, _DIGITS)).astype(np.int64), exponent
