"""Calendar periods: a budget that is given anew every year, quarter, month, week or day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.translation import Sentences, tr

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class _Calendar:
    """How the windows of a period are written, read and counted."""

    written: Callable[[date], str]
    pattern: str
    first_day: Callable[..., date]
    most_days: int


_CALENDARS = {
    "year": _Calendar(
        written=lambda day: day.isoformat()[:4],
        pattern=r"(\d{4})",
        first_day=lambda year: date(year, 1, 1),
        most_days=366,
    ),
    "quarter": _Calendar(
        written=lambda day: f"{day.isoformat()[:4]}-Q{(day.month + 2) // 3}",
        pattern=r"(\d{4})-Q([1-4])",
        first_day=lambda year, quarter: date(year, 3 * quarter - 2, 1),
        most_days=92,
    ),
    "month": _Calendar(
        written=lambda day: day.isoformat()[:7],
        pattern=r"(\d{4})-(\d{2})",
        first_day=lambda year, month: date(year, month, 1),
        most_days=31,
    ),
    "week": _Calendar(
        written=lambda day: "{:04}-W{:02}".format(*day.isocalendar()),
        pattern=r"(\d{4})-W(\d{2})",
        first_day=lambda year, week: date.fromisocalendar(year, week, 1),
        most_days=7,
    ),
    "day": _Calendar(
        written=date.isoformat,
        pattern=r"(\d{4})-(\d{2})-(\d{2})",
        first_day=date,
        most_days=1,
    ),
}
_NOUNS: Sentences = {
    "year": "year",
    "quarter": "quarter",
    "month": "month",
    "week": "week",
    "day": "day",
}
_SEVERAL: Sentences = {
    "year": "years",
    "quarter": "quarters",
    "month": "months",
    "week": "weeks",
    "day": "days",
}
_FIRST_AND_LAST = "the calendar goes from the year 1 to the year 9999"
_NAMES: Sentences = {
    "year": "calendar year",
    "quarter": "calendar quarter",
    "month": "calendar month",
    "week": "calendar week",
    "day": "calendar day",
}


@dataclass(frozen=True)
class Period:
    """A period of the calendar, in UTC; weeks are those of ISO 8601, from Monday.

    Parameters
    ----------
    name
        "year", "quarter", "month", "week" or "day".
    """

    name: str

    def __post_init__(self) -> None:
        if self.name not in tuple(_CALENDARS):
            known = ", ".join(map(repr, _CALENDARS))
            raise InputError(
                "E-ARGUMENT-CHOICE",
                "a period is one of {known}, not {name}",
                "write 'year', say",
                known=known,
                name=_named(self.name),
            )

    @classmethod
    def read(cls, given: Any) -> Period:
        """Return the period that a name stands for; a period stands for itself."""
        return given if isinstance(given, cls) else cls(given)

    def window(self, when: datetime) -> str:
        """Return the window that a moment lies in.

        Parameters
        ----------
        when
            A moment with its time zone; the calendar is that of UTC.
        """
        return self._calendar.written(_day(when))

    def first_day(self, window: str) -> date:
        """Return the first day of a window."""
        found = re.fullmatch(self._calendar.pattern, _text(window), re.ASCII)
        try:
            return self._calendar.first_day(*map(int, found.groups() if found else ()))
        except (TypeError, ValueError):
            example = self._calendar.written(date(2026, 11, 15))
            raise InputError(
                "E-PERIOD-FORM",
                "{window} is no {self}",
                "write {example!r}, say",
                window=_named(window),
                self=self,
                example=example,
            ) from None

    def next_starts(self, window: str) -> date:
        """Return the day on which the window after this one begins."""
        first = self.first_day(window)
        try:
            within_the_next = first + timedelta(days=self._calendar.most_days)
        except OverflowError:
            raise InputError(
                "E-PERIOD-FORM",
                "no {self} follows {window!r}",
                _FIRST_AND_LAST,
                self=self,
                window=window,
            ) from None
        return self.first_day(self._calendar.written(within_the_next))

    @property
    def noun(self) -> str:
        """What one is called, briefly."""
        return tr(_NOUNS[self.name])

    @property
    def nouns(self) -> str:
        """What several are called."""
        return tr(_SEVERAL[self.name])

    @property
    def _calendar(self) -> _Calendar:
        return _CALENDARS[self.name]

    def __str__(self) -> str:
        return tr(_NAMES[self.name])


def _day(when: Any) -> date:
    """Return the day of a moment in UTC."""
    if not isinstance(when, datetime):
        raise InputError(
            "E-MOMENT-FORM",
            "a moment must be a datetime, not {when}",
            "write datetime.now(UTC), say",
            when=_named(when),
        )
    if when.utcoffset() is None:
        raise InputError(
            "E-MOMENT-FORM", "a moment must say its time zone", "write datetime.now(UTC), say"
        )
    try:
        return when.astimezone(UTC).date()
    except OverflowError:
        raise InputError(
            "E-MOMENT-FORM",
            "the moment has no place in UTC",
            _FIRST_AND_LAST,
        ) from None


def _text(given: Any) -> str:
    return given if isinstance(given, str) else ""


def _named(given: Any) -> str:
    """Return text as it was given, and of anything else the type."""
    return f"{given!r:.40}" if isinstance(given, str) else type(given).__name__
