"""Shares and sizes in words."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

#: A bound of a share from here on is not worth a figure.
SAYS_NOTHING = 0.5
#: A share below is rounded up to this one.
_HARDLY = 0.001
_UP = Context(prec=6, rounding=ROUND_CEILING)


def percent_above(share: float) -> str:
    """Return an upper bound of a share in percent, rounded up to two digits."""
    least = max(share, _HARDLY)
    rounded = Context(prec=2, rounding=ROUND_CEILING).create_decimal(Decimal(repr(least)) * 100)
    return f"{min(float(rounded), 100.0):g} %"


def written_above(number: Fraction) -> str:
    """Return a number in six digits, rounded up."""
    found = _UP.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{found.normalize():,f}" if found < 10**9 else f"{found:g}"
