"""Numbers as a few decimal digits, rounded in a stated direction."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

__all__ = ["digits_above", "digits_below"]


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
