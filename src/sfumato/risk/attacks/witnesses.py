"""One value for every way in which the cells of a column can be about the same person.

Cells overlap: 56 is in ``50-60``, in ``55-65`` and in a star.  Whatever value somebody has, one of
the values found here lies in exactly the same cells of every table.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.risk.attacks.between import around, ends_of, is_numeric, numbers_between
from sfumato.risk.attacks.cells import Cell
from sfumato.risk.attacks.pairing import alike, fitting_one_by_one, only_equal_ones_fit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

__all__ = ["MOST_FITTING", "Relation", "told_apart"]

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
    inside = [_inside(values, cells, name) for cells in read]
    first: dict[tuple[tuple[str, ...], ...], str] = {}
    for value in values:
        if all(value.text in each for each in inside):
            first.setdefault(tuple(each[value.text] for each in inside), value.text)
    return [{text: each[text] for text in first.values()} for each in inside]


def _inside(values: Sequence[Cell], cells: Sequence[Cell], name: str) -> dict[str, tuple[str, ...]]:
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
