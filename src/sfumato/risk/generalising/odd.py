"""The few cells of a column that are unlike the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.risk.generalising.hierarchy import STAR, Hierarchy, Label, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Mostly", "Odd"]


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
