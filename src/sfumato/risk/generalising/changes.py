"""What was done to the columns of a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Change", "Others"]


@dataclass(frozen=True)
class Change:
    """What was done to a quasi-identifier.

    Attributes
    ----------
    name
        The column.
    how
        What its cells are now, in words.
    level, levels
        Its level, 0 for the values as they are, and the coarsest; None where cells were
        generalised one by one.
    made
        Whether the hierarchy was made because none was given.

    Examples
    --------
    >>> from sfumato.risk import anonymize
    >>> anonymize("examples/hospital-a.csv", quasi="age", k=2).changes
    (Change(name='age', how='bands of 10', level=2, levels=3, made=True),)
    """

    name: str
    how: str
    level: int | None
    levels: int | None
    made: bool


@dataclass(frozen=True)
class Others:
    """The columns that are neither quasi-identifiers nor sensitive.

    Attributes
    ----------
    removed
        Those that say ``*`` in every row.
    identifying
        Those that are kept although they differ in every row: they name people.
    unlooked
        The rest, which are kept as they are.
    telling
        Those of the rest that many rows are unique on, and how many.

    Examples
    --------
    >>> from sfumato.risk import anonymize
    >>> anonymize("examples/hospital-a.csv", quasi="age", k=2).others.identifying
    ('name',)
    """

    removed: tuple[str, ...] = ()
    identifying: tuple[str, ...] = ()
    unlooked: tuple[str, ...] = ()
    telling: Mapping[str, int] = field(default_factory=dict)
