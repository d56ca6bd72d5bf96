"""The smallest groups of people that published figures tell apart, counted in the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from sfumato.data import Source
    from sfumato.risk.attacks.conditions import Condition

__all__ = ["MOST_GROUPS", "Group", "groups_of"]

#: How many combinations of the published columns may occur.
MOST_GROUPS = 100_000


@dataclass(frozen=True)
class Group:
    """People whom no published figure tells apart.

    Attributes
    ----------
    key
        What they are like: a cell of each published column, and for each published set whether
        they are in it, ``yes`` or ``no``.
    people, total
        How many they are, and what sum of the published value they have.

    Examples
    --------
    >>> from sfumato.data import open_source
    >>> from sfumato.risk.attacks.groups import groups_of
    >>> groups_of(open_source("examples/hospital-a.csv"), ("sex",), (), "age")[0]
    Group(key=('female',), people=4, total=235.0)
    """

    key: tuple[str, ...]
    people: int
    total: float


def groups_of(
    source: Source, columns: Sequence[str], sets: Sequence[Condition], value: str | None
) -> list[Group]:
    """Return the groups that published columns and sets make, in order.

    Examples
    --------
    >>> from sfumato.data import open_source
    >>> from sfumato.risk.attacks.conditions import read_condition
    >>> from sfumato.risk.attacks.groups import groups_of
    >>> older = read_condition("age>=60")
    >>> found = groups_of(open_source("examples/hospital-a.csv"), ["sex"], [older], None)
    >>> [(group.key, group.people) for group in found][:2]
    [(('female', 'no'), 2), (('female', 'yes'), 2)]
    """
    seen = [_text(source.table[name]) for name in columns]
    seen += [each.holds(source).ifelse("yes", "no") for each in sets]
    keys = {f"key{place}": column for place, column in enumerate(seen)}
    rows = source.table.select(**keys, value=_number(source, value))
    query = rows.group_by(list(keys)) if keys else rows
    counted = query.agg(n=rows.count(), total=rows.value.sum().fill_null(0.0))
    found = source.fetch(counted.limit(MOST_GROUPS + 1)).to_pylist()
    if not sum(row["n"] for row in found):
        message = f"{source.name} has no rows below its header; there is nothing to publish"
        raise InputError(message)
    if len(found) > MOST_GROUPS:
        message = (
            f"the published columns of {source.name} have more than {MOST_GROUPS:,} combinations, "
            "too many to subtract; publish fewer columns at a time"
        )
        raise InputError(message)
    return sorted(
        (Group(tuple(row[key] for key in keys), row["n"], row["total"]) for row in found),
        key=lambda each: each.key,
    )


def _text(column: ir.Value) -> ir.Value:
    return column.cast("string").fill_null("(empty)")


def _number(source: Source, value: str | None) -> ir.Value:
    """Return the published value as a number; refuse a column that has something else."""
    import ibis

    if value is None:
        return ibis.literal(0.0)
    column = source.table[value]
    # Trimming also keeps the engine from casting while it parses, where a bad cell is an error.
    number = (column.strip() if column.type().is_string() else column).try_cast("float64")
    odd = column.notnull() & (number.isnull() | number.isnan() | number.isinf())
    count = source.fetch(source.table.aggregate(odd=source.table.count(where=odd))).to_pylist()
    if count[0]["odd"]:
        message = (
            f"{count[0]['odd']:,} cells of {value!r} in {source.name} are no numbers, and sums of "
            "it are asked for; name a column of numbers"
        )
        raise InputError(message)
    return number
