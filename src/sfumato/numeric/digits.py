"""Numbers as a few decimal digits, rounded in a stated direction."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

__all__ = ["digits_above", "digits_below"]


def digits_above(value: float | Fraction, digits: int) -> str:
    """Return an upper bound with a few digits, rounded up.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.numeric.digits import digits_above
    >>> digits_above(2.28862323, 7), digits_above(1.0, 7), digits_above(Fraction(1, 3), 4)
    ('2.288624', '1', '0.3334')
    """
    return _rounded(value, digits, ROUND_CEILING)


def digits_below(value: float | Fraction, digits: int) -> str:
    """Return a lower bound with a few digits, rounded down.

    Examples
    --------
    >>> from sfumato.numeric.digits import digits_below
    >>> digits_below(2.28862393, 7)
    '2.288623'
    """
    return _rounded(value, digits, ROUND_FLOOR)


def _rounded(value: float | Fraction, digits: int, direction: str) -> str:
    context = Context(prec=digits, rounding=direction)
    if isinstance(value, Fraction):
        near = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    else:
        near = context.create_decimal(repr(value))
    return f"{float(near):.{digits}g}"
