"""Which cells of two columns fit each other, found without comparing every value with every other.

Values are looked up, and bands and prefixes find the values inside them in sorted lists; only
bands, prefixes and sets are compared with each other one by one.

Cells overlap: 56 is in ``50-60``, in ``55-65`` and in a star.  Whatever value somebody has, one of
the values found here lies in exactly the same cells of every table.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.risk.attacks.cells import (
    Cell,
    around,
    days_beginning,
    ends_of,
    fits,
    is_numeric,
    numbers_between,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from decimal import Decimal

    from sfumato.risk.attacks.cells import Span


#: How many pairs of bands, prefixes and sets are compared at most.
MOST_COMPARED = 9_000_000
_AFTER_ALL_TEXTS = "\U0010ffff"


def fitting_pairs(
    left: Sequence[Cell], right: Sequence[Cell], *, name: str = "a column"
) -> set[tuple[str, str]]:
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


def fitting_one_by_one(left: Sequence[Cell], right: Sequence[Cell]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of cells that fit, some of them twice, of columns that are read alike."""
    ours, theirs = _parted(left), _parted(right)
    yield from _equal_values(ours, theirs)
    yield from ((cell.text, value) for cell, value in _inside(ours.wide, theirs.values))
    yield from ((value, cell.text) for cell, value in _inside(theirs.wide, ours.values))
    yield from ((a.text, b.text) for a in ours.wide for b in theirs.wide if fits(a, b))


def only_equal_ones_fit(left: Sequence[Cell], right: Sequence[Cell]) -> bool:
    """Tell at a glance that cells fit only where their texts are equal; False if it takes more."""
    cells = {cell.text: cell for cell in (*left, *right)}.values()
    if any(cell.banded or cell.prefix is not None or cell.members for cell in cells):
        return False
    if any(cell.days and cell.numbers is None for cell in cells):
        return False
    known = {cell.numbers[0][0] if cell.numbers else cell.text.strip() for cell in cells}
    return len(known) == len(cells)


def _check_effort(left: Sequence[Cell], right: Sequence[Cell], name: str) -> None:
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


def alike(columns: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Return the cells read in the same way: years only beside dates, moments only by themselves.

    A number of four digits is a year where dates are in the column, and else only a number; so
    ``198*`` are the days of ten years there.
    """
    cells = [cell for each in columns for cell in each]
    view: Callable[[Cell], Cell] = _by_day
    if not any(cell.days and cell.numbers is None for cell in cells):
        view = _undated
    elif all(cell.days is None or cell.prefix or _has_time(cell.days) for cell in cells):
        view = _dated
    return [[view(cell) for cell in each] for each in columns]


def _dated(cell: Cell) -> Cell:
    if cell.members:
        return replace(cell, members=tuple(map(_dated, cell.members)))
    return replace(cell, days=days_beginning(cell.prefix)) if cell.prefix else cell


def _undated(cell: Cell) -> Cell:
    members = tuple(map(_undated, cell.members))
    return replace(cell, days=None, members=members) if cell.days or members else cell


def _has_time(days: Span) -> bool:
    return days[0][0] % 1 != 0


def _by_day(cell: Cell) -> Cell:
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

    values: list[Cell]
    wide: list[Cell]


def _parted(cells: Sequence[Cell]) -> _Column:
    column = _Column([], [])
    for cell in cells:
        (column.values if cell.is_value else column.wide).append(cell)
    return column


def _equal_values(left: _Column, right: _Column) -> Iterator[tuple[str, str]]:
    ours, theirs = _by_key(left.values), _by_key(right.values)
    for key in ours.keys() & theirs.keys():
        yield from ((mine, their) for mine in ours[key] for their in theirs[key])


def _by_key(values: Sequence[Cell]) -> dict[Any, list[str]]:
    found: dict[Any, list[str]] = defaultdict(list)
    for cell in values:
        for key in _keys(cell):
            found[key].append(cell.text)
    return found


def _inside(wide: Sequence[Cell], values: Sequence[Cell]) -> Iterator[tuple[Cell, str]]:
    """Yield bands, prefixes and sets with the values that they may stand for."""
    if wide:
        ordered = _Ordered(values)
        yield from ((cell, text) for cell in wide for text in ordered.inside(cell))


class _Ordered:
    """The values of a column, sorted by all that one can ask of them."""

    def __init__(self, values: Sequence[Cell]) -> None:
        self._texts = sorted((cell.text.strip(), cell.text) for cell in values)
        self._numbers = sorted((c.numbers[0][0], c.text) for c in values if c.numbers)
        self._days = sorted((c.days[0][0], c.text) for c in values if c.days)
        self._by_key = _by_key(values)

    def inside(self, cell: Cell) -> Iterator[str]:
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


def _keys(value: Cell) -> list[Any]:
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


#: How many pairs of a value and a cell of one column are looked at.
MOST_FITTING = 4_000_000
#: Values, and for each the cells that it is in; None where every cell is a value by itself.
Relation = dict[str, tuple[str, ...]] | None
_SOMETHING = "…"


def told_apart(columns: Sequence[Sequence[Cell]], name: str) -> list[Relation]:
    """Return for each table which values of a column lie in which of its cells.

    Values that lie in the same cells of every table are one, and those are left out that lie in no
    cell of some table.

    Parameters
    ----------
    columns
        The cells that occur in each table, once each, from ``read_cells``.
    name
        What the column is called.
    """
    everything = [cell for cells in columns for cell in cells]
    if only_equal_ones_fit(everything, everything):
        return [None] * len(columns)
    read = alike(columns)
    values = _values(read)
    inside = [_values_inside(values, cells, name) for cells in read]
    first: dict[tuple[tuple[str, ...], ...], str] = {}
    for value in values:
        if all(value.text in each for each in inside):
            first.setdefault(tuple(each[value.text] for each in inside), value.text)
    return [{text: each[text] for text in first.values()} for each in inside]


def _values_inside(
    values: Sequence[Cell], cells: Sequence[Cell], name: str
) -> dict[str, tuple[str, ...]]:
    pairs = list(islice(fitting_one_by_one(values, cells), MOST_FITTING + 1))
    if len(pairs) > MOST_FITTING:
        raise InputError(
            "E-TOO-LARGE",
            "the {count:,} different cells of {name!r} overlap in too many ways to tell "
            "people apart",
            "leave {name!r} out, or generalise it",
            count=len(cells),
            name=name,
        )
    found: defaultdict[str, set[str]] = defaultdict(set)
    for value, cell in pairs:
        found[value].add(cell)
    return {value: tuple(sorted(each)) for value, each in found.items()}


def _values(columns: Sequence[Sequence[Cell]]) -> list[Cell]:
    """Return enough values to find one for every way in which cells overlap.

    Where all cells of some table are values, a person who is in it has one of these.
    """
    only_values = [cells for cells in columns if all(cell.is_value for cell in cells)]
    if only_values:
        fewest = min(only_values, key=len)
        return list(fewest)
    parts = _Parts([part for cells in columns for cell in cells for part in _parts(cell)])
    found: dict[str, Cell] = {}
    for cell in parts.values():
        found.setdefault(cell.text, cell)
    return list(found.values())


def _parts(cell: Cell) -> Iterator[Cell]:
    if not cell.members:
        yield cell
    for member in cell.members:
        yield from _parts(member)


class _Parts:
    """Values, bands and prefixes of one column."""

    def __init__(self, parts: Sequence[Cell]) -> None:
        self._values = [each for each in parts if each.is_value]
        wide = [each for each in parts if not each.is_value]
        self._prefixes = sorted({each.prefix for each in wide if each.prefix is not None})
        self._days = [each.days for each in wide if each.days]
        self._banded = [each for each in wide if each.numbers and not each.days]

    def values(self) -> Iterator[Cell]:
        """Yield a value of every piece into which the parts cut the column, and more."""
        yield from self._values
        if self._days:
            dated = [each.days for each in self._values if each.days]
            yield from (_on(day) for day in around(ends_of([*self._days, *dated])) if _exists(day))
        if self._banded:
            counted = [each for each in self._values if each.numbers]
            yield from numbers_between([*self._banded, *counted], self._prefixes)
        yield from self._others()

    def _others(self) -> Iterator[Cell]:
        """Yield something else that begins as a prefix says, and that no cell has.

        Where all else are numbers or days, only a star may hide what is none.
        """
        something = _SOMETHING
        while any(something in each.text for each in self._values):
            something += _SOMETHING
        only_stars = self._is_all_numbers() or self._is_all_days()
        prefixes = [each for each in self._prefixes if not (each and only_stars)]
        yield from (Cell(prefix + something) for prefix in prefixes)

    def _is_all_numbers(self) -> bool:
        codes = all(not each or is_numeric(each) for each in self._prefixes)
        return bool(self._banded) and codes and all(each.numbers for each in self._values)

    def _is_all_days(self) -> bool:
        return bool(self._days) and all(each.days for each in self._values)


def _exists(day: Decimal) -> bool:
    return 1 <= day < date.max.toordinal()


def _on(day: Decimal) -> Cell:
    """Return a day or a moment."""
    moment = datetime.fromordinal(int(day)) + timedelta(microseconds=int(day % 1 * 86_400_000_000))
    text = moment.date().isoformat() if day % 1 == 0 else moment.isoformat(sep=" ")
    return Cell(text, days=((day, 0), (day, 0)))
