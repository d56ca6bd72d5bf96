"""Windows of the calendar: where each begins and ends, in UTC whatever the clock says."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.ledger.period import Period
from tests.refusing import raises_code

NAMES = ("year", "quarter", "month", "week", "day")
PERIODS = st.sampled_from(NAMES).map(Period)
#: Well inside the calendar, so that a next window always exists.
MOMENTS = st.datetimes(
    min_value=datetime(2, 1, 1),
    max_value=datetime(9990, 1, 1),
    timezones=st.integers(-14 * 60, 14 * 60).map(lambda each: timezone(timedelta(minutes=each))),
)
LAST_INSTANT = datetime(2026, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)


def windows(moment: datetime) -> list[str]:
    return [Period(name).window(moment) for name in NAMES]


def test_the_last_microsecond_of_a_year_is_in_it_and_the_next_is_not() -> None:
    assert windows(LAST_INSTANT) == ["2026", "2026-Q4", "2026-12", "2026-W53", "2026-12-31"]
    after = LAST_INSTANT + timedelta(microseconds=1)
    assert windows(after) == ["2027", "2027-Q1", "2027-01", "2026-W53", "2027-01-01"]


@pytest.mark.parametrize(
    ("day", "week"),
    [
        ((2026, 12, 28), "2026-W53"),
        ((2027, 1, 3), "2026-W53"),
        ((2027, 1, 4), "2027-W01"),
        ((2024, 12, 30), "2025-W01"),
        ((2023, 1, 1), "2022-W52"),
    ],
)
def test_weeks_are_those_of_iso_8601(day: tuple[int, int, int], week: str) -> None:
    assert Period("week").window(datetime(*day, tzinfo=UTC)) == week


def test_a_leap_day_has_a_window_of_its_own() -> None:
    moment = datetime(2028, 2, 29, 12, tzinfo=UTC)
    assert windows(moment) == ["2028", "2028-Q1", "2028-02", "2028-W09", "2028-02-29"]
    assert Period("day").next_starts("2028-02-28") == date(2028, 2, 29)
    assert Period("day").next_starts("2027-02-28") == date(2027, 3, 1)
    assert Period("month").next_starts("2028-02") == date(2028, 3, 1)


def test_a_local_clock_is_read_in_utc() -> None:
    """On New Year's morning in Auckland the budget is still that of the old year."""
    auckland = timezone(timedelta(hours=13))
    assert windows(datetime(2027, 1, 1, 12, 59, 59, tzinfo=auckland))[0] == "2026"
    assert windows(datetime(2027, 1, 1, 13, tzinfo=auckland))[0] == "2027"
    honolulu = timezone(timedelta(hours=-10))
    assert windows(datetime(2026, 12, 31, 14, tzinfo=honolulu))[0] == "2027"


@pytest.mark.parametrize(
    ("name", "window", "first", "following"),
    [
        ("year", "2026", "2026-01-01", "2027-01-01"),
        ("year", "2028", "2028-01-01", "2029-01-01"),
        ("quarter", "2026-Q1", "2026-01-01", "2026-04-01"),
        ("quarter", "2026-Q3", "2026-07-01", "2026-10-01"),
        ("quarter", "2026-Q4", "2026-10-01", "2027-01-01"),
        ("month", "2026-12", "2026-12-01", "2027-01-01"),
        ("month", "2026-02", "2026-02-01", "2026-03-01"),
        ("week", "2026-W53", "2026-12-28", "2027-01-04"),
        ("day", "2026-12-31", "2026-12-31", "2027-01-01"),
    ],
)
def test_where_windows_begin(name: str, window: str, first: str, following: str) -> None:
    assert Period(name).first_day(window).isoformat() == first
    assert Period(name).next_starts(window).isoformat() == following


@given(PERIODS, MOMENTS)
def test_a_moment_lies_between_its_window_and_the_next(period: Period, moment: datetime) -> None:
    window = period.window(moment)
    day = moment.astimezone(UTC).date()
    first, following = period.first_day(window), period.next_starts(window)
    assert first <= day < following
    assert period.window(midnight(first)) == window
    assert period.window(midnight(following)) != window
    assert period.window(midnight(following) - timedelta(microseconds=1)) == window


@given(PERIODS, st.lists(MOMENTS, min_size=2))
def test_windows_sort_as_time_does(period: Period, moments: list[datetime]) -> None:
    for earlier, later in pairwise(sorted(moments)):
        assert period.window(earlier) <= period.window(later)


def midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def test_a_period_is_read_from_its_name() -> None:
    assert [str(Period.read(name)) for name in NAMES] == [f"calendar {name}" for name in NAMES]
    assert Period.read(Period("week")) == Period("week")


@pytest.mark.parametrize(
    "given_name", ["decade", "Year", "", None, 1, True, float("nan"), ["year"]]
)
def test_other_periods_are_refused(given_name: Any) -> None:
    with raises_code("E-ARGUMENT-CHOICE", match="'year', 'quarter', 'month', 'week', 'day'"):
        Period.read(given_name)


@pytest.mark.parametrize("moment", [None, 0, "2026-11-15", date(2026, 11, 15), float("inf")])
def test_a_moment_is_a_datetime(moment: Any) -> None:
    with raises_code("E-MOMENT-FORM"):
        Period("year").window(moment)


def test_a_moment_says_its_time_zone() -> None:
    with raises_code("E-MOMENT-FORM"):
        Period("year").window(LAST_INSTANT.replace(tzinfo=None))


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("year", "26"),
        ("year", "2026-11"),
        ("year", "0000"),
        ("year", "２０２６"),
        ("year", "2026\n"),
        ("quarter", "2026-Q5"),
        ("month", "2026-13"),
        ("month", "2026-00"),
        ("week", "2025-W53"),
        ("week", "2026-W00"),
        ("day", "2026-02-29"),
        ("day", ""),
        ("day", None),
        ("day", 20261115),
    ],
)
def test_what_is_no_window_is_refused(name: str, window: Any) -> None:
    for reading in (Period(name).first_day, Period(name).next_starts):
        with raises_code("E-PERIOD-FORM"):
            reading(window)


@pytest.mark.parametrize("name", NAMES)
def test_the_calendar_ends_in_one_sentence(name: str) -> None:
    last = Period(name).window(datetime(9999, 12, 31, tzinfo=UTC))
    with raises_code("E-PERIOD-FORM"):
        Period(name).next_starts(last)
    beyond = datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-2)))
    with raises_code("E-MOMENT-FORM"):
        Period(name).window(beyond)
