"""Functions of dates and timestamps, which have no time zone and lie in years 1 to 9999."""

from __future__ import annotations

from typing import Any

from sfumato.tables.expressions.chaining import Chaining, E


class Times(Chaining[E]):
    """The parts of a date, and steps on the calendar."""

    def year(self) -> E:
        """Return the year."""
        return self._call("year")

    def quarter(self) -> E:
        """Return the quarter of the year, from 1 to 4."""
        return self._call("quarter")

    def month(self) -> E:
        """Return the month, from 1 to 12."""
        return self._call("month")

    def day(self) -> E:
        """Return the day of the month, from 1."""
        return self._call("day")

    def weekday(self) -> E:
        """Return the day of the week, from 1 for Monday to 7 for Sunday (ISO 8601)."""
        return self._call("weekday")

    def day_of_year(self) -> E:
        """Return the day of the year, from 1."""
        return self._call("day_of_year")

    def hour(self) -> E:
        """Return the hour of a timestamp, from 0 to 23."""
        return self._call("hour")

    def minute(self) -> E:
        """Return the minute of a timestamp, from 0 to 59."""
        return self._call("minute")

    def second(self) -> E:
        """Return the whole second of a timestamp, from 0 to 59."""
        return self._call("second")

    def date_trunc(self, unit: str) -> E:
        """Return the beginning of the unit of time that the value lies in.

        Parameters
        ----------
        unit
            "year", "quarter", "month", "week" (from Monday) or "day"; of a timestamp also "hour",
            "minute" or "second".
        """
        return self._call("date_trunc", unit)

    def days_until(self, other: Any) -> E:
        """Return how many days it is from this date to another; the time of day does not count."""
        return self._call("days_until", other)

    def add_days(self, days: Any) -> E:
        """Return the value so many days later; null outside the years 1 to 9999."""
        return self._call("add_days", days)
