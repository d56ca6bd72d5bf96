"""What a published cell may stand for: a value, a band, a prefix, a set, or anything.

A cell fits another where the same true value could be behind both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.risk.attacks.stretches import days_beginning, days_of, point

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.risk.attacks.stretches import Span

__all__ = ["Cell", "fits", "read_cell", "read_cells", "spans_meet"]

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
class Cell:
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
    members: tuple[Cell, ...] = ()
    banded: bool = False

    @property
    def is_value(self) -> bool:
        """Whether the cell is a value itself: nothing else can be behind it."""
        hidden = self.prefix is not None or self.members or self.banded
        return not hidden and (self.days is None or self.days[0] == self.days[1])


def read_cells(texts: Sequence[str]) -> list[Cell]:
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


def _with_end(cell: Cell, starts: set[Decimal]) -> Cell:
    written = _BAND.fullmatch(cell.text.strip())
    if cell.numbers is None or written is None or written[2] == "..":
        return cell
    start, (end, _) = cell.numbers
    for next_start in (end, end + 1):
        if next_start in starts and next_start > start[0]:
            return replace(cell, numbers=(start, (next_start, -1)))
    return cell


def read_cell(text: str) -> Cell:
    """Return what may be behind a cell."""
    written = text.strip()
    if written.isalpha():
        return Cell(text)
    if written.isdecimal():
        return Cell(text, numbers=point(written), days=days_of(written))
    for read in (_read_set, _read_hidden, _read_stretch, _read_dates):
        cell = read(text, written)
        if cell is not None:
            return cell
    number = point(written) if re.fullmatch(_NUMBER, written) else None
    return Cell(text, numbers=number, days=days_of(written))


def _read_set(text: str, written: str) -> Cell | None:
    found = _SET.fullmatch(written)
    parts = _MEMBER.findall(found[1]) if found else []
    members = tuple(_member(quoted, plain) for quoted, plain in parts)
    return Cell(text, members=members) if members else None


def _member(quoted: str, plain: str) -> Cell:
    """Read a member of a set; one that was empty may be anything."""
    if plain.strip() == _EMPTY:
        return Cell(plain, prefix="")
    return read_cell(plain or quoted.replace('""', '"'))


def _read_hidden(text: str, written: str) -> Cell | None:
    """Read what begins with a code; the first part of a date stands for days as well."""
    if "*" not in written:
        return None
    prefix = written.partition("*")[0]
    return Cell(text, prefix=prefix, days=days_beginning(prefix) if "-" in prefix else None)


def _read_stretch(text: str, written: str) -> Cell | None:
    """Read a band of numbers; ``2026-11``, which would run backwards, is a month."""
    span = _band(written) or _interval(written) or _ray(written)
    if span is None or span[0] > span[1]:
        return None
    return Cell(text, numbers=span, days=_years(span), banded=True)


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


def _read_dates(text: str, written: str) -> Cell | None:
    """Read a stretch of days, such as ``2026-01-01..2026-06-30``."""
    found = _DAYS_BAND.fullmatch(written)
    ends = [days_of(found[1]), days_of(found[2])] if found else [None]
    first, last = ends[0], ends[-1]
    if first is None or last is None:
        return None
    return Cell(text, days=(first[0], last[1]), banded=True)


def _years(span: Span) -> Span | None:
    """Return the days of a band that may be of years."""
    first, last = (days_of(f"{end}") for end, _ in span)
    return (first[0], last[1]) if first and last else None


def fits(one: Cell, other: Cell) -> bool:
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


def spans_meet(one: Cell, other: Cell) -> bool:
    """Tell whether two cells have a number or a day in common."""
    return _meet(one.numbers, other.numbers) or _meet(one.days, other.days)


def _meet(one: Span | None, other: Span | None) -> bool:
    return one is not None and other is not None and one[0] <= other[1] and other[0] <= one[1]


def _begins(prefix: str, cell: Cell) -> bool:
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
