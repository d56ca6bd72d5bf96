"""Square roots of rationals, between two rationals: lengths whose squares are exact."""

from __future__ import annotations

import math
from fractions import Fraction

from sfumato.numeric import any_float, shown

__all__ = ["root_above", "root_below", "show_root"]

#: About so many digits are right: a root that is rounded is a short decimal.
_DIGITS = 18
_LONGEST = 40


def root_above(squared: Fraction) -> Fraction:
    """Return the root of a rational of 0 or more: exact where it is rational, else rounded up."""
    return _enclosed(squared)[1]


def root_below(squared: Fraction) -> Fraction:
    """Return the root of a rational of 0 or more: exact where it is rational, else rounded down."""
    return _enclosed(squared)[0]


def show_root(squared: Fraction) -> str:
    """Return the root of a rational as a person would write it."""
    below, above = _enclosed(squared)
    rational = below == above
    length = above if rational else squared
    if len(shown(length)) > _LONGEST:
        return f"about {any_float(above)!r}"
    if rational:
        return shown(length)
    return f"√{shown(length)}" if length.denominator == 1 else f"√({shown(length)})"


def _enclosed(squared: Fraction) -> tuple[Fraction, Fraction]:
    above, below = squared.numerator, squared.denominator
    exact = Fraction(math.isqrt(above), math.isqrt(below))
    if exact**2 == squared:
        return exact, exact
    scale = 10 ** max(0, _DIGITS + (below.bit_length() - above.bit_length()) * 30103 // 200000)
    floor = math.isqrt(above * scale**2 // below)
    return Fraction(floor, scale), Fraction(floor + 1, scale)
