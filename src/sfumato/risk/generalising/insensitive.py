"""The columns that are neither quasi-identifiers nor sensitive, and whom they tell of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.risk.exposure.classes import fetch_sizes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.risk.exposed import Exposed


#: A column is told of where so great a share of the rows is unique on it alone.
_MANY = 0.1


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


def look_at_others(exposed: Exposed, removed: tuple[str, ...], rows: int) -> Others:
    """Tell apart the columns that are kept, by how many rows are unique on each alone."""
    asked = (*exposed.quasi, *exposed.sensitive, *removed)
    kept = [name for name in exposed.source.table.columns if name not in asked]
    different = _different(exposed, kept)
    identifying = tuple(name for name in kept if different[name] == rows)
    rest = tuple(name for name in kept if name not in identifying)
    # No more rows can be unique than there are different values.
    uniques = _uniques(exposed, [name for name in rest if different[name] >= _MANY * rows])
    telling = {name: number for name, number in uniques.items() if number >= _MANY * rows}
    return Others(removed, identifying, rest, telling)


def _different(exposed: Exposed, names: Sequence[str]) -> dict[str, int]:
    """Return how many different values columns have; a missing one is a value of its own."""
    if not names:
        return {}
    table = exposed.source.table
    counts = {
        f"key{place}": table[name].nunique() + table[name].isnull().any().cast("int64")
        for place, name in enumerate(names)
    }
    (found,) = exposed.source.fetch(table.aggregate(**counts)).to_pylist()
    return dict(zip(names, found.values(), strict=True))


def _uniques(exposed: Exposed, names: Sequence[str]) -> dict[str, int]:
    """Return how many rows are unique on each of some columns."""
    import ibis

    if not names:
        return {}
    table = exposed.source.table
    keys = {f"key{place}": table[name] for place, name in enumerate(names)}
    rows = table.select(**keys, mass=ibis.literal(1, "int64"))
    found = fetch_sizes(exposed.source, rows, [[key] for key in keys])
    return {name: sizes.get(1, 0) for name, sizes in zip(names, found, strict=True)}
