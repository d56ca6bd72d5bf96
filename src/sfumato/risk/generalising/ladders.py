"""Which hierarchy suits a column for which none was given, by its values."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError, UnknownNameError, at
from sfumato.refusal import Argument
from sfumato.risk.generalising.bands import Bands, DateBands, date_bands
from sfumato.risk.generalising.categories import ListedHierarchy, Prefixes, Suppress, read_hierarchy
from sfumato.risk.generalising.hierarchy import (
    STAR,
    Hierarchy,
    Label,
    Level,
    as_day,
    as_number,
    as_text,
    check_tree,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from sfumato.risk.exposed import Exposed
    from sfumato.risk.generalising.cells import CodedCells, CodedColumn


@dataclass(frozen=True)
class Odd:
    """Cells that are none of what nearly all others of their column are.

    Attributes
    ----------
    column
        The column.
    kind
        What the others are: "numbers", "dates" or codes.
    cells
        How many cells are not.
    one
        What one of the others is.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.risk import anonymize
    >>> ages = pd.DataFrame({"age": ["31", "47"] * 20 + ["unknown"] * 2})
    >>> anonymize(ages, quasi="age", k=2).odd
    (Odd(column='age', kind='numbers', cells=2),)
    """

    column: str
    kind: str
    cells: int
    one: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True)
class Mostly(Hierarchy):
    """A hierarchy for most values; the others say ``*`` on every level.

    Attributes
    ----------
    suited
        The hierarchy.
    kind
        What it is for.
    holds
        Whether a value is one of those.
    one
        What one of those is.
    """

    suited: Hierarchy
    kind: str
    holds: Callable[[Any], bool]
    one: str = ""

    def is_odd(self, value: Any) -> bool:
        """Tell whether a value is there and is none of those that the hierarchy is for."""
        return value is not None and not self.holds(value)

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return the levels of the hierarchy, with ``*`` for what it is not for."""
        odd = [self.is_odd(each) for each in values]
        regular = [value for value, is_odd in zip(values, odd, strict=True) if not is_odd]
        return [
            Level(level.name, _with_stars(level.labels, odd))
            for level in self.suited.levels(regular)
        ]


def _with_stars(labels: Sequence[Label], odd: Sequence[bool]) -> tuple[Label, ...]:
    left = iter(labels)
    return tuple(STAR if is_odd else next(left) for is_odd in odd)


_SHORTEST_CODE = 5
_MOSTLY = 0.9
_MOST_BANDS = 40
_LEAST_SPREAD = 10


def suited_hierarchy(values: Sequence[Any], counts: Sequence[int] | None = None) -> Hierarchy:
    """Return bands for numbers, steps for dates, prefixes for codes, and ``*`` for the rest.

    A code is text with a digit, of one length that is 5 or more, as 190146; a column of typed
    numbers is never one.  Where nine cells of ten are of one kind, the others say ``*`` on every
    level.

    Parameters
    ----------
    values
        The values of a column, each once.
    counts
        How many cells have each of them; one each where nothing is said.
    """
    tally = [1] * len(values) if counts is None else counts
    known = [pair for pair in zip(values, tally, strict=True) if pair[0] is not None]
    kinds = [_codes(known), _NUMBERS, _DATES]
    for share in (1, _MOSTLY):
        for kind in kinds:
            regular = [value for value, _ in known if kind.holds(value)]
            cells = sum(count for value, count in known if kind.holds(value))
            if regular and cells >= share * sum(count for _, count in known):
                suited = kind.suited(regular)
                return suited if share == 1 else Mostly(suited, kind.name, kind.holds, kind.one)
    return Suppress()


def spared_odd(hierarchy: Hierarchy, values: Sequence[Any], counts: Sequence[int]) -> Hierarchy:
    """Return a hierarchy that was given, with ``*`` for cells that are unlike nine of ten.

    Parameters
    ----------
    hierarchy
        The hierarchy; one that is not of numbers or dates is left as it is.
    values, counts
        The values of a column, each once, and how many cells have each of them.
    """
    if not isinstance(hierarchy, (Bands, DateBands)):
        return hierarchy
    known = [pair for pair in zip(values, counts, strict=True) if pair[0] is not None]
    total = sum(count for _, count in known)
    regular = sum(count for value, count in known if hierarchy.holds(value))
    if regular == total or regular < _MOSTLY * total:
        return hierarchy
    return Mostly(hierarchy, hierarchy.kind, hierarchy.holds)


@dataclass(frozen=True)
class _Kind:
    """A kind of cells: its name in the plural, whether a cell is one, and what suits some."""

    name: str
    holds: Callable[[Any], bool]
    suited: Callable[[Sequence[Any]], Hierarchy]
    one: str = ""


def _codes(known: Sequence[tuple[Any, int]]) -> _Kind:
    """Return the codes of the length that most cells have."""
    lengths: Counter[int] = Counter()
    for value, count in known:
        lengths[len(value) if isinstance(value, str) else 0] += count
    length = max(lengths, key=lambda each: (lengths[each], each), default=0)
    return _Kind(
        tr("codes of {length} characters", length=length),
        lambda value: length >= _SHORTEST_CODE and _is_code(value, length),
        lambda _: Prefixes(),
        tr("code of {length} characters", length=length),
    )


def _is_code(value: Any, length: int) -> bool:
    return (
        isinstance(value, str)
        and len(value) == length
        and value.isalnum()
        and any(map(str.isdigit, value))
    )


def _banded(values: Sequence[Any]) -> Hierarchy:
    numbers = [as_number(each) for each in values]
    return Bands((_first_width([each for each in numbers if each is not None]),))


_NUMBERS = _Kind("numbers", lambda value: as_number(value) is not None, _banded)
_DATES = _Kind("dates", lambda value: as_day(value) is not None, lambda _: date_bands())


def _first_width(numbers: Sequence[Fraction]) -> Fraction:
    """Return 5 times a power of ten that makes at most forty bands; 2 where numbers are near."""
    spread = max(numbers) - min(numbers)
    are_whole = all(each.denominator == 1 for each in numbers)
    if are_whole and spread < _LEAST_SPREAD:
        return Fraction(2)
    width = Fraction(5)
    while spread > _MOST_BANDS * width:
        width *= 10
    while not are_whole and 0 < spread * 10 <= _MOST_BANDS * width:
        width /= 10
    return width


@dataclass(frozen=True, eq=False)
class Rung:
    """One level of a column.

    Attributes
    ----------
    name
        What the level does, in words.
    labels
        The labels, each once.
    codes
        For each value of the column, the place of its label.
    """

    name: str
    labels: tuple[Label, ...]
    codes: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ladder:
    """The levels of a column, the values themselves first.

    Attributes
    ----------
    column
        Its name.
    rungs
        The levels.
    made
        Whether the hierarchy was made because none was given.
    odd
        The cells that it was not made for, where there are some.
    """

    column: str
    rungs: tuple[Rung, ...]
    made: bool = False
    odd: Odd | None = None


def build_ladder(
    column: str, values: Sequence[Any], hierarchy: Hierarchy, *, made: bool = False
) -> Ladder:
    """Return the levels of a hierarchy over the values of a column.

    A level that was made, not written down, and holds no two values together that the level below
    tells apart is left out: it would only make the search longer.
    """
    ground = Level(
        mark("as it is"), tuple(None if each is None else as_text(each) for each in values)
    )
    with at(tr("the column {column!r} cannot be generalised", column=column)):
        levels = [ground, *hierarchy.levels(values)]
        # Values that differ may be written alike, so the tree stands on their places.
        check_tree([tuple(map(str, range(len(values)))), *(each.labels for each in levels[1:])])
    first = Rung(ground.name, ground.labels, np.arange(len(values)))
    rungs = [first, *(_rung(each) for each in levels[1:])]
    kept = rungs if isinstance(hierarchy, ListedHierarchy) else _those_that_merge(rungs)
    return Ladder(column, tuple(kept), made)


def _rung(level: Level) -> Rung:
    place: dict[Label, int] = {}
    codes = [place.setdefault(label, len(place)) for label in level.labels]
    return Rung(level.name, tuple(place), np.array(codes, dtype=np.int64))


def _those_that_merge(rungs: Sequence[Rung]) -> list[Rung]:
    kept = [rungs[0]]
    for rung in rungs[1:]:
        if len(rung.labels) < len(kept[-1].labels):
            kept.append(rung)
    return kept


#: The hierarchy of each column, or the file that it is in.
Hierarchies = Mapping[str, Hierarchy | str | os.PathLike[str]]


def check_hierarchies(exposed: Exposed, hierarchies: Hierarchies) -> None:
    """Refuse hierarchies of columns that are no quasi-identifiers, before a row is read."""
    if not isinstance(hierarchies, Mapping):
        raise InputError(
            "E-HIERARCHY-FORM",
            "{argument} takes one for each column, as {{'age': bands(10)}}",
            "{hierarchies!r:.60} is not of this form",
            hierarchies=hierarchies,
            argument=Argument("hierarchies"),
        )
    for name in hierarchies:
        if name in exposed.quasi:
            continue
        if name in exposed.source.table.columns:
            raise InputError(
                "E-QUASI-MISSING",
                "{quasi} lacks {name!r}, which is given a hierarchy",
                "name it there too",
                name=name,
                quasi=Argument("quasi"),
            )
        raise UnknownNameError(kind="quasi-identifier", name=name, known=exposed.quasi)


def choose_ladders(cells: CodedCells, hierarchies: Hierarchies) -> list[Ladder]:
    """Return the levels of each quasi-identifier."""
    return [_ladder(each, cells, hierarchies.get(each.name)) for each in cells.columns]


def _ladder(
    column: CodedColumn, cells: CodedCells, given: Hierarchy | str | os.PathLike[str] | None
) -> Ladder:
    """Return the levels of a column, and how many cells they are not for."""
    known = column.counted(cells.counts)
    values, counts = [value for value, _ in known], [count for _, count in known]
    hierarchy = (
        suited_hierarchy(values, counts)
        if given is None
        else spared_odd(_hierarchy(column.name, given), values, counts)
    )
    ladder = build_ladder(column.name, values, hierarchy, made=given is None)
    if not isinstance(hierarchy, Mostly):
        return ladder
    odd = sum(count for value, count in known if hierarchy.is_odd(value))
    return replace(ladder, odd=Odd(column.name, hierarchy.kind, odd, hierarchy.one))


def _hierarchy(column: str, given: Hierarchy | str | os.PathLike[str]) -> Hierarchy:
    if isinstance(given, Hierarchy):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_hierarchy(given)
    raise InputError(
        "E-HIERARCHY-FORM",
        "the column {column!r} takes a hierarchy, as bands(10), or a file with one",
        "{given!r:.60} is none",
        column=column,
        given=given,
    )
