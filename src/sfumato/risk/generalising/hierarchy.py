"""How the values of a column are generalised, step by step."""

from __future__ import annotations

import itertools
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence


#: What stands where nothing is told any more.
STAR = "*"

#: What stands for a value; None for a value that is missing.
Label = str | None


@dataclass(frozen=True)
class Level:
    """One step of a hierarchy over some values.

    Attributes
    ----------
    name
        What the step does, in words.
    labels
        What stands for each of the values.

    Examples
    --------
    >>> from sfumato.risk import bands
    >>> bands(10, 20).levels([52, 64])[0]
    Level(name='bands of 10', labels=('50-60', '60-70'))
    """

    name: str
    labels: tuple[Label, ...]


class Hierarchy(ABC):
    """How the values of a column are generalised, step by step, as in a tree.

    Values that are alike on one level are alike on all above.  Make one by
    :func:`~sfumato.risk.bands`, :func:`~sfumato.risk.date_bands`,
    :func:`~sfumato.risk.prefixes`, :func:`~sfumato.risk.groups` or
    :func:`~sfumato.risk.suppress`, or read one by :func:`~sfumato.risk.read_hierarchy`.

    Examples
    --------
    >>> from sfumato.risk import Hierarchy
    >>> from sfumato.risk.generalising.hierarchy import Level
    >>> class FirstLetter(Hierarchy):
    ...     def levels(self, values):
    ...         return [Level("first letter", tuple(str(each)[:1] for each in values))]
    >>> FirstLetter().levels(["Rome", "Riga", "Oslo"])[0].labels
    ('R', 'R', 'O')
    """

    @abstractmethod
    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return the steps above the values themselves, the finest first.

        Parameters
        ----------
        values
            The values of a column, each once; None for a missing one.

        Raises
        ------
        InputError
            If a value is none that the hierarchy covers.

        Examples
        --------
        >>> from sfumato.risk import prefixes
        >>> [level.labels for level in prefixes().levels(["190", "194"])]
        [('19*', '19*'), ('1**', '1**'), ('*', '*')]
        """


def check_tree(levels: Sequence[Sequence[Label]]) -> None:
    """Refuse levels that are no tree: alike on one level, and not on the next."""
    for number, (finer, coarser) in enumerate(itertools.pairwise(levels)):
        above: dict[Label, Label] = {}
        for low, high in zip(finer, coarser, strict=True):
            if above.setdefault(low, high) != high:
                raise InputError(
                    "E-HIERARCHY-FORM",
                    "{low} on level {number} stands below both {above} and {high} on level "
                    "{other_number}",
                    "give it one label there",
                    low=_shown(low),
                    number=number,
                    above=_shown(above[low]),
                    high=_shown(high),
                    other_number=number + 1,
                )


def _shown(label: Label) -> str:
    return mark("a missing value") if label is None else f"{label[:60]!r}"


_LONGEST = 1000
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)", re.ASCII)


def as_text(value: Any) -> str:
    """Return a value as it is written; a whole number has no point."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def as_number(value: Any) -> Fraction | None:
    """Return a value as an exact number, or None where it is none."""
    if isinstance(value, str):
        text = value.strip()
        return Fraction(text) if len(text) < _LONGEST and _NUMBER.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    written = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return Fraction(written) if written.is_finite() else None


def as_day(value: Any) -> date | None:
    """Return the day of a date, a time or a text such as ``2024-03-05``; None where it is none."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return datetime.fromisoformat(value.strip()).date() if isinstance(value, str) else None
    except ValueError:
        return None


def decimal_text(number: Fraction) -> str:
    """Return a number that has a finite decimal form in that form."""
    if number.denominator == 1:
        return str(number.numerator)
    return f"{Decimal(number.numerator) / Decimal(number.denominator):f}"
