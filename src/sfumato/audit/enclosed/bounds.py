"""From balls to certified floats, and from those to verdicts."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.audit.comparison import Least
from sfumato.numeric import Enclosure, exact, float_above, float_below, working_precision

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import arb

    from sfumato.numeric import Ln
    from sfumato.privacy.parameters import Epsilon

__all__ = [
    "FIRST_BITS",
    "at_least_zero",
    "between",
    "exactly",
    "probability_bounds",
    "refined",
    "settled",
]

#: How many bits are tried first.
FIRST_BITS = 128

_NARROW = 1e-9
#: Nothing below it is told apart.
_LEAST = 1e-300
_UNKNOWN = Enclosure(0.0, 1.0), Enclosure(0.0, math.inf)


def exactly(value: Fraction | Ln) -> Least:
    """Return a least value that is known."""
    if isinstance(value, Fraction):
        return Least(Enclosure(float_below(value), float_above(value)), value)
    with working_precision(FIRST_BITS):
        return Least(Enclosure.of_ball(value.ball()), value)


def between(low: arb, high: arb) -> arb:
    """Return a ball that holds all from the lower end of one to the upper end of another."""
    return low.lower().union(high.upper())


def probability_bounds(ball: arb) -> Enclosure:
    """Return floats around a probability, within 0 and 1 whatever its ball."""
    if ball.is_nan():
        return Enclosure(0.0, 1.0)
    low, high = float_below(ball), float_above(ball)
    return Enclosure(min(1.0, max(0.0, low)), max(0.0, min(1.0, high)))


def at_least_zero(low: arb, high: arb) -> Enclosure:
    """Return floats around a number that counts as 0 where it is less."""
    above = math.inf if high.is_nan() else float_above(high)
    return Enclosure(max(0.0, float_below(low)) + 0.0, max(0.0, above) + 0.0)


def refined(bounds: Callable[[], Enclosure], effort: int) -> Enclosure:
    """Return bounds at ever more bits, until they are narrow or more bits no longer help."""
    bits, found = FIRST_BITS, _at(FIRST_BITS, bounds)
    while not _is_narrow(found) and 2 * bits <= effort:
        bits, before, found = 2 * bits, found, _at(2 * bits, bounds)
        if not _is_better(found, before):
            break
    return found


def _at(bits: int, bounds: Callable[[], Enclosure]) -> Enclosure:
    with working_precision(bits):
        return bounds()


def _is_narrow(found: Enclosure) -> bool:
    return found.width <= _NARROW * found.lower or found.upper <= _LEAST


def _is_better(found: Enclosure, before: Enclosure) -> bool:
    """Tell whether another look was worth it, or was the first to be so far from telling."""
    return before in _UNKNOWN or before.upper == math.inf or found.width < before.width / 2


def settled(found: Least, epsilon: Epsilon) -> bool | None:
    """Tell whether a value is at most ε, None where its bounds do not say."""
    if found.exact is not None:
        return bool(found.exact <= epsilon)
    if found.bounds.upper < math.inf and exact(found.bounds.upper) <= epsilon:
        return True
    return False if found.bounds.lower > epsilon else None
