"""Which groups an answer has a row for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.data.policy import KeySet
    from sfumato.tables.known import KnownColumn

_MOST_GROUPS = 1_000_000


@dataclass(frozen=True)
class Keys:
    """The columns that rows are grouped by, and their public combinations where they are known.

    Parameters
    ----------
    names
        The columns, in the order in which they were asked for.
    rows
        The combinations, in order; None where they have to be found privately.
    allowed
        The public values of columns that have them, where the combinations are not known.
    """

    names: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] | None = ((),)
    allowed: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    @property
    def are_known(self) -> bool:
        """Whether the groups are public."""
        return self.rows is not None

    @property
    def columns(self) -> list[str]:
        """What the engine calls the columns."""
        return [f"key{place}" for place in range(len(self.names))]

    @property
    def count(self) -> int | None:
        """How many groups there are, where that is public."""
        return None if self.rows is None else len(self.rows)


def keys_for(
    names: tuple[str, ...], columns: Mapping[str, KnownColumn], keysets: tuple[KeySet, ...]
) -> Keys:
    """Return the groups of a query, by what is declared of its columns."""
    if not names:
        return Keys()
    together = [each for each in keysets if set(each.columns) == set(names)]
    if together and all(columns[name].declared for name in names):
        places = [together[0].columns.index(name) for name in names]
        return _known(names, [tuple(row[place] for place in places) for row in together[0].rows])
    values = [_values(columns[name]) for name in names]
    if all(each is not None for each in values):
        _check_size(values)
        return _known(names, list(product(*(each or () for each in values))))
    given = zip(names, values, strict=True)
    return Keys(names, None, tuple((name, each) for name, each in given if each is not None))


def _values(column: KnownColumn) -> tuple[Any, ...] | None:
    """Return the public values of a column; those of a boolean one need no declaration."""
    if column.values is None and column.type == "boolean":
        return (False, True)
    return column.values


def ordered(rows: list[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
    """Return keys in order, a missing value last."""
    return tuple(sorted(rows, key=lambda row: [_place(each) for each in row]))


def _place(value: Any) -> tuple[bool, Any]:
    return (value is None, 0 if value is None else value)


def _known(names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Keys:
    return Keys(names, ordered(rows))


def _check_size(values: list[Any]) -> None:
    groups = 1
    for each in values:
        groups *= len(each)
    if groups > _MOST_GROUPS:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the keys make {groups:,} groups, of which {most_groups:,} are allowed",
            "group by fewer columns, or declare the combinations that occur as one public "
            "table of keys",
            groups=groups,
            most_groups=_MOST_GROUPS,
        )
