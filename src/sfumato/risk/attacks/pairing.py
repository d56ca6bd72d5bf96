"""Which cells of two columns fit each other, found without comparing every value with every other.

Values are looked up, and bands and prefixes find the values inside them in sorted lists; only
bands, prefixes and sets are compared with each other one by one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.risk.attacks.cells import PublishedCell, Span, days_beginning, fits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from decimal import Decimal

    Cells = Sequence[PublishedCell]


#: How many pairs of bands, prefixes and sets are compared at most.
MOST_COMPARED = 9_000_000
_AFTER_ALL_TEXTS = "\U0010ffff"


def fitting_pairs(left: Cells, right: Cells, *, name: str = "a column") -> set[tuple[str, str]]:
    """Return the pairs of cells of two columns that could be of the same person.

    Parameters
    ----------
    left, right
        The cells that occur in each column, once each, from ``read_cells``.
    name
        What they are called where there are too many.
    """
    ours, theirs = alike([left, right])
    _check_effort(ours, theirs, name)
    return set(fitting_one_by_one(ours, theirs))


def fitting_one_by_one(left: Cells, right: Cells) -> Iterator[tuple[str, str]]:
    """Yield the pairs of cells that fit, some of them twice, of columns that are read alike."""
    ours, theirs = _parted(left), _parted(right)
    yield from _equal_values(ours, theirs)
    yield from ((cell.text, value) for cell, value in _inside(ours.wide, theirs.values))
    yield from ((value, cell.text) for cell, value in _inside(theirs.wide, ours.values))
    yield from ((a.text, b.text) for a in ours.wide for b in theirs.wide if fits(a, b))


def only_equal_ones_fit(left: Cells, right: Cells) -> bool:
    """Tell at a glance that cells fit only where their texts are equal; False if it takes more."""
    cells = {cell.text: cell for cell in (*left, *right)}.values()
    if any(cell.banded or cell.prefix is not None or cell.members for cell in cells):
        return False
    if any(cell.days and cell.numbers is None for cell in cells):
        return False
    known = {cell.numbers[0][0] if cell.numbers else cell.text.strip() for cell in cells}
    return len(known) == len(cells)


def _check_effort(left: Cells, right: Cells, name: str) -> None:
    ours, theirs = len(_parted(left).wide), len(_parted(right).wide)
    if ours * theirs > MOST_COMPARED:
        raise InputError(
            "E-TOO-LARGE",
            "{ours:,} bands and prefixes of {name} would be compared with {theirs:,} in the "
            "other table, and {most_compared:,} pairs are the most",
            "leave {name} out",
            ours=ours,
            name=name,
            theirs=theirs,
            most_compared=MOST_COMPARED,
        )


def alike(columns: Sequence[Cells]) -> list[list[PublishedCell]]:
    """Return the cells read in the same way: years only beside dates, moments only by themselves.

    A number of four digits is a year where dates are in the column, and else only a number; so
    ``198*`` are the days of ten years there.
    """
    cells = [cell for each in columns for cell in each]
    view: Callable[[PublishedCell], PublishedCell] = _by_day
    if not any(cell.days and cell.numbers is None for cell in cells):
        view = _undated
    elif all(cell.days is None or cell.prefix or _has_time(cell.days) for cell in cells):
        view = _dated
    return [[view(cell) for cell in each] for each in columns]


def _dated(cell: PublishedCell) -> PublishedCell:
    if cell.members:
        return replace(cell, members=tuple(map(_dated, cell.members)))
    return replace(cell, days=days_beginning(cell.prefix)) if cell.prefix else cell


def _undated(cell: PublishedCell) -> PublishedCell:
    members = tuple(map(_undated, cell.members))
    return replace(cell, days=None, members=members) if cell.days or members else cell


def _has_time(days: Span) -> bool:
    return days[0][0] % 1 != 0


def _by_day(cell: PublishedCell) -> PublishedCell:
    if cell.members:
        return replace(cell, members=tuple(map(_by_day, cell.members)))
    dated = _dated(cell)
    if dated.days is None:
        return dated
    (first, _), (last, side) = dated.days
    return replace(dated, days=((first // 1, 0), (last // 1, side)))


@dataclass(frozen=True)
class _Column:
    """The cells of a column: those that are values, and bands, prefixes and sets."""

    values: list[PublishedCell]
    wide: list[PublishedCell]


def _parted(cells: Cells) -> _Column:
    column = _Column([], [])
    for cell in cells:
        (column.values if cell.is_value else column.wide).append(cell)
    return column


def _equal_values(left: _Column, right: _Column) -> Iterator[tuple[str, str]]:
    ours, theirs = _by_key(left.values), _by_key(right.values)
    for key in ours.keys() & theirs.keys():
        yield from ((mine, their) for mine in ours[key] for their in theirs[key])


def _by_key(values: Cells) -> dict[Any, list[str]]:
    found: dict[Any, list[str]] = defaultdict(list)
    for cell in values:
        for key in _keys(cell):
            found[key].append(cell.text)
    return found


def _inside(wide: Cells, values: Cells) -> Iterator[tuple[PublishedCell, str]]:
    """Yield bands, prefixes and sets with the values that they may stand for."""
    if wide:
        ordered = _Ordered(values)
        yield from ((cell, text) for cell in wide for text in ordered.inside(cell))


class _Ordered:
    """The values of a column, sorted by all that one can ask of them."""

    def __init__(self, values: Cells) -> None:
        self._texts = sorted((cell.text.strip(), cell.text) for cell in values)
        self._numbers = sorted((c.numbers[0][0], c.text) for c in values if c.numbers)
        self._days = sorted((c.days[0][0], c.text) for c in values if c.days)
        self._by_key = _by_key(values)

    def inside(self, cell: PublishedCell) -> Iterator[str]:
        """Yield the values that a band, a prefix or a set may stand for."""
        for part in cell.members or (cell,):
            if part.prefix is not None:
                yield from _from_to(self._texts, part.prefix, part.prefix + _AFTER_ALL_TEXTS)
                yield from _within(self._days, part.days)
            elif part.is_value:
                yield from (text for key in _keys(part) for text in self._by_key.get(key, ()))
            else:
                yield from _within(self._numbers, part.numbers)
                yield from _within(self._days, part.days)


def _keys(value: PublishedCell) -> list[Any]:
    """Return what a value is found by: its text, and its number or day."""
    keys: list[Any] = [value.text.strip()]
    if value.numbers:
        keys.append(("number", value.numbers[0][0]))
    if value.days:
        keys.append(("day", value.days[0][0]))
    return keys


def _within(ordered: list[tuple[Decimal, str]], span: Span | None) -> Iterator[str]:
    """Yield the texts whose number lies in a span."""
    if span is None:
        return
    (low, above), (high, below) = span
    side = bisect_right if above else bisect_left
    start = side(ordered, low, key=lambda each: each[0])
    side = bisect_left if below else bisect_right
    end = side(ordered, high, key=lambda each: each[0])
    yield from (text for _, text in ordered[start:end])


def _from_to(ordered: list[tuple[str, str]], low: str, high: str) -> Iterator[str]:
    start = bisect_left(ordered, low, key=lambda each: each[0])
    end = bisect_right(ordered, high, key=lambda each: each[0])
    yield from (text for _, text in ordered[start:end])
