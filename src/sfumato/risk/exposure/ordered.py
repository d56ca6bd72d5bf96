"""How far values that have an order must be moved, as a share of their whole range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data.arrow import array_of
from sfumato.errors import InputError
from sfumato.risk.exposure.cells import check_rows

if TYPE_CHECKING:
    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from sfumato.data import Source

__all__ = ["greatest_ordered_distance", "ordered_distances"]

Whole = Any


def greatest_ordered_distance(
    source: Source, cells: ir.Table, classes: list[str], secret: str, column: str
) -> float:
    """Return the greatest distance of a class from the whole table, in ranks of the values.

    The engine ranks the values and lists the ranks and counts of each class; no value leaves it.
    """
    import ibis

    value = _as_number(source, cells, secret, column)
    ranked = cells.mutate(rank=ibis.dense_rank().over(order_by=[value.notnull(), value]))
    lists = ranked.group_by(classes).agg(
        ranks=ranked["rank"].collect(order_by=ranked["rank"]),
        masses=ranked.mass.collect(order_by=ranked["rank"]),
    )
    found = source.fetch(lists.select("ranks", "masses"))
    check_rows(source, {1: found.num_rows} if found.num_rows else {})
    ranks, masses = (found[name].combine_chunks() for name in ("ranks", "masses"))
    distances = ordered_distances(
        array_of(ranks.flatten()), array_of(masses.flatten()), array_of(ranks.value_lengths())
    )
    return float(distances.max())


def _as_number(source: Source, cells: ir.Table, secret: str, column: str) -> ir.Value:
    """Return the values as what they are ordered by; text is read as numbers, or refused."""
    value = cells[secret]
    if not value.type().is_string():
        return value
    number = value.strip().try_cast("float64")
    unread = cells.mass.sum(where=value.notnull() & number.isnull())
    rows = source.fetch(cells.agg(rows=unread)).to_pylist()[0]["rows"]
    if rows:
        raise InputError(
            "E-CELLS-UNREADABLE",
            "the column {column!r} is named as ordered, and {rows:,} of its cells are no numbers",
            "leave it out of the ordered columns, or write numbers in it",
            column=column,
            rows=int(rows),
        )
    return number


def ordered_distances(
    ranks: Whole, masses: Whole, lengths: Whole, table: Whole | None = None
) -> NDArray[np.float64]:
    """Return the distance of each class from a table, for the ranks of its values in order.

    It is the mean over the steps from one value of the table to the next of how much must cross
    the step: |share of the class up to here - share of the table up to here| :cite:p:`li2007`.
    Between two values of a class its own share stands still, so that a stretch is summed at once:
    up to where the table's share passes it, and from there.

    Parameters
    ----------
    ranks, masses
        The values of the first class by rank, from 0, and how many rows have each; then those of
        the next.
    lengths
        How many values each class has.
    table
        How many rows of the table have each rank, or what share of them; all classes together
        where nothing is said.
    """
    whole = np.bincount(ranks, weights=masses) if table is None else table
    held = whole > 0
    last = np.count_nonzero(held) - 1
    if last < 1:
        return np.zeros(lengths.size)
    # A value that the table does not have has crossed all steps below it, and none above.
    starts = np.minimum(np.cumsum(held) - held, last)[ranks]
    shares = np.cumsum(whole[held]) / whole.sum()
    summed = np.concatenate([[0.0], np.cumsum(shares)])
    firsts = np.cumsum(lengths) - lengths
    own = _own_shares(masses, lengths, firsts)
    ends = np.append(starts[1:], last + 1)
    ends[(firsts + lengths - 1)] = last + 1
    passed = np.clip(np.searchsorted(shares, own, side="right"), starts, ends)
    below = own * (passed - starts) - (summed[passed] - summed[starts])
    above = (summed[ends] - summed[passed]) - own * (ends - passed)
    crossing = np.add.reduceat(below + above, firsts) + summed[starts[firsts]]
    distances: NDArray[np.float64] = np.maximum(crossing, 0) / last
    return distances


def _own_shares(masses: Whole, lengths: Whole, firsts: Whole) -> NDArray[np.float64]:
    """Return for each value of a class the share of the class up to it."""
    before = np.cumsum(masses) - masses
    so_far = np.cumsum(masses) - np.repeat(before[firsts], lengths)
    shares: NDArray[np.float64] = so_far / np.repeat(np.add.reduceat(masses, firsts), lengths)
    return shares
