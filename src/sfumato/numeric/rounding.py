"""From exact and ball arithmetic to floats, always with a stated direction."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

__all__ = ["float_above", "float_below"]


def float_below(value: arb | Fraction) -> float:
    """Return the greatest float not above ``value``: below every point of a ball.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.numeric import float_below
    >>> float_below(Fraction(1, 10)) <= Fraction(1, 10) < 0.1
    True
    """
    if isinstance(value, Fraction):
        near = _fraction_to_float(value)
        return near if near <= value else math.nextafter(near, -math.inf)
    bound = value.lower()
    if bound.is_nan():
        return -math.inf
    near = float(bound)
    return near if arb(near) <= bound else math.nextafter(near, -math.inf)


def float_above(value: arb | Fraction) -> float:
    """Return the least float not below ``value``: above every point of a ball.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.numeric import float_above
    >>> float_above(Fraction(1, 3)) > Fraction(1, 3)
    True
    """
    return -float_below(-value)


def _fraction_to_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
