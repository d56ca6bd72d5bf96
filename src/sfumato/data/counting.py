"""Grouping and counting inside the engine; only counts come out, never rows.

They come out in an order of their own, so that the same table always gives the same digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.data.arrow import array_of
from sfumato.data.names import asked_names
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa

    from sfumato.data.source import Source


#: How often each combination occurs (int64), or the sum of its weights (float64).
Counts = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroupCounts:
    """How often each combination of some columns occurs.

    Attributes
    ----------
    columns
        The columns that were grouped.
    counts
        One number a combination: rows, or the sum of their weights.
    rows
        How many rows were counted.
    keys
        The combinations themselves, beside ``counts``, where they were asked for.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import count_groups, open_source
    >>> counted = count_groups(open_source(pd.DataFrame({"sex": ["F", "M", "F"]})), ["sex"])
    >>> counted.rows, sorted(counted.counts.tolist())
    (3, [1, 2])
    """

    columns: tuple[str, ...]
    counts: Counts
    rows: int
    keys: pa.Table | None = None


@dataclass(frozen=True, eq=False)
class NestedCounts:
    """How often each combination of some columns occurs within each combination of others.

    Attributes
    ----------
    columns, given
        The columns that were counted, and those they were counted within.
    counts
        One number a combination of both, those of one group side by side.
    groups
        For each of ``counts``, the number of its group.
    rows
        How many rows were counted.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import count_nested, open_source
    >>> frame = pd.DataFrame({"ill": ["y", "n", "n"], "sex": ["F", "F", "M"]})
    >>> counted = count_nested(open_source(frame), ["ill"], given=["sex"])
    >>> sorted(counted.counts.tolist()), sorted(counted.groups.tolist())
    ([1, 1, 1], [0, 0, 1])
    """

    columns: tuple[str, ...]
    given: tuple[str, ...]
    counts: Counts
    groups: NDArray[np.int64]
    rows: int


@dataclass(frozen=True, eq=False)
class PairedCounts:
    """How often each combination of some columns occurs in each of two tables.

    Attributes
    ----------
    columns
        The columns that were grouped.
    first, second
        One number a combination that occurs in either table; 0 where it does not occur.
    rows
        How many rows each table has.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import count_pairs, open_sources
    >>> p, q = open_sources(pd.DataFrame({"x": ["a", "b"]}), pd.DataFrame({"x": ["b"]}))
    >>> counted = count_pairs(p, q, ["x"])
    >>> sorted(zip(counted.first.tolist(), counted.second.tolist()))
    [(1, 0), (1, 1)]
    """

    columns: tuple[str, ...]
    first: Counts
    second: Counts
    rows: tuple[int, int]


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


def count_groups(
    source: Source,
    columns: str | Iterable[str],
    *,
    weights: str | None = None,
    with_keys: bool = False,
) -> GroupCounts:
    """Count the combinations of some columns; nulls are an outcome of their own.

    Parameters
    ----------
    source
        A table from ``open_source``.
    columns
        Which column or columns; a combination is one value of each.
    weights
        A column that says how much each row counts; without it each row counts one.
        Combinations that weigh nothing are left out.
    with_keys
        Whether to hand over the combinations too, as an Arrow table.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import count_groups, open_source
    >>> source = open_source(pd.DataFrame({"city": ["Rome", "Paris"], "n": [30, 12]}))
    >>> counted = count_groups(source, ["city"], weights="n", with_keys=True)
    >>> dict(zip(counted.keys["city"].to_pylist(), counted.counts.tolist())) == {
    ...     "Rome": 30.0, "Paris": 12.0}
    True
    """
    names = asked_names(columns)
    weighed = _checked(source, names, weights)
    cells = grouped(source, names, weights)
    fetched = source.fetch((cells if with_keys else cells.select("mass")).order_by("mass"))
    keys = fetched.drop_columns(["mass"]).rename_columns(list(names)) if with_keys else None
    counts = array_of(fetched["mass"])
    return GroupCounts(names, counts, _rows(source, counts, weighed), keys)


def count_nested(
    source: Source,
    columns: str | Iterable[str],
    *,
    given: str | Iterable[str],
    weights: str | None = None,
) -> NestedCounts:
    """Count the combinations of some columns within each combination of others.

    The engine hands over one list of counts a group, so no key leaves it.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import count_nested, open_source
    >>> frame = pd.DataFrame({"ill": ["y", "n", "y"], "sex": ["F", "F", "F"]})
    >>> counted = count_nested(open_source(frame), ["ill"], given=["sex"])
    >>> sorted(counted.counts.tolist()), counted.groups.tolist()
    ([1, 2], [0, 0])
    """
    names, known = asked_names(columns), asked_names(given, "given")
    weighed = _checked(source, names + known, weights)
    cells = grouped(source, names + known, weights)
    keys = cells.columns[len(names) : -1]
    lists = cells.group_by(keys).agg(masses=cells.mass.collect(order_by=cells.mass))
    nested = source.fetch(lists.order_by(keys).select("masses"))["masses"].combine_chunks()
    counts = array_of(nested.flatten())
    groups = np.repeat(np.arange(len(nested)), array_of(nested.value_lengths()))
    rows = _rows(source, counts, weighed)
    return NestedCounts(names, known, counts, groups, rows)


def count_pairs(
    first: Source,
    second: Source,
    columns: str | Iterable[str],
    *,
    weights: str | None = None,
) -> PairedCounts:
    """Count the combinations of some columns in two tables that share an engine, side by side.

    Columns of different types are compared as numbers where both are numbers, else as text in
    which a number is written in one way: ``64.0`` is ``64``.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import count_pairs, open_sources
    >>> p, q = open_sources(pd.DataFrame({"x": ["1", "2"]}), pd.DataFrame({"x": [1, 1]}))
    >>> counted = count_pairs(p, q, ["x"])
    >>> sorted(zip(counted.first.tolist(), counted.second.tolist()))
    [(1, 0), (1, 2)]
    """
    names = asked_names(columns)
    weighed = [_checked(each, names, weights) for each in (first, second)]
    views = [compared_as(first.table[name], second.table[name]) for name in names]
    p, q = (grouped(each, names, weights, views=views) for each in (first, second))
    keys = p.columns[:-1]
    both = p.select(*keys, first=p.mass, second=p.mass * 0).union(
        q.select(*keys, first=q.mass * 0, second=q.mass)
    )
    summed = both.group_by(keys).agg(first=both.first.sum(), second=both.second.sum())
    sides = summed.select("first", "second").order_by(["first", "second"])
    fetched = first.fetch(sides, beside=second)
    left, right = array_of(fetched["first"]), array_of(fetched["second"])
    rows = _rows(first, left, weighed[0]), _rows(second, right, weighed[1])
    return PairedCounts(names, left, right, rows)


def _checked(source: Source, columns: Sequence[str], weights: str | None) -> int | None:
    """Check the columns before a row is read; return the number of rows if weights told it."""
    if not columns:
        raise InputError("E-ARGUMENT-EMPTY", "no column is named", "name at least one to count")
    source.check_columns([*columns, *([] if weights is None else [weights])])
    return None if weights is None else weighed_rows(source, weights)


def _rows(source: Source, counts: Counts, weighed: int | None) -> int:
    rows = int(counts.sum()) if weighed is None else weighed
    if rows == 0:
        raise InputError(
            "E-TABLE-EMPTY",
            "{source} has no rows below its header",
            "there is nothing to count",
            source=source.name,
        )
    return rows
