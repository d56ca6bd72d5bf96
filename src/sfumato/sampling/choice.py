"""Drawing one of many candidates with probability proportional to e to its utility, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import as_ball, exact
from sfumato.sampling.uniform import LazyUniform, accepted, in_chunks, read_size, read_source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.sampling.source import BitSource

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]


#: What all weights together come to, nearly: in 62 bits with room for rounding.
_TOTAL = (1 - 2.0**-20) * 2.0**62
_WORD_BITS = 64
#: e to a lower power is no float, and its weight below one unit.
_LOWEST = -800.0


def choice(
    utilities: Sequence[Fraction | float | Decimal] | NDArray[Any],
    size: int,
    *,
    source: BitSource | None = None,
) -> NDArray[np.int64]:
    """Return indices, drawn with probability proportional to exp(utilities[index]), exactly.

    One word decides all but a vanishing share of the draws, against sums of floating-point
    weights with a proven margin; within the margin more bits and ball arithmetic decide.

    Parameters
    ----------
    utilities
        One finite number for each candidate, of any size; a float is the rational it stores.
    size
        How many indices to draw, independently.
    source
        Where random bits come from; the operating system, unless said otherwise.

    Examples
    --------
    >>> from sfumato.sampling import SeededSource, choice
    >>> choice([0, 1, 2], 9, source=SeededSource(1)).tolist()
    [2, 2, 1, 2, 1, 1, 2, 1, 2]
    >>> choice([-1e300, 1e300], 2)
    array([1, 1])
    """
    count, bits = read_size(size), read_source(source)
    wheel = _Wheel(_read_utilities(utilities))
    return in_chunks(lambda some: wheel.spin(some, bits), count, np.int64)


class _Wheel:
    """The candidates laid side by side on a line, each as long as its weight.

    A uniform point on the line falls on a candidate, or beyond the last and is drawn again.  The
    end of each candidate is known to lie between two integers, and as a ball at any precision.
    """

    def __init__(self, utilities: Floats | list[Fraction]) -> None:
        self._utilities = utilities
        self._greatest, powers = _powers(utilities)
        weights = np.exp(powers)
        self._scale = _TOTAL / float(weights.sum())
        self._lower, self._upper = _ends(self._scale * weights, powers)
        self._bits = int(self._upper[-1]).bit_length()
        self._sure_from = np.append(self._lower, np.iinfo(np.int64).max)

    def spin(self, count: int, source: BitSource) -> Integers:
        candidates = len(self._lower)
        return accepted(
            lambda some: self._propose(some, source), lambda drawn: drawn < candidates, count
        )

    def _propose(self, count: int, source: BitSource) -> Integers:
        """Return where points fall; the number of candidates stands for beyond the last."""
        points = (source.words(count) >> np.uint64(_WORD_BITS - self._bits)).view(np.int64)
        drawn = np.searchsorted(self._upper, points, side="right")
        for place in np.flatnonzero(self._sure_from[drawn] <= points):
            drawn[place] = self._settled(int(drawn[place]), int(points[place]), source)
        return drawn

    def _settled(self, first: int, point: int, source: BitSource) -> int:
        """Return where a point falls that lies within the margin of an end, by bisection."""
        number = LazyUniform(source, prefix=point, bits=self._bits)
        last = int(np.searchsorted(self._lower, point, side="right"))
        while first < last:
            middle = (first + last) // 2
            if number.below(partial(self._end, middle)):
                last = middle
            else:
                first = middle + 1
        return first

    def _end(self, index: int) -> arb:
        """Return a ball around the end of a candidate, as a share of the line."""
        total = arb(0)
        for utility in self._utilities[: index + 1]:
            total += as_ball(exact(utility) - self._greatest).exp()
        return total * arb(self._scale) / arb(2) ** self._bits


def _powers(utilities: Floats | list[Fraction]) -> tuple[Fraction, Floats]:
    """Return the greatest utility, and each less the greatest, rounded once."""
    if isinstance(utilities, list):
        greatest = max(utilities)
        powers = np.array([_rounded_difference(each, greatest) for each in utilities])
    else:
        greatest = exact(utilities.max())
        with np.errstate(over="ignore"):
            powers = utilities - float(greatest)
    return greatest, np.maximum(powers, _LOWEST)


def _rounded_difference(utility: Fraction, greatest: Fraction) -> float:
    """Return the float nearest to a difference; no fraction is reduced, for speed."""
    (top, bottom), (most, unit) = utility.as_integer_ratio(), greatest.as_integer_ratio()
    try:
        return (top * unit - most * bottom) / (bottom * unit)
    except OverflowError:
        return _LOWEST


def _ends(weights: Floats, powers: Floats) -> tuple[Integers, Integers]:
    """Return integers below and above the sums of the exact weights.

    A weight is off by the rounding of its power, by 4 units in the last place of ``exp`` and by
    two roundings more: at most |power| + 10 units of 2**-53; the margin is twice that and more.
    """
    margin = weights * (16 - powers) * 2.0**-52
    lower = np.floor(weights - margin).astype(np.int64)
    upper = np.floor(weights + margin).astype(np.int64) + 1
    return np.cumsum(lower), np.cumsum(upper)


def _read_utilities(utilities: Any) -> Floats | list[Fraction]:
    """Return finite numbers exactly: in an array where all are floats, else in a list."""
    values = _one_row(utilities)
    if not len(values):
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "utilities must name at least one candidate",
            "give one number for each",
        )
    if not _are_floats(values):
        return [each if isinstance(each, Fraction) else exact(each, "a utility") for each in values]
    floats = np.asarray(values, dtype=np.float64)
    if not np.isfinite(floats).all():
        raise InputError(
            "E-NUMBER-NOT-FINITE",
            "utilities must be finite numbers",
            "replace NaN and infinite ones",
        )
    return floats


def _one_row(utilities: Any) -> Sequence[Any] | NDArray[Any]:
    if isinstance(utilities, np.ndarray) and utilities.ndim == 1:
        floats = utilities.dtype in (np.float16, np.float32, np.float64)
        return utilities if floats else list(utilities)
    if isinstance(utilities, Sequence) and not isinstance(utilities, str):
        return utilities
    raise InputError(
        "E-ARGUMENT-TYPE",
        "utilities must be a list of numbers or an array of one dimension",
        "write [0, 1.5]",
    )


def _are_floats(values: Sequence[Any] | NDArray[Any]) -> bool:
    """Tell whether all are floats; refuse what is no number."""
    if isinstance(values, np.ndarray):
        return True
    kinds = set(map(type, values))
    if any(kind is bool or not issubclass(kind, (Real, Decimal)) for kind in kinds):
        raise InputError(
            "E-ARGUMENT-TYPE", "utilities must be numbers", "write integers, floats or Fractions"
        )
    return all(issubclass(kind, float) for kind in kinds)
