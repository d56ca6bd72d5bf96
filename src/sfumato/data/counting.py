"""Grouping and counting inside the engine; only counts come out, never rows.

They come out in an order of their own, so that the same table always gives the same digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.data.arrow import array_of
from sfumato.data.counts import Counts, GroupCounts, NestedCounts, PairedCounts
from sfumato.data.names import asked_names
from sfumato.data.weighing import compared_as, grouped, weighed_rows
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.data.source import Source

__all__ = ["count_groups", "count_nested", "count_pairs"]


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
