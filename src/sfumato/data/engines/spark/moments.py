"""Days and moments in operations that fail on none: as whole numbers, which wrap.

Spark raises where a moment of a day, the beginning of a quarter or a later moment lies beyond the
64 bits of microseconds that it has, or the 32 bits of days.  Sums and products of whole numbers
raise nowhere, since our session is not in ANSI mode.  Whatever lies outside the years 1 to 9999 is
null elsewhere.
"""

from __future__ import annotations

from typing import Any

import sqlglot.expressions as sge

__all__ = ["cut_day", "cut_moment", "days_between", "later_day", "later_moment", "midnight"]

_DAY = 86_400_000_000
#: The microseconds of units that a day is made of.
_SHORT = {"h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000}
_LONG = {"Y": "YEAR", "M": "MM", "W": "WEEK"}
#: So many days before the first of a month is the month before, and twice as many the one before
#: that.
_MONTH_AT_LEAST = 28


def midnight(day: Any) -> Any:
    """Return the first moment of a day, in UTC."""
    return _moment(_product(_as("BIGINT", _call("unix_date", day)), _DAY))


def later_day(day: Any, days: Any) -> Any:
    """Return the day so many days later."""
    return _call("date_add", day, _as("INT", days))


def later_moment(moment: Any, days: Any) -> Any:
    """Return the moment so many days later."""
    return _moment(_micros(moment) + _product(days, _DAY))


def days_between(end: Any, start: Any) -> Any:
    """Return how many days one day is after another."""
    return _as("BIGINT", _call("datediff", end, start))


def cut_day(day: Any, unit: str) -> Any:
    """Return the first day of a unit of time, which is called as Ibis does."""
    if unit == "D":
        return day
    if unit != "Q":
        return _call("trunc", day, sge.convert(_LONG[unit]))
    into = (_call("month", day) - 1) % 3
    before = _call("date_sub", cut_day(day, "M"), into * _MONTH_AT_LEAST)
    return cut_day(before, "M")


def cut_moment(moment: Any, unit: str) -> Any:
    """Return the first moment of a unit of time."""
    if unit not in _SHORT:
        return midnight(cut_day(_as("DATE", moment), unit))
    since = _call("pmod", _micros(moment), _whole(_SHORT[unit]))
    return _moment(_micros(moment) - since)


def _moment(micros: Any) -> Any:
    return _call("timestamp_micros", micros)


def _micros(moment: Any) -> Any:
    return _call("unix_micros", moment)


def _product(number: Any, times: int) -> Any:
    return number * _whole(times)


def _whole(number: int) -> Any:
    return _as("BIGINT", sge.convert(number))


def _as(kind: str, value: Any) -> Any:
    return sge.cast(value, kind, dialect="spark")


def _call(name: str, *given: Any) -> Any:
    return sge.Anonymous(this=name.upper(), expressions=list(given))
