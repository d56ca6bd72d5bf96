"""A cell as hierarchies see it: as text, as an exact number, or as a day."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

__all__ = ["as_day", "as_number", "as_text", "decimal_text"]

_LONGEST = 1000
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)", re.ASCII)


def as_text(value: Any) -> str:
    """Return a value as it is written; a whole number has no point.

    Examples
    --------
    >>> from sfumato.risk.generalising.values import as_text
    >>> as_text(64.0), as_text("064"), as_text(True)
    ('64', '064', 'true')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def as_number(value: Any) -> Fraction | None:
    """Return a value as an exact number, or None where it is none.

    Examples
    --------
    >>> from sfumato.risk.generalising.values import as_number
    >>> as_number("0.1"), as_number(0.1), as_number("12a"), as_number(float("nan"))
    (Fraction(1, 10), Fraction(1, 10), None, None)
    """
    if isinstance(value, str):
        text = value.strip()
        return Fraction(text) if len(text) < _LONGEST and _NUMBER.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    written = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return Fraction(written) if written.is_finite() else None


def as_day(value: Any) -> date | None:
    """Return the day of a date, a time or a text such as ``2024-03-05``; None where it is none.

    Examples
    --------
    >>> from datetime import datetime
    >>> from sfumato.risk.generalising.values import as_day
    >>> as_day(datetime(2024, 3, 5, 12, 30)), as_day("2024-03-05"), as_day("5 March")
    (datetime.date(2024, 3, 5), datetime.date(2024, 3, 5), None)
    """
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return datetime.fromisoformat(value.strip()).date() if isinstance(value, str) else None
    except ValueError:
        return None


def decimal_text(number: Fraction) -> str:
    """Return a number that has a finite decimal form in that form.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.risk.generalising.values import decimal_text
    >>> decimal_text(Fraction(50)), decimal_text(Fraction(5, 2))
    ('50', '2.5')
    """
    if number.denominator == 1:
        return str(number.numerator)
    return f"{Decimal(number.numerator) / Decimal(number.denominator):f}"
