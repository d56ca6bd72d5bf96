"""Short decimals beside long numbers, always on a stated side."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.numeric import fraction_below

if TYPE_CHECKING:
    from flint import arb

__all__ = [
    "GRID",
    "decimal_above",
    "decimal_below",
    "on_grid",
    "root_above",
    "root_below",
    "short_below",
]

#: Numbers longer than so many bits are not written down.
_MOST_BITS = 3200
_DIGITS = 12
#: Sums of multiples of 1 over this stay short.
GRID = 10**18


def on_grid(value: arb | Fraction) -> Fraction:
    """Return the least multiple of 10^-18 that is not below a number: sums of such stay short."""
    return Fraction(math.ceil(GRID * _fraction_above(value)), GRID)


def decimal_above(value: arb | Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not below a number."""
    return -decimal_below(-value)


def decimal_below(value: arb | Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not above a number."""
    exact = value if isinstance(value, Fraction) else fraction_below(value)
    unit = _unit(_magnitude(exact))
    return math.floor(exact / unit) * unit


def short_below(value: Fraction) -> Fraction:
    """Return a number that can be written down: itself, or a decimal just below a very long one."""
    longest = max(value.numerator.bit_length(), value.denominator.bit_length())
    return value if longest <= _MOST_BITS else decimal_below(value)


def root_above(square: Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not below the root of a number."""
    root = root_below(square)
    return root if root**2 == square else root + _unit(_magnitude(square) / 2)


def root_below(square: Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not above the root of a number."""
    unit = _unit(_magnitude(square) / 2)
    return math.isqrt(math.floor(square / unit**2)) * unit


def _magnitude(number: Fraction) -> float:
    """Return the decimal logarithm of a number, roughly; of 0 it may be anything."""
    return (number.numerator.bit_length() - number.denominator.bit_length()) * math.log10(2)


def _unit(magnitude: float) -> Fraction:
    return Fraction(10) ** (math.ceil(magnitude) - _DIGITS)


def _fraction_above(value: arb | Fraction) -> Fraction:
    return value if isinstance(value, Fraction) else -fraction_below(-value)
