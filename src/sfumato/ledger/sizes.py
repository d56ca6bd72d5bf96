"""Numbers of a size that a ledger writes down and adds up."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["MOST_DIGITS", "is_of_sane_size"]

#: How many digits a number may have before the point, or zeros after it.
MOST_DIGITS = 100

_LIMIT = 10**MOST_DIGITS
_MOST_BITS = 32 * MOST_DIGITS


def is_of_sane_size(number: Fraction) -> bool:
    """Tell whether a number is neither next to nothing nor beyond all bounds, nor endless."""
    long = max(number.numerator.bit_length(), number.denominator.bit_length())
    return Fraction(1, _LIMIT) <= abs(number) <= _LIMIT and long <= _MOST_BITS
