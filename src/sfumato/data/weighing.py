"""One number a combination: how many rows it has, or what they weigh."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from sfumato.data.source import Source

__all__ = ["compared_as", "grouped", "weighed_rows"]


def grouped(
    source: Source,
    columns: Sequence[str],
    weights: str | None,
    *,
    types: Sequence[str | None] | None = None,
) -> ir.Table:
    """Return a query for the combinations as key0, key1, ... and the ``mass`` of each."""
    casts = types or [None] * len(columns)
    keys = {
        f"key{position}": _cast(source.table[name], kind)
        for position, (name, kind) in enumerate(zip(columns, casts, strict=True))
    }
    if weights is None:
        table = source.table.select(**keys)
        return table.group_by(list(keys)).agg(mass=table.count())
    table = source.table.select(**keys, weight=_weight(source, weights))
    cells = table.group_by(list(keys)).agg(mass=table.weight.sum())
    return cells.filter(cells.mass > 0)


def weighed_rows(source: Source, weights: str) -> int:
    """Return the number of rows, once every weight is known to be a number of 0 or more."""
    weight = _weight(source, weights)
    good = weight.notnull() & ~weight.isnan() & ~weight.isinf() & (weight >= 0)
    query = source.table.aggregate(
        rows=weight.count(where=good), all=source.table.count(), total=weight.sum(where=good)
    )
    found = source.fetch(query).to_pylist()[0]
    if found["rows"] < found["all"]:
        message = (
            f"{found['all'] - found['rows']} of the {found['all']} rows of {source.name} have no "
            f"usable weight in {weights!r}; a weight is a number that is finite and 0 or more"
        )
        raise InputError(message)
    if found["all"] and not 0 < found["total"] < math.inf:
        message = (
            f"the weights in {weights!r} of {source.name} add up to {found['total']:g}; "
            "at least one must be above 0, and their sum must be finite"
        )
        raise InputError(message)
    return int(found["all"])


def compared_as(left: ir.Value, right: ir.Value) -> str | None:
    """Return the type in which to compare two columns; None where theirs is the same."""
    types = left.type(), right.type()
    if types[0] == types[1]:
        return None
    numeric = all(each.is_numeric() and not each.is_boolean() for each in types)
    return "float64" if numeric and any(each.is_floating() for each in types) else "string"


def _cast(column: ir.Value, kind: str | None) -> ir.Value:
    return column if kind is None else column.cast(kind)


def _weight(source: Source, weights: str) -> ir.FloatingValue:
    column = source.table[weights]
    # Trimming also keeps the engine from casting while it parses, where a bad cell is an error.
    text = column.strip() if column.type().is_string() else column
    return text.try_cast("float64")
