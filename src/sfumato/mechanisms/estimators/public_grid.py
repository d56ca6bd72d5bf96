"""A grid of numbers that depends on public parameters alone, and private numbers put on it."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, fmpz

from sfumato.errors import InputError
from sfumato.mechanisms.distributions.integers import read_outcome
from sfumato.mechanisms.distributions.output import OutputDistribution
from sfumato.mechanisms.values import (
    exactly,
    is_number,
    is_placeholder,
    listed_column,
    refuse_masked,
)
from sfumato.numeric import Exponentials, as_ball, shown, working_precision
from sfumato.refusal import Argument
from sfumato.sampling import BitSource, uniform_below
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


#: Whole numbers up to here, and their neighbours, are floats.
_WHOLE_FLOATS = 1 << 53
#: Steps up to here, and differences of two of them, are words.
_WORDS = 1 << 62
#: The exponents of the least float and of the last bit of the greatest.
_LEAST_EXPONENT, _GREATEST_EXPONENT = -1074, 971
_WANTED = (
    mark("the values must be numbers in a list or a one-dimensional array"),
    "write [1.5, 2.0], say",
)
FIRST_BITS = 128
_MORE_BITS = 64


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
    if found.dtype.kind in "iu" and np.all((found <= _WHOLE_FLOATS) & (found >= -_WHOLE_FLOATS)):
        return found.astype(np.float64)
    objects = found.astype(object)
    objects[[place for place, each in enumerate(objects) if is_placeholder(each)]] = math.nan
    if not all(map(is_number, objects)):
        raise InputError("E-ROWS-TYPE", *_WANTED)
    return objects.astype(np.float64) if all(map(_is_float, objects)) else objects


def _is_float(number: Any) -> bool:
    whole = isinstance(number, Integral) and abs(int(number)) <= _WHOLE_FLOATS
    return whole or isinstance(number, float)


def settled(source: BitSource, found: Callable[[int, int], int | None]) -> int:
    """Return what a uniform number comes to, drawn to as many bits as are needed to tell."""
    prefix, bits = source.integer(FIRST_BITS), FIRST_BITS
    while (told := found(prefix, bits)) is None:
        prefix = (prefix << _MORE_BITS) | source.integer(_MORE_BITS)
        bits += _MORE_BITS
    return told


@dataclass(frozen=True)
class GridChoice(OutputDistribution[float]):
    """Each point of a grid with odds of e to a level, exactly, by stretches of equal levels.

    Parameters
    ----------
    grid
        The points.
    ends
        The last step of each stretch, in order; the last of them is the end of the grid.
    levels
        The logarithm of the odds of each point of a stretch.
    """

    grid: PublicGrid
    ends: tuple[int, ...]
    levels: tuple[Fraction, ...]

    def ball(self, outcome: float) -> arb:
        """Return a ball around the probability of a point; 0 off the grid."""
        step = read_outcome(outcome) / self.grid.step
        if step.denominator > 1 or not self.grid.low <= step <= self.grid.high:
            return arb(0)
        return self._odds(self._stretch_of(int(step))) / self._up_to(self.grid.high)

    def cumulative(self, outcome: float) -> arb:
        """Return a ball around the probability of a point not above a number."""
        step = math.floor(read_outcome(outcome) / self.grid.step)
        return self._up_to(min(step, self.grid.high)) / self._up_to(self.grid.high)

    @property
    def step(self) -> Fraction:
        """The distance of neighbouring points."""
        return self.grid.step

    @property
    def stretches(self) -> list[tuple[int, int, Exponentials]]:
        """The first and the last step of each stretch, and the odds of each point, exactly."""
        firsts = [self.grid.low, *(end + 1 for end in self.ends[:-1])]
        odds = map(Exponentials.exp, self.levels)
        return list(zip(firsts, self.ends, odds, strict=True))

    def draw(self, source: BitSource) -> int:
        """Return one draw, in steps of the grid: first a stretch, and then one of its points."""
        stretch = settled(source, self._settled)
        inside = uniform_below(self._size(stretch), 1, source=source)
        return self.ends[stretch] - int(inside[0])

    def _settled(self, prefix: int, bits: int) -> int | None:
        """Return the stretch on which a uniform number falls, if its known bits tell."""
        with working_precision(bits + FIRST_BITS):
            weights = (self._size(i) * self._odds(i) for i in range(len(self.ends)))
            sums = list(accumulate(weights))
            unit = sums[-1] / arb(2) ** bits
            low, high = unit * arb(fmpz(prefix)), unit * arb(fmpz(prefix + 1))
            passed = sum(each <= low for each in sums[:-1])
            coming = sum(each >= high for each in sums[:-1])
        return passed if passed + coming == len(sums) - 1 else None

    def _up_to(self, step: int) -> arb:
        """Return the odds of all points up to one of them together."""
        stretches = range(self._stretch_of(step) + 1) if step >= self.grid.low else range(0)
        beyond = [max(self.ends[i] - step, 0) for i in stretches]
        return sum(
            (self._odds(i) * (self._size(i) - extra) for i, extra in enumerate(beyond)), arb(0)
        )

    def _stretch_of(self, step: int) -> int:
        return bisect_left(self.ends, step)

    def _size(self, stretch: int) -> int:
        before = self.ends[stretch - 1] if stretch else self.grid.low - 1
        return self.ends[stretch] - before

    def _odds(self, stretch: int) -> arb:
        return as_ball(self.levels[stretch]).exp()
