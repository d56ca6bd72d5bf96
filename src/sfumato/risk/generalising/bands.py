"""Numbers in bands, and dates in months, quarters, years and decades."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.printing import counted
from sfumato.refusal import Argument
from sfumato.risk.generalising.hierarchy import (
    STAR,
    Hierarchy,
    Label,
    Level,
    as_day,
    as_number,
    as_text,
    decimal_text,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date


def bands(width: float | str, *wider: float | str, start: float | str = 0) -> Hierarchy:
    """Make a hierarchy of bands of numbers: ``50-60`` holds 50 and all up to 60, but not 60.

    The last level is ``*``, and so is one where a single band would hold every value.  A value
    that is missing, or is no finite number in a column of numbers, stays what it is up to that
    level.

    Parameters
    ----------
    width
        How wide the finest bands are; one alone is doubled until a single band would hold all.
    wider
        How wide those of the next levels are: each a multiple of the one before.
    start
        Where a band begins, on every level.

    Examples
    --------
    >>> from sfumato.risk import bands
    >>> [level.labels for level in bands(10, 20).levels([52, 59, 60])]
    [('50-60', '50-60', '60-70'), ('40-60', '40-60', '60-80'), ('*', '*', '*')]
    """
    widths = [_positive(each) for each in (width, *wider)]
    for narrow, wide in itertools.pairwise(widths):
        if wide <= narrow or (wide / narrow).denominator != 1:
            raise InputError(
                "E-HIERARCHY-FORM",
                "bands of {wide} do not hold whole bands of {narrow}",
                "give widths that are multiples, as 5, 10, 20",
                wide=decimal_text(wide),
                narrow=decimal_text(narrow),
            )
    return Bands(tuple(widths), _number(start, "start"))


def date_bands(*steps: str) -> Hierarchy:
    """Make a hierarchy of dates: day, month, quarter, year, decade, then ``*``.

    Parameters
    ----------
    steps
        Which of them, in this order; all where none is named.

    Examples
    --------
    >>> from datetime import date
    >>> from sfumato.risk import date_bands
    >>> steps = date_bands("month", "year", "decade").levels([date(1987, 3, 5)])
    >>> [level.labels[0] for level in steps]
    ['1987-03', '1987', '1980s', '*']
    """
    for step in steps:
        if step not in _STEPS:
            raise UnknownNameError(kind=mark("step of dates"), name=step, known=_STEPS)
    kept = tuple(step for step in _STEPS if step in steps or not steps)
    if steps and kept != steps:
        raise InputError(
            "E-HIERARCHY-FORM",
            "steps of dates go from fine to coarse, each once",
            "write {kept}",
            kept=", ".join(kept),
        )
    return DateBands(kept)


@dataclass(frozen=True)
class Bands(Hierarchy):
    """Numbers in bands; see :func:`bands`."""

    widths: tuple[Fraction, ...]
    start: Fraction = Fraction(0)
    kind = mark("numbers")

    def holds(self, value: Any) -> bool:
        """Tell whether a value has a place: no text that is no number."""
        return not isinstance(value, str) or as_number(value) is not None

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return the bands of each width, then ``*``; a band that holds all would tell nothing."""
        _check_all(self, values, mark("bands take numbers"))
        numbers = [as_number(each) for each in values]
        steps = [
            Level(
                tr("bands of {width}", width=decimal_text(width)),
                self._labels(values, numbers, width),
            )
            for width in self._widths([each for each in numbers if each is not None])
        ]
        telling = [level for level in steps if len(set(level.labels)) > 1]
        return [*telling, Level("suppressed", (STAR,) * len(values))]

    def _widths(self, numbers: Sequence[Fraction]) -> list[Fraction]:
        widths = list(self.widths)
        while len(self.widths) == 1 and self._can_grow(numbers, widths[-1]):
            widths.append(widths[-1] * 2)
        return widths

    def _can_grow(self, numbers: Sequence[Fraction], width: Fraction) -> bool:
        """Tell whether wider bands hold more: those on either side of the start never meet."""
        found = {self._band(each, width) for each in numbers}
        return len(found) > 1 and found != {-1, 0}

    def _band(self, number: Fraction, width: Fraction) -> int:
        return (number - self.start) // width

    def _labels(
        self, values: Sequence[Any], numbers: Sequence[Fraction | None], width: Fraction
    ) -> tuple[Label, ...]:
        return tuple(
            self._label(number, width) if number is not None else _as_it_is(value)
            for value, number in zip(values, numbers, strict=True)
        )

    def _label(self, number: Fraction, width: Fraction) -> str:
        low = self.start + self._band(number, width) * width
        ends = decimal_text(low), decimal_text(low + width)
        return ("-" if low >= 0 else " to ").join(ends)


@dataclass(frozen=True)
class DateBands(Hierarchy):
    """Dates in months, years and so on; see :func:`date_bands`."""

    steps: tuple[str, ...]
    kind = mark("dates")

    def holds(self, value: Any) -> bool:
        """Tell whether a value has a place: a date, or a missing one."""
        return value is None or as_day(value) is not None

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return the steps, then ``*``."""
        _check_all(self, values, mark("these steps take dates written as 2024-03-05"))
        days = [as_day(each) for each in values]
        steps = [
            Level(step, tuple(None if day is None else _STEPS[step](day) for day in days))
            for step in self.steps
        ]
        return [*steps, Level("suppressed", (STAR,) * len(values))]


_STEPS: dict[str, Callable[[date], str]] = {
    "day": lambda day: day.isoformat(),
    "month": lambda day: f"{day.year:04}-{day.month:02}",
    "quarter": lambda day: f"{day.year:04}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04}",
    "decade": lambda day: f"{day.year // 10:03}0s",
}


def _number(given: float | str, name: str) -> Fraction:
    number = as_number(given)
    if number is None:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} takes a number such as 10",
            "{given!r:.60} is none",
            name=Argument(name),
            given=given,
        )
    return number


def _positive(width: float | str) -> Fraction:
    number = _number(width, "width")
    if number <= 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{width} must be above 0, not {number}",
            "write {example}, say",
            width=Argument("width"),
            number=decimal_text(number),
            example=Argument("width", 10),
        )
    return number


def _as_it_is(value: Any) -> Label:
    return None if value is None else as_text(value)


def _check_all(hierarchy: Bands | DateBands, values: Sequence[Any], wanted: str) -> None:
    """Refuse values that are none of what is wanted; their number says enough."""
    odd = sum(not hierarchy.holds(each) for each in values)
    if odd:
        raise InputError(
            "E-CELLS-UNREADABLE",
            "{wanted}, and {odd:,} of {values} cannot be read as such",
            "leave such cells empty, or give a hierarchy in a file",
            wanted=wanted,
            values=counted(len(values), "value"),
            odd=odd,
        )
