"""A grid of numbers that depends on public parameters alone, and private numbers put on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.values.arrays import listed_column
from sfumato.mechanisms.values.kinds import exactly, is_number, refuse_masked
from sfumato.mechanisms.values.missing import is_placeholder
from sfumato.numeric import shown
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["PublicGrid", "binary_exponent", "power_of_two", "read_numbers"]

#: Whole numbers up to here, and their neighbours, are floats.
_WHOLE_FLOATS = 1 << 53
#: Steps up to here, and differences of two of them, are words.
_WORDS = 1 << 62
#: The exponents of the least float and of the last bit of the greatest.
_LEAST_EXPONENT, _GREATEST_EXPONENT = -1074, 971


def binary_exponent(number: Fraction) -> int:
    """Return the greatest e with 2^e not above a positive number."""
    near = number.numerator.bit_length() - number.denominator.bit_length()
    return near if power_of_two(near) <= number else near - 1


def power_of_two(exponent: int) -> Fraction:
    """Return 2 to a whole power, exactly."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


@dataclass(frozen=True)
class PublicGrid:
    """The multiples of 2^exponent between two of them.

    Putting a number on the grid takes the nearest multiple (the upper one of two) and then the
    nearest that is allowed.  Two numbers that are Δ apart land at most ⌈Δ / 2^exponent⌉ steps
    apart, since adding whole steps moves the nearest multiple by as many.

    Parameters
    ----------
    exponent
        A step is 2 to this power.
    low, high
        The first and the last multiple, in steps.
    """

    exponent: int
    low: int
    high: int

    @classmethod
    def between(cls, lower: Fraction, upper: Fraction, *, bits: int) -> PublicGrid:
        """Return the grid of about 2^bits steps inside an interval, all of them floats."""
        finest = binary_exponent(max(abs(lower), abs(upper))) - 52
        exponent = max(binary_exponent(upper - lower) - bits, finest, _LEAST_EXPONENT)
        step = power_of_two(exponent)
        low, high = math.ceil(lower / step), math.floor(upper / step)
        if low >= high or finest > _GREATEST_EXPONENT:
            raise InputError(
                "E-BOUNDS-WIDTH",
                "{bounds} must be floats and further apart than floats are, which {lower} "
                "and {upper} are not",
                "count in other units, or from another zero",
                lower=shown(lower),
                upper=shown(upper),
                bounds=Argument("bounds"),
            )
        return cls(exponent, low, high)

    @property
    def step(self) -> Fraction:
        """The distance of neighbouring points."""
        return power_of_two(self.exponent)

    def value(self, step: int) -> float:
        """Return the float of a point."""
        return float(step * self.step)

    def steps(self, values: Any) -> NDArray[Any]:
        """Put numbers on the grid: NaN in the middle, infinities at the ends.

        As int64, or as Python's ints where the ends of the grid are beyond 2^62.
        """
        numbers = read_numbers(values)
        words = self.low >= -_WORDS and self.high <= _WORDS
        if words and numbers.dtype == np.float64:
            return self._steps_of_floats(numbers)
        steps = [self._step_of_number(each) for each in numbers]
        return np.array(steps, dtype=np.int64 if words else object)

    def _steps_of_floats(self, numbers: NDArray[np.float64]) -> NDArray[np.int64]:
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            scaled = np.ldexp(numbers, -self.exponent)
        scaled = np.clip(scaled, float(self.low), float(self.high))
        scaled = np.where(np.isnan(scaled), float(self._middle), scaled)
        below = np.floor(scaled)
        return (below + (scaled - below >= 0.5)).astype(np.int64)

    def _step_of_number(self, number: Any) -> int:
        near = exactly(number)
        if not isinstance(near, Fraction):
            return self._middle if math.isnan(near) else self.high if near > 0 else self.low
        nearest = math.floor(near / self.step + Fraction(1, 2))
        return min(max(nearest, self.low), self.high)

    @property
    def _middle(self) -> int:
        return (self.low + self.high) // 2


def read_numbers(values: Any) -> NDArray[Any]:
    """Return private numbers in a row: an array of float64, or of exact objects.

    Only the type and the shape are looked at, and no message shows a number.
    """
    refuse_masked(values)
    values = listed_column(values)
    listed = isinstance(values, (list, tuple, range))
    if not listed and not hasattr(values, "__array__"):
        raise InputError("E-ROWS-TYPE", *_WANTED)
    found = _of_list(list(values)) if listed else np.asarray(values)
    if found.ndim != 1 or found.dtype.kind not in "fiuO":
        raise InputError("E-ROWS-TYPE", *_WANTED)
    return _exactly(found)


_WANTED = (
    mark("the values must be numbers in a list or a one-dimensional array"),
    "write [1.5, 2.0], say",
)


def _of_list(values: Sequence[Any]) -> NDArray[Any]:
    if {float} >= set(map(type, values)):
        return np.array(values, dtype=np.float64)
    found = np.empty(len(values), dtype=object)
    for index, each in enumerate(values):
        found[index] = each
    return found


def _exactly(found: NDArray[Any]) -> NDArray[Any]:
    """Return floats where they hold every number exactly, and objects elsewhere."""
    if found.dtype.kind == "f" and found.dtype.itemsize <= np.dtype(np.float64).itemsize:
        return found.astype(np.float64)
    if found.dtype.kind in "iu" and _all_small(found):
        return found.astype(np.float64)
    objects = found.astype(object)
    objects[[place for place, each in enumerate(objects) if is_placeholder(each)]] = math.nan
    if not all(map(is_number, objects)):
        raise InputError("E-ROWS-TYPE", *_WANTED)
    return objects.astype(np.float64) if all(map(_is_float, objects)) else objects


def _all_small(found: NDArray[Any]) -> bool:
    return bool(np.all((found <= _WHOLE_FLOATS) & (found >= -_WHOLE_FLOATS)))


def _is_float(number: Any) -> bool:
    whole = isinstance(number, Integral) and abs(int(number)) <= _WHOLE_FLOATS
    return whole or isinstance(number, float)
