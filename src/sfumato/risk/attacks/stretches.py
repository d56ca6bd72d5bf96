"""Stretches of numbers and of days: where they begin and end."""

from __future__ import annotations

import re
from bisect import bisect_left
from datetime import date, datetime, timedelta
from decimal import Decimal

__all__ = ["End", "Span", "days_beginning", "days_of", "point"]

#: Where a stretch ends: a number, and 0 if it belongs to it, 1 if only what is above, -1 below.
End = tuple[Decimal, int]
Span = tuple[End, End]

_MONTHS = re.compile(r"(\d{4})(?:-(?:(\d{2})|Q([1-4])))?|(\d{3})0s")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ALL_DAYS = range(date.max.toordinal() + 1)
_AFTER_ALL_TEXTS = "\U0010ffff"


def point(number: Decimal | str) -> Span:
    """Return the stretch of one number."""
    return (Decimal(number), 0), (Decimal(number), 0)


def days_beginning(prefix: str) -> Span | None:
    """Return the days whose dates begin with some digits; None if there are none.

    Dates in text are in the order of the days, so that they are one stretch.
    """
    first = bisect_left(_ALL_DAYS, prefix, lo=1, key=_written)
    after = bisect_left(_ALL_DAYS, prefix + _AFTER_ALL_TEXTS, lo=1, key=_written)
    return ((Decimal(first), 0), (Decimal(after), -1)) if first < after else None


def _written(day: int) -> str:
    return date.fromordinal(day).isoformat()


def days_of(written: str) -> Span | None:
    """Return the days that a date, a month, a quarter, a year or a decade stands for."""
    found = _MONTHS.fullmatch(written)
    if not found and not _DAY.match(written):
        return None
    try:
        return _months(*found.groups()) if found else point(_moment(written))
    except (ValueError, OverflowError):
        return None


def _months(year: str | None, month: str | None, quarter: str | None, decade: str | None) -> Span:
    if decade is not None:
        return _from_month(int(decade) * 10, 1, months=120)
    if month is None and quarter is None:
        return _from_month(int(year or 0), 1, months=12)
    first, months = (int(month), 1) if month else (3 * int(quarter or 0) - 2, 3)
    return _from_month(int(year or 0), first, months=months)


def _from_month(year: int, month: int, *, months: int) -> Span:
    beyond = year * 12 + month - 1 + months
    ends = beyond > date.max.year * 12 + 11
    last = date.max if ends else date(beyond // 12, beyond % 12 + 1, 1) - timedelta(days=1)
    return (Decimal(date(year, month, 1).toordinal()), 0), (Decimal(last.toordinal()), 0)


def _moment(written: str) -> Decimal:
    """Return a date or a moment as a number of days."""
    moment = datetime.fromisoformat(written).replace(tzinfo=None)
    into_the_day = moment - datetime.combine(moment.date(), datetime.min.time())
    return moment.toordinal() + Decimal(into_the_day // timedelta(microseconds=1)) / 86_400_000_000
