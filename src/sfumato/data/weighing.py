"""One number a combination: how many rows it has, or what they weigh."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from sfumato.data.source import Source

__all__ = ["View", "compared_as", "grouped", "weighed_rows"]

#: What of a column is looked at when it is compared.
View = Callable[["ir.Value"], "ir.Value"]

# A digit before the point, no zeros at the end after it, no minus before zero; a number with
# zeros in front is a code and stays one.
_ONE_WAY_TO_WRITE = (
    (r"^(-?)(\.[0-9]+)$", r"\10\2"),
    (r"^(-?(?:0|[1-9][0-9]*))(?:(\.[0-9]*[1-9])0*|\.0+)$", r"\1\2"),
    (r"^-0$", "0"),
)


def grouped(
    source: Source,
    columns: Sequence[str],
    weights: str | None,
    *,
    views: Sequence[View] | None = None,
) -> ir.Table:
    """Return a query for the combinations as key0, key1, ... and the ``mass`` of each."""
    seen = views or [_as_it_is] * len(columns)
    keys = {
        f"key{position}": view(source.table[name])
        for position, (name, view) in enumerate(zip(columns, seen, strict=True))
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
        raise InputError(
            "E-WEIGHTS-FORM",
            "{found} of the {other_found} rows of {source} have no usable weight in {weights!r}",
            "a weight is a number that is finite and 0 or more",
            found=found["all"] - found["rows"],
            other_found=found["all"],
            source=source.name,
            weights=weights,
        )
    if found["all"] and not 0 < found["total"] < math.inf:
        raise InputError(
            "E-WEIGHTS-FORM",
            "the weights in {weights!r} of {source} add up to {found:g}",
            "at least one must be above 0, and their sum must be finite",
            weights=weights,
            source=source.name,
            found=found["total"],
        )
    return int(found["all"])


def compared_as(left: ir.Value, right: ir.Value) -> View:
    """Return how to see two columns, so that equal values are equal whatever their types."""
    types = left.type(), right.type()
    if types[0] == types[1]:
        return _as_it_is
    numbers = [each.is_numeric() and not each.is_boolean() for each in types]
    if all(numbers) and any(each.is_floating() for each in types):
        return _as_float
    return _as_written_number if any(numbers) else _as_text


def _as_it_is(column: ir.Value) -> ir.Value:
    return column


def _as_float(column: ir.Value) -> ir.Value:
    return column.cast("float64")


def _as_text(column: ir.Value) -> ir.Value:
    return column.cast("string")


def _as_written_number(column: ir.Value) -> ir.Value:
    """Return text in which a number is written in one way, and anything else as it is."""
    text = _as_text(column)
    for pattern, replacement in _ONE_WAY_TO_WRITE:
        text = text.re_replace(pattern, replacement)
    return text


def _weight(source: Source, weights: str) -> ir.FloatingValue:
    column = source.table[weights]
    # Trimming also keeps the engine from casting while it parses, where a bad cell is an error.
    text = column.strip() if column.type().is_string() else column
    return text.try_cast("float64")
