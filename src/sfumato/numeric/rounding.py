"""From exact and ball arithmetic to floats, always with a stated direction."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from flint import arb


def any_float(value: Any) -> float:
    """Return a number as a float: infinite where it is beyond the floats, NaN where it is none.

    Examples
    --------
    >>> from sfumato.numeric import any_float
    >>> any_float(10**400), any_float(0.5)
    (inf, 0.5)
    """
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except (TypeError, ValueError):
        return math.nan


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
        near = any_float(value)
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
    return 0.0 - float_below(-value)


def fraction_below(ball: arb) -> Fraction:
    """Return a rational not above any point of a ball: its lower end.

    Examples
    --------
    >>> from flint import arb
    >>> from sfumato.numeric import fraction_below
    >>> fraction_below(arb(0.75))
    Fraction(3, 4)
    """
    mantissa, exponent = ball.lower().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def digits_above(value: float | Fraction, digits: int) -> str:
    """Return an upper bound with a few digits, rounded up."""
    return _rounded(value, digits, ROUND_CEILING)


def digits_below(value: float | Fraction, digits: int) -> str:
    """Return a lower bound with a few digits, rounded down."""
    return _rounded(value, digits, ROUND_FLOOR)


def _rounded(value: float | Fraction, digits: int, direction: str) -> str:
    context = Context(prec=digits, rounding=direction)
    if isinstance(value, Fraction):
        near = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    else:
        near = context.create_decimal(repr(value))
    return f"{float(near):.{digits}g}"
