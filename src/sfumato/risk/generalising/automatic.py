"""Which hierarchy suits a column for which none was given, by its values."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.risk.generalising.bands import Bands, date_bands
from sfumato.risk.generalising.categories import Prefixes, Suppress
from sfumato.risk.generalising.values import as_day, as_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.risk.generalising.hierarchy import Hierarchy

__all__ = ["suited_hierarchy"]

_SHORTEST_CODE = 5
_MOST_BANDS = 40
_LEAST_SPREAD = 10


def suited_hierarchy(values: Sequence[Any]) -> Hierarchy:
    """Return bands for numbers, steps for dates, prefixes for codes, and ``*`` for the rest.

    A code is text with a digit, of one length that is 5 or more, as 190146; a column of typed
    numbers is never one.

    Examples
    --------
    >>> from sfumato.risk.generalising.automatic import suited_hierarchy
    >>> suited_hierarchy(["190146", "190118"])
    Prefixes(lengths=())
    >>> [level.name for level in suited_hierarchy(["52", "67"]).levels([52, 67])]
    ['bands of 5', 'bands of 10', 'bands of 20', 'bands of 40', 'suppressed']
    """
    known = [each for each in values if each is not None]
    if not known:
        return Suppress()
    if _are_codes(known):
        return Prefixes()
    numbers = [as_number(each) for each in known]
    if None not in numbers:
        return Bands((_first_width([each for each in numbers if each is not None]),))
    are_dates = all(as_day(each) is not None for each in known)
    return date_bands() if are_dates else Suppress()


def _are_codes(values: Sequence[Any]) -> bool:
    if not all(isinstance(each, str) for each in values):
        return False
    lengths = {len(each) for each in values}
    return (
        len(lengths) == 1
        and lengths.pop() >= _SHORTEST_CODE
        and all(each.isalnum() and any(map(str.isdigit, each)) for each in values)
    )


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
