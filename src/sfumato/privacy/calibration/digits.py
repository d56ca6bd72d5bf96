"""Numbers with few digits, on the side that is asked for."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

__all__ = ["is_short", "short_above", "short_below"]

_DIGITS = 12
_UP = Context(prec=_DIGITS, rounding=ROUND_CEILING)
_DOWN = Context(prec=_DIGITS, rounding=ROUND_FLOOR)


def short_above(number: Fraction) -> Fraction:
    """Return the least decimal of twelve digits that is not below a number."""
    return _cut(number, _UP)


def short_below(number: Fraction) -> Fraction:
    """Return the greatest decimal of twelve digits that is not above a number."""
    return _cut(number, _DOWN)


def is_short(number: Fraction) -> bool:
    """Tell whether a number is a decimal of at most twelve digits, or the ratio of two of them."""
    ratio = max(abs(number.numerator), number.denominator) < 10**_DIGITS
    return ratio or short_above(number) == number


def _cut(number: Fraction, context: Context) -> Fraction:
    return Fraction(context.divide(Decimal(number.numerator), Decimal(number.denominator)))
