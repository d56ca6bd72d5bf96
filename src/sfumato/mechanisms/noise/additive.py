"""What the mechanisms that add noise have in common.

Nothing here depends on what a value is: an error says which type or shape was given, NaN and the
infinities become fixed numbers, and the type of what is given out follows from the type of what
came in.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.base import Mechanism
from sfumato.mechanisms.distributions.grid import RoundedDistribution
from sfumato.mechanisms.distributions.integers import IntegerDistribution, WholeNoise
from sfumato.mechanisms.values import NO_NUMBERS, as_array, no_number
from sfumato.numeric import (
    Ln,
    any_float,
    as_ball,
    float_above,
    fraction_below,
    read_count,
    working_precision,
)
from sfumato.privacy import (
    ApproxDP,
    Epsilon,
    Relation,
    check_scale,
    read_confidence,
    usable_epsilon,
)
from sfumato.privacy.calibration import short_above
from sfumato.privacy.events import positive
from sfumato.refusal import Argument, Arguments, Bare
from sfumato.sampling import BitSource, grid, nearest_finite

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import arb
    from numpy.typing import NDArray

    from sfumato.information.continuous import Symmetric
    from sfumato.privacy.events import Event

    Reals = NDArray[np.float64]


_LARGEST = sys.float_info.max
#: Every whole number below it is a float.
_FLOATS_TO = 2.0**53
#: Sums at a time, so that the arrays stay in the processor's cache.
_PIECE = 1 << 14
_INT64 = np.iinfo(np.int64)
_WHOLE = (int, np.integer)
_REAL = (float, np.float32, np.float16, Fraction, *_WHOLE)
_BITS = 128


class _ToFloats(Protocol):
    def __call__(self, values: Reals, scale: Fraction, /, *, source: BitSource) -> Reals: ...


class _Exactly(Protocol):
    def __call__(self, value: Fraction, scale: Fraction, /, *, source: BitSource) -> Fraction: ...


class _Draw(Protocol):
    def __call__(self, scale: Fraction, size: int, /, *, source: BitSource) -> NDArray[Any]: ...


@dataclass(frozen=True)
class RealNoise:
    """How noise of a scale is added to reals, and how it is distributed.

    Attributes
    ----------
    to_floats
        To many finite floats at once, each with noise of its own.
    exactly
        To one exact number; the result is a multiple of the grid.
    around_zero
        The distribution of the noise of a scale.
    reach
        What noise of scale 1 exceeds with a probability.
    """

    to_floats: _ToFloats
    exactly: _Exactly
    around_zero: Callable[[Fraction], Symmetric]
    reach: Callable[[arb], arb]


@dataclass(frozen=True)
class IntegerNoise:
    """How whole noise of a scale is drawn, and how it is distributed."""

    draw: _Draw
    around_zero: Callable[[Fraction], WholeNoise]


def real_number(value: Any) -> Fraction:
    """Return one private number exactly; NaN is 0, and infinities are the largest floats."""
    number = _only_entry(value)
    if not _is_real(type(number)):
        raise no_number(type(number))
    if isinstance(number, Fraction):
        return number
    return Fraction(int(number) if isinstance(number, _WHOLE) else _finite(float(number)))


def whole_number(value: Any) -> int:
    """Return one private whole number; reals are refused, whatever their value."""
    number = _only_entry(value)
    if not _is_whole(type(number)):
        raise _no_whole_number(type(number))
    return int(number)


def count_of(value: Any) -> int:
    """Return how many numbers a value has: 1 for a number, the size of an array."""
    return 1 if isinstance(value, _REAL) else int(as_array(value).size)


def reals_with_noise(
    value: Any, noise: RealNoise, scale: Fraction, source: BitSource
) -> float | Reals:
    """Return a number or an array with noise on each entry: a float, or floats of that shape.

    Whole numbers and fractions that no float holds are not rounded before the noise is added.
    """
    if isinstance(value, _REAL):
        return nearest_finite(noise.exactly(real_number(value), scale, source=source))
    array = as_array(value)
    if array.ndim == 0:
        return reals_with_noise(_entry(array), noise, scale, source)
    _check_kinds(array, _is_real, no_number)
    floats, exact = _split(array)
    noisy = noise.to_floats(floats, scale, source=source)
    for place, number in exact.items():
        noisy[place] = nearest_finite(noise.exactly(number, scale, source=source))
    return noisy.reshape(array.shape)


def integers_with_noise(
    value: Any, draw: _Draw, scale: Fraction, source: BitSource
) -> int | NDArray[Any]:
    """Return a whole number or an array of them with noise on each entry.

    A number gives a Python int.  Arrays of up to 64 signed bits give int64, and a sum beyond its
    ends stays at the end; lists and arrays of unsigned 64 bits or of Python's ints give an array
    of Python's ints, however large.
    """
    if isinstance(value, _REAL):
        return whole_number(value) + int(draw(scale, 1, source=source)[0])
    array = as_array(value, whole=True)
    if array.ndim == 0:
        return integers_with_noise(_entry(array), draw, scale, source)
    _check_kinds(array, _is_whole, _no_whole_number)
    noise = draw(scale, array.size, source=source).reshape(array.shape)
    if array.dtype != object and np.can_cast(array.dtype, np.int64):
        return _saturated_sum(array.astype(np.int64, copy=False), noise)
    whole = np.array([int(each) for each in array.flat], dtype=object).reshape(array.shape)
    return np.asarray(whole + noise.astype(object), dtype=object)


def _finite(number: float) -> float:
    if math.isfinite(number):
        return number
    return 0.0 if math.isnan(number) else math.copysign(_LARGEST, number)


def _only_entry(value: Any) -> Any:
    """Return a number itself, and what an array of one number has."""
    if isinstance(value, _REAL):
        return value
    array = as_array(value)
    if array.size != 1:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "one number is taken here, not an array of shape {shape}",
            "give its entries one by one",
            shape=array.shape,
        )
    return _entry(array)


def _entry(array: NDArray[Any]) -> Any:
    """Return the one number of an array; what is none stays an object, to be refused."""
    found = array.reshape(1)[0]
    if not isinstance(found, _REAL):
        raise no_number(type(found))
    return found


def _check_kinds(
    array: NDArray[Any], is_allowed: Callable[[type], bool], refusal: Callable[[type], InputError]
) -> None:
    """Refuse an array by its type, or by that of its entries where it has none of its own."""
    for kind in set(map(type, array.flat)) if array.dtype == object else {array.dtype.type}:
        if not is_allowed(kind):
            raise refusal(kind)


def _is_real(kind: type) -> bool:
    return issubclass(kind, _REAL) and not issubclass(kind, NO_NUMBERS)


def _is_whole(kind: type) -> bool:
    return issubclass(kind, _WHOLE) and not issubclass(kind, NO_NUMBERS)


def _no_whole_number(kind: type) -> InputError:
    if not _is_real(kind):
        return no_number(kind)
    return InputError(
        "E-ARGUMENT-TYPE",
        "value must be whole numbers, not {kind}",
        "for reals write Laplace or Gaussian, or give integers",
        kind=kind.__name__,
    )


def _split(array: NDArray[Any]) -> tuple[Reals, dict[int, Fraction]]:
    """Return the entries in one row of floats, and exactly those that a float may not hold."""
    if array.dtype != object:
        row = array.reshape(-1)
        floats = row.astype(np.float64, copy=False)
        if array.dtype.kind == "f" or array.dtype.itemsize < 8:
            return floats, {}
        wide = np.flatnonzero(np.abs(floats) >= _FLOATS_TO)
        return floats, {int(place): Fraction(int(row[place])) for place in wide}
    entries = list(array.flat)
    exact = {i: real_number(each) for i, each in enumerate(entries) if _may_be_rounded(each)}
    return np.array([any_float(each) for each in entries], dtype=np.float64), exact


def _may_be_rounded(number: Any) -> bool:
    if isinstance(number, _WHOLE):
        return not -_FLOATS_TO < number < _FLOATS_TO
    return isinstance(number, Fraction)


def _saturated_sum(values: NDArray[np.int64], noise: NDArray[Any]) -> NDArray[np.int64]:
    """Return sums of 64-bit integers, cut at the ends of their range; the noise is used up."""
    if noise.dtype == object:
        exact = np.clip(values.astype(object) + noise, int(_INT64.min), int(_INT64.max))
        return np.asarray(exact, dtype=np.int64)
    flat, total = values.reshape(-1), noise.reshape(-1)
    for start in range(0, len(total), _PIECE):
        _add_saturating(flat[start : start + _PIECE], total[start : start + _PIECE])
    return noise


def _add_saturating(values: NDArray[np.int64], total: NDArray[np.int64]) -> None:
    negative = total < 0
    total += values
    wrapped = (values < 0) == negative
    wrapped &= (total < 0) != negative
    if wrapped.any():
        total[wrapped] = np.where(negative[wrapped], _INT64.min, _INT64.max)


class Additive(Mechanism[Any, Any]):
    """A mechanism that adds noise to a number, or to each entry of an array."""

    sensitivity: Fraction | int
    #: The event of one release, and the parameter by which its noise is measured.
    kind: ClassVar[Callable[..., Event]]
    measure: ClassVar[str] = "scale"

    def event_at(self, distance: int) -> Event:
        """Return what a release does, seen by tables that so many changes lie between."""
        moved = self.sensitivity * read_count(distance, "distance")
        return type(self).kind(**{self.measure: self._spread}, sensitivity=moved)

    def neighbours(self) -> list[tuple[Any, Any]]:
        """Return two values as far apart as one change moves them."""
        return [(0, self.sensitivity)]

    @property
    def _spread(self) -> Fraction:
        spread: Fraction = getattr(self, self.measure)
        return spread


class RealAdditive(Additive):
    """A mechanism that adds noise to reals, and rounds to a grid that is finer than the noise."""

    _noise: ClassVar[RealNoise]

    def distribution(self, value: Any) -> RoundedDistribution:
        """Return the exact distribution of the float that is released for one number."""
        noise = self._noise.around_zero(self._spread)
        return RoundedDistribution(grid(self._spread), real_number(value), noise)

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return the distance that noise and grid exceed with at most 1 - confidence, rounded up.

        Where floats are coarser than the grid, their own rounding comes on top.
        """
        missed = 1 - read_confidence(confidence)
        with working_precision(_BITS):
            reached = as_ball(self._spread) * self._noise.reach(as_ball(missed))
            return float_above(reached + as_ball(grid(self._spread) / 2))

    def _draw(self, value: Any, source: BitSource) -> float | Reals:
        return reals_with_noise(value, self._noise, self._spread, source)


class WholeAdditive(Additive):
    """A mechanism that adds whole noise to whole numbers."""

    _noise: ClassVar[IntegerNoise]

    def distribution(self, value: Any) -> IntegerDistribution:
        """Return the exact output distribution for one whole number."""
        return IntegerDistribution(self._noise.around_zero(self._spread), whole_number(value))

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return the least whole distance that noise exceeds with at most 1 - confidence."""
        reached = self._noise.around_zero(self._spread).reach(read_confidence(confidence))
        return float_above(Fraction(reached))

    def _draw(self, value: Any, source: BitSource) -> int | NDArray[Any]:
        return integers_with_noise(value, self._noise.draw, self._spread, source)


def scale_and_epsilon(
    *, epsilon: Any, scale: Any, sensitivity: Fraction | int
) -> tuple[Fraction, Epsilon]:
    """Return the scale of Laplace noise and its ε, of which exactly one is given.

    The scale of an ε that is no rational is rounded up.  What leaves no noise is refused.
    """
    if (epsilon is None) == (scale is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "give exactly one of epsilon and scale, such as {epsilon}",
            epsilon=Argument("epsilon", 1),
        )
    if scale is not None:
        given = positive(scale, "scale")
        check_scale(given, scale, "scale", sensitivity=sensitivity)
        return given, sensitivity / given
    level = usable_epsilon(epsilon)
    if isinstance(level, Ln):
        with working_precision(_BITS):
            needed = as_ball(sensitivity) / level.ball()
            return short_above(-fraction_below(-needed)), level
    return sensitivity / level, level


def read_sigma(sigma: Any, sensitivity: Fraction | int) -> Fraction:
    """Return the σ of Gaussian noise that is given; one that leaves no noise is refused."""
    given = positive(sigma, "sigma")
    check_scale(given, sigma, "sigma", sensitivity=sensitivity)
    return given


def read_guarantee(*, epsilon: Any, delta: Any, sigma: Any, relation: Relation) -> ApproxDP | None:
    """Return the (ε, δ) that Gaussian noise is asked to keep, None where its σ is given instead."""
    if sigma is not None and epsilon is None and delta is None:
        return None
    if sigma is not None or epsilon is None or delta is None:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "give sigma alone, or epsilon and delta, such as {example}",
            example=Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6")))),
        )
    return ApproxDP(epsilon=usable_epsilon(epsilon), delta=delta, relation=relation)
