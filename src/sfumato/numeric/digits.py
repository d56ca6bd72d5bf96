"""Numbers as a few decimal digits, rounded in a stated direction."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context

__all__ = ["digits_above", "digits_below"]


def digits_above(value: float, digits: int) -> str:
    """Return an upper bound with a few digits, rounded up.

    Examples
    --------
    >>> from sfumato.numeric.digits import digits_above
    >>> digits_above(2.28862323, 7), digits_above(1.0, 7)
    ('2.288624', '1')
    """
    return _rounded(value, digits, ROUND_CEILING)


def digits_below(value: float, digits: int) -> str:
    """Return a lower bound with a few digits, rounded down.

    Examples
    --------
    >>> from sfumato.numeric.digits import digits_below
    >>> digits_below(2.28862393, 7)
    '2.288623'
    """
    return _rounded(value, digits, ROUND_FLOOR)


def _rounded(value: float, digits: int, direction: str) -> str:
    near = Context(prec=digits, rounding=direction).create_decimal(repr(value))
    return f"{float(near):.{digits}g}"
