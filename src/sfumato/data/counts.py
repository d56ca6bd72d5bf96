"""What comes out of the engine: counts of combinations, not rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Counts", "GroupCounts", "NestedCounts", "PairedCounts"]

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
