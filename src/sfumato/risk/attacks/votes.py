"""The most frequent sensitive value among the rows that somebody fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

__all__ = ["most_frequent"]


def most_frequent(votes: ir.Table, by: Sequence[str]) -> ir.Table:
    """Return how many rows and values each group has, and the value that most of them have.

    Parameters
    ----------
    votes
        The number ``n`` of rows of each group and ``value``; a null is unknown.
    by
        The columns that tell groups apart.  The result has also ``candidates``, ``values``,
        ``most``, and ``value``: the first in order where several are as frequent, and null where
        none is known.
    """
    is_known = votes.value.notnull()
    most = votes.group_by(by).agg(
        candidates=votes.n.sum(),
        values=votes.value.count(),
        most=votes.n.max(where=is_known).fill_null(0),
    )
    known = votes.filter(is_known)
    same = [most[name].identical_to(known[name]) for name in by]
    top = most.left_join(known, [*same, most.most == known.n]).select(*most.columns, "value")
    return top.group_by(most.columns).agg(value=top.value.min())
