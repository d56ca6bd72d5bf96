"""Balls turned into answers: tight enclosures, safe floats, and roots with a proof on each side."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import (
    Enclosure,
    Ln,
    as_fmpq,
    float_above,
    nearest_float,
    shown,
    working_precision,
)
from sfumato.privacy.parameters import written
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.parameters import Epsilon


_FIRST_BITS = 128
_MOST_BITS = 4096
_WANTED_BITS = 64
_MOST_STEPS = 200
_LEAST_RATIO = 1e-30
_SLIVER = 2.0**-64


def enclosed(ball: Callable[[], arb], *, most: float = math.inf) -> Enclosure:
    """Return the tightest floats around a number from 0 to ``most`` that ``ball`` encloses.

    The precision is raised until the ball is far narrower than the gap between two floats; a
    number that is exactly zero, and not seen to be, keeps a sliver above it.
    """
    bits = _FIRST_BITS
    while True:
        with working_precision(bits):
            value = ball()
            if value.rel_accuracy_bits() >= _WANTED_BITS or bits >= _MOST_BITS:
                found = Enclosure.of_ball(value)
                return Enclosure(max(0.0, found.lower), min(max(0.0, found.upper), most))
        bits *= 2


def least_float(ball: Callable[[], arb]) -> float:
    """Return an upper bound, rounded up, on a number that ``ball`` encloses."""
    with working_precision(_FIRST_BITS):
        return rounded_up(ball())


def rounded_up(value: arb | Fraction) -> float:
    """Return the least float that is not below a number, neither itself nor as it is printed.

    Parameters are read as the decimal that was written, so a bound that is handed on must hold
    as a decimal too.
    """
    near = float_above(value) + 0.0
    if math.isinf(near):
        return near
    printed = Fraction(repr(near))
    holds = printed >= value if isinstance(value, Fraction) else arb(as_fmpq(printed)) >= value
    return near if holds else math.nextafter(near, math.inf)


def multiple_above(epsilon: Epsilon, times: int) -> float:
    """Return a whole multiple of an exact parameter, rounded up."""
    if isinstance(epsilon, Fraction):
        return rounded_up(times * epsilon)
    return least_float(lambda: times * epsilon.ball())


def log_ratio(value: arb, target: arb) -> arb:
    """Return the logarithm of a value over a target; far below the target, a constant stands in.

    Its sign says on which side of the target the value is, and it is nearly straight where a
    probability falls off exponentially.
    """
    return (value / target).max(arb(_LEAST_RATIO)).log()


def crossing(
    excess: Callable[[float], arb],
    low: float,
    high: float,
    *,
    rough: Callable[[float], arb] | None = None,
) -> Enclosure:
    """Return two floats, next to each other or nearly, between which a function turns negative.

    Every sign is decided by balls, so both ends are proved.

    Parameters
    ----------
    excess
        A decreasing function, positive at ``low`` and negative at ``high``; it is evaluated
        strictly between them, at whatever precision is in force.
    low, high
        The ends to search between.
    rough
        A cheaper function with nearly the same root, for all but the last steps.
    """
    near = _approximate_root(_in_floats(rough or excess), low, high)
    value, gap = _in_floats(excess), math.ulp(near)
    while (below := max(low, near - gap)) > low and value(below) <= 0:
        gap *= 4
    gap = math.ulp(near)
    while (above := min(high, near + gap)) < high and value(above) > 0:
        gap *= 4
    return Enclosure(below, above)


def crossing_above_zero(
    excess: Callable[[float], arb], high: float, *, rough: Callable[[float], arb] | None = None
) -> Enclosure:
    """Return where a decreasing function turns negative; zero where it is not positive there.

    A function that may vanish at zero, exactly, is answered from zero to a sliver above it.
    Otherwise as :func:`crossing`.
    """
    with working_precision(2 * _FIRST_BITS):
        start = excess(0.0)
    if start > 0:
        return crossing(excess, 0.0, high, rough=rough)
    if start <= 0:
        return Enclosure(0.0, 0.0)
    if nearest_float(lambda: excess(_SLIVER)) <= 0:
        return Enclosure(0.0, _SLIVER)
    return crossing(excess, _SLIVER, high, rough=rough)


def _in_floats(excess: Callable[[float], arb]) -> Callable[[float], float]:
    return lambda x: nearest_float(lambda: excess(x))


def _approximate_root(value: Callable[[float], float], low: float, high: float) -> float:
    """Return a point next to the root: false position, with Illinois' halving of a stale end."""
    at_low, at_high, last = math.inf, -math.inf, 0.0
    for _ in range(_MOST_STEPS):
        middle = _next_point(low, high, at_low, at_high)
        if not low < middle < high or abs(middle - last) <= math.ulp(middle):
            break
        here = value(middle)
        if here > 0:
            at_high = at_high / 2 if low == last else at_high
            low, at_low = middle, here
        else:
            at_low = at_low / 2 if high == last else at_low
            high, at_high = middle, here
        last = middle
    return min(max(low, last), high)


def _next_point(low: float, high: float, at_low: float, at_high: float) -> float:
    if math.isinf(at_low) or math.isinf(at_high):
        return low / 2 + high / 2
    return low + (high - low) * (at_low / (at_low - at_high))


NumberLike = float | Fraction | Decimal | str
EpsilonLike = NumberLike | Ln


def read_nonnegative(value: Any, name: str) -> Fraction:
    """Return a number of 0 or more, exactly."""
    number = written(value, name)
    if number < 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be 0 or more, not {value}",
            "write 0.5, say",
            name=Argument(name),
            value=shown(value),
        )
    return number


def read_order(value: Any, name: str = "order") -> Fraction:
    """Return a Rényi order above 1, exactly."""
    number = written(value, name)
    if number <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 1, not {value}",
            "write a Rényi order, such as 8",
            name=Argument(name),
            value=shown(value),
        )
    return number


def read_probability(value: Any, name: str) -> Fraction:
    """Return a probability above 0 and below 1, exactly."""
    number = written(value, name)
    if not 0 < number < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 0 and below 1, not {value}",
            "write 1e-6, say",
            name=Argument(name),
            value=shown(value),
        )
    return number
