"""Counting equivalence classes, inside the engine.

Everything starts from *cells*: one line a combination of values, as key0, key1, ... and how many
rows have it, as ``mass``.  No name of a user's column is in a query, so none can clash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data import Source, open_source
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

__all__ = ["Sizes", "cells_of", "check_rows", "fetch_sizes", "keys", "opened", "sizes_of"]

#: How many combinations occur how often: sizes in order, and how many have each.
Sizes = dict[int, int]

# So many groupings are asked for in one query; more would take the engine long to plan.
_MOST_AT_ONCE = 60


def opened(data: Any) -> Source:
    """Return a table in an engine; one that is opened already is taken as it is."""
    return data if isinstance(data, Source) else open_source(data)


def cells_of(table: ir.Table, names: Sequence[str]) -> ir.Table:
    """Return the query for the cells of some columns."""
    by = {f"key{position}": table[name] for position, name in enumerate(names)}
    return table.group_by(**by).agg(mass=table.count())


def keys(first: int, last: int) -> list[str]:
    """Return the names of keys in the cells."""
    return [f"key{position}" for position in range(first, last)]


def sizes_of(cells: ir.Table) -> ir.Table:
    """Return the query for how many cells have each mass."""
    return cells.group_by(size=cells.mass).agg(classes=cells.count())


def fetch_sizes(source: Source, cells: ir.Table, groupings: Sequence[Sequence[str]]) -> list[Sizes]:
    """Group the cells by some keys, in each of several ways, and count groups by their size."""
    found: list[Sizes] = []
    for start in range(0, len(groupings), _MOST_AT_ONCE):
        found += _fetched(source, cells, groupings[start : start + _MOST_AT_ONCE])
    return found


def _fetched(source: Source, cells: ir.Table, groupings: Sequence[Sequence[str]]) -> list[Sizes]:
    import ibis

    each = [_numbered(number, cells, chosen) for number, chosen in enumerate(groupings)]
    query = ibis.union(*each) if len(each) > 1 else each[0]
    found: list[Sizes] = [{} for _ in groupings]
    for line in source.fetch(query.order_by(["grouping", "size"])).to_pylist():
        found[line["grouping"]][line["size"]] = line["classes"]
    return found


def _numbered(number: int, cells: ir.Table, chosen: Sequence[str]) -> ir.Table:
    import ibis

    coarser = cells.group_by(list(chosen)).agg(mass=cells.mass.sum())
    counted = sizes_of(coarser)
    return counted.select(
        grouping=ibis.literal(number, "int64"), size=counted["size"], classes=counted.classes
    )


def check_rows(source: Source, sizes: Sizes) -> None:
    """Refuse a table without people."""
    if not sizes:
        raise InputError(
            "E-TABLE-EMPTY",
            "{source} has no rows below its header",
            "there is nobody to look at",
            source=source.name,
        )
