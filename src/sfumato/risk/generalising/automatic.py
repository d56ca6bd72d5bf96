"""Which hierarchy suits a column for which none was given, by its values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.risk.generalising.bands import Bands, DateBands, date_bands
from sfumato.risk.generalising.categories import Prefixes, Suppress
from sfumato.risk.generalising.odd import Mostly
from sfumato.risk.generalising.values import as_day, as_number
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.risk.generalising.hierarchy import Hierarchy

__all__ = ["spared_odd", "suited_hierarchy"]

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
