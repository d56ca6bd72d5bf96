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
    """Return a value as it is written; a whole number has no point."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def as_number(value: Any) -> Fraction | None:
    """Return a value as an exact number, or None where it is none."""
    if isinstance(value, str):
        text = value.strip()
        return Fraction(text) if len(text) < _LONGEST and _NUMBER.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    written = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return Fraction(written) if written.is_finite() else None


def as_day(value: Any) -> date | None:
    """Return the day of a date, a time or a text such as ``2024-03-05``; None where it is none."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return datetime.fromisoformat(value.strip()).date() if isinstance(value, str) else None
    except ValueError:
        return None


def decimal_text(number: Fraction) -> str:
    """Return a number that has a finite decimal form in that form."""
    if number.denominator == 1:
        return str(number.numerator)
    return f"{Decimal(number.numerator) / Decimal(number.denominator):f}"
