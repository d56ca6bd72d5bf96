"""What a published cell may stand for: a value, a band, a prefix, a set, or anything.

A cell fits another where the same true value could be behind both.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.data import as_they_were

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir


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
    first = bisect_left(_ALL_DAYS, prefix, lo=1, key=_day_text)
    after = bisect_left(_ALL_DAYS, prefix + _AFTER_ALL_TEXTS, lo=1, key=_day_text)
    return ((Decimal(first), 0), (Decimal(after), -1)) if first < after else None


def _day_text(day: int) -> str:
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


_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?"
_BAND = re.compile(rf"({_NUMBER})\s*([-–—~～]|\.\.|to|至|到)\s*({_NUMBER})")
_INTERVAL = re.compile(rf"([\[(\]])\s*({_NUMBER})\s*[,;]\s*({_NUMBER})\s*([\])\[])")
_BEYOND = re.compile(rf"(<=|>=|[<>≤≥])\s*({_NUMBER})")
_AND_MORE = re.compile(rf"({_NUMBER})\s*\+")
_SET = re.compile(r"\{(.*)\}", re.DOTALL)
_MEMBER = re.compile(r'\s*(?:"((?:[^"]|"")*)"(?=\s*(?:[,;、，]|$))|([^,;、，]+))', re.DOTALL)
_DAYS = r"\d[\d\-:. T+]*?"
_DAYS_BAND = re.compile(rf"({_DAYS})\s*(?:\.\.| to | - |至|到|/)\s*({_DAYS})")
#: An empty cell in a set, as ``anonymize`` writes it; a text that reads so stands in quotes.
_EMPTY = "(empty)"
_FOREVER = Decimal("Infinity")
_FIRST, _LAST = (-_FOREVER, 0), (_FOREVER, 0)
_MOST_DIGITS = 20


@dataclass(frozen=True)
class PublishedCell:
    """What may be behind a cell.

    Attributes
    ----------
    text
        The cell as written.
    numbers
        The numbers it stands for, where it is a number or a band of them.
    days
        The days it stands for, where it is a date, a month or a year.
    prefix
        What is left before the stars, where it has some; empty where it hides everything.
    members
        What it may be, where it is a set.
    banded
        Whether it is a band, and not a value.
    """

    text: str
    numbers: Span | None = None
    days: Span | None = None
    prefix: str | None = None
    members: tuple[PublishedCell, ...] = ()
    banded: bool = False

    @property
    def is_value(self) -> bool:
        """Whether the cell is a value itself: nothing else can be behind it."""
        hidden = self.prefix is not None or self.members or self.banded
        return not hidden and (self.days is None or self.days[0] == self.days[1])


def read_cells(texts: Sequence[str]) -> list[PublishedCell]:
    """Return what may be behind the cells of one column of one table.

    The end of ``50-60`` belongs to it, unless the bands of the column share no more than ends and
    another one begins there: then 60 is in ``60-70`` alone, as in the textbook.  So is what lies
    between ``50-59`` and ``60-69`` in the first.  Both ends of ``50..60`` belong to it.
    """
    cells = [read_cell(text) for text in texts]
    starts = _starts([cell.numbers for cell in cells if cell.banded and cell.numbers])
    return [_with_end(cell, starts) if cell.banded else cell for cell in cells]


def _starts(bands: list[Span]) -> set[Decimal]:
    """Return where bands begin, if no two of them share more than an end; else nothing."""
    ordered = sorted(set(bands))
    if any(after[0][0] < before[1][0] for before, after in pairwise(ordered)):
        return set()
    return {start for (start, above), _ in ordered if not above}


def _with_end(cell: PublishedCell, starts: set[Decimal]) -> PublishedCell:
    written = _BAND.fullmatch(cell.text.strip())
    if cell.numbers is None or written is None or written[2] == "..":
        return cell
    start, (end, _) = cell.numbers
    for next_start in (end, end + 1):
        if next_start in starts and next_start > start[0]:
            return replace(cell, numbers=(start, (next_start, -1)))
    return cell


def read_cell(text: str) -> PublishedCell:
    """Return what may be behind a cell."""
    written = text.strip()
    if written.isalpha():
        return PublishedCell(text)
    if written.isdecimal():
        return PublishedCell(text, numbers=point(written), days=days_of(written))
    for read in (_read_set, _read_hidden, _read_stretch, _read_dates):
        cell = read(text, written)
        if cell is not None:
            return cell
    number = point(written) if re.fullmatch(_NUMBER, written) else None
    return PublishedCell(text, numbers=number, days=days_of(written))


def _read_set(text: str, written: str) -> PublishedCell | None:
    found = _SET.fullmatch(written)
    parts = _MEMBER.findall(found[1]) if found else []
    members = tuple(_member(quoted, plain) for quoted, plain in parts)
    return PublishedCell(text, members=members) if members else None


def _member(quoted: str, plain: str) -> PublishedCell:
    """Read a member of a set; one that was empty may be anything."""
    if plain.strip() == _EMPTY:
        return PublishedCell(plain, prefix="")
    return read_cell(plain or quoted.replace('""', '"'))


def _read_hidden(text: str, written: str) -> PublishedCell | None:
    """Read what begins with a code; the first part of a date stands for days as well."""
    if "*" not in written:
        return None
    prefix = written.partition("*")[0]
    days = days_beginning(prefix) if "-" in prefix else None
    return PublishedCell(text, prefix=prefix, days=days)


def _read_stretch(text: str, written: str) -> PublishedCell | None:
    """Read a band of numbers; ``2026-11``, which would run backwards, is a month."""
    span = _band(written) or _interval(written) or _ray(written)
    if span is None or span[0] > span[1]:
        return None
    return PublishedCell(text, numbers=span, days=_years(span), banded=True)


def _band(written: str) -> Span | None:
    found = _BAND.fullmatch(written)
    return ((Decimal(found[1]), 0), (Decimal(found[3]), 0)) if found else None


def _interval(written: str) -> Span | None:
    found = _INTERVAL.fullmatch(written)
    if not found:
        return None
    low = (Decimal(found[2]), 0 if found[1] == "[" else 1)
    return low, (Decimal(found[3]), 0 if found[4] == "]" else -1)


def _ray(written: str) -> Span | None:
    found, more = _BEYOND.fullmatch(written), _AND_MORE.fullmatch(written)
    if more:
        return (Decimal(more[1]), 0), _LAST
    if not found:
        return None
    number, sign = Decimal(found[2]), found[1]
    if sign in ("<", "<=", "≤"):
        return _FIRST, (number, -1 if sign == "<" else 0)
    return (number, 1 if sign == ">" else 0), _LAST


def _read_dates(text: str, written: str) -> PublishedCell | None:
    """Read a stretch of days, such as ``2026-01-01..2026-06-30``."""
    found = _DAYS_BAND.fullmatch(written)
    ends = [days_of(found[1]), days_of(found[2])] if found else [None]
    first, last = ends[0], ends[-1]
    if first is None or last is None:
        return None
    return PublishedCell(text, days=(first[0], last[1]), banded=True)


def _years(span: Span) -> Span | None:
    """Return the days of a band that may be of years."""
    first, last = (days_of(f"{end}") for end, _ in span)
    return (first[0], last[1]) if first and last else None


def fits(one: PublishedCell, other: PublishedCell) -> bool:
    """Tell whether the same true value could be behind two cells."""
    if one.members or other.members:
        return any(fits(a, b) for a in one.members or (one,) for b in other.members or (other,))
    if one.days and other.days:
        return spans_meet(one, other)
    if one.prefix is not None:
        return _begins(one.prefix, other)
    if other.prefix is not None:
        return _begins(other.prefix, one)
    return one.text.strip() == other.text.strip() or spans_meet(one, other)


def spans_meet(one: PublishedCell, other: PublishedCell) -> bool:
    """Tell whether two cells have a number or a day in common."""
    return _meet(one.numbers, other.numbers) or _meet(one.days, other.days)


def _meet(one: Span | None, other: Span | None) -> bool:
    return one is not None and other is not None and one[0] <= other[1] and other[0] <= one[1]


def _begins(prefix: str, cell: PublishedCell) -> bool:
    """Tell whether a value behind the cell may begin so."""
    if cell.prefix is not None:
        return cell.prefix.startswith(prefix) or prefix.startswith(cell.prefix)
    written = cell.text.strip()
    if cell.is_value:
        return written.startswith(prefix)
    if not cell.banded:
        return written.startswith(prefix) or prefix.startswith(written.partition("-Q")[0])
    if cell.numbers is None or not prefix.isdecimal():
        return True
    return any(
        _meet(cell.numbers, ((low, 0), (low + 10**zeros, -1)))
        for zeros in range(_MOST_DIGITS)
        for low in (Decimal(prefix) * 10**zeros,)
    )


_TRUTH = {"1": "true", "1.0": "true", "0": "false", "0.0": "false"}


def written(column: ir.Value) -> ir.Value:
    """Return the cells of a column as text, without blanks around it; null where one is empty.

    Empty are null, what is no number in a column of numbers, and blank text.  A cell that a file
    has an apostrophe before, lest it be a formula, is what it was.
    """
    import ibis

    if column.type().is_floating():
        number = ibis.ifelse(column == 0, 0.0, column)
        column = ibis.ifelse(column.isnan(), ibis.null(column.type()), number)
    text = as_they_were(column) if column.type().is_string() else column.cast("string")
    return text.strip().nullif("")


def true_or_false(column: ir.Value, columns: Sequence[ir.Value]) -> ir.Value:
    """Return a column as text, in which truth is written alike if one of the columns has it."""
    text = written(column)
    if not any(each.type().is_boolean() for each in columns):
        return text
    return text.lower().substitute(_TRUTH)
