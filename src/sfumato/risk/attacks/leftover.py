"""Which sensitive values are left where every one of several releases has to have them."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

__all__ = ["are_narrowed", "are_pinned", "is_impossible", "left_values"]

#: More values than any table has: what a release leaves that has empty cells.
_ANY = 2**62


def left_values(kinds: ir.Table, votes: Sequence[ir.Table]) -> ir.Table:
    """Return the kinds with the best value that every release has, the first of equals.

    A row whose cell is empty may have any value.  Where every release has such a row for a kind,
    nothing can be ruled out, and the kind ``is_open``.

    Parameters
    ----------
    kinds
        The kinds of people: ``kind`` and more.
    votes
        For each release how many rows ``n`` each kind fits, by ``value``; null is an empty cell.
    """
    kinds = _with_unknowns(kinds, votes)
    common = _common(kinds, votes)
    numbers = [f"n{place}" for place in range(len(votes))]
    best = common.group_by("kind").agg(
        left=common.count(), total=common.ways.sum(), ways=common.ways.max()
    )
    top = best.join(common, ["kind", "ways"]).select(*best.columns, "value", *numbers)
    first = top.group_by(best.columns).agg(
        value=top.value.min(), **{n: top[n].argmin(top.value) for n in numbers}
    )
    return kinds.left_join(first, "kind").drop("kind_right")


def _with_unknowns(kinds: ir.Table, votes: Sequence[ir.Table]) -> ir.Table:
    """Return the kinds with the empty cells of each release, and the values of the best one."""
    import ibis

    releases = range(len(votes))
    for place, each in enumerate(votes):
        counts = each.group_by("kind").agg(
            **{
                f"u{place}": each.n.sum(where=each.value.isnull()).fill_null(0),
                f"b{place}": each.value.count(),
            }
        )
        kinds = kinds.join(counts, "kind").select(*kinds.columns, *counts.columns[1:])
    is_open = reduce(lambda before, each: before & each, (kinds[f"u{i}"] > 0 for i in releases))
    before = ibis.least(*((kinds[f"u{i}"] > 0).ifelse(_ANY, kinds[f"b{i}"]) for i in releases))
    return kinds.mutate(is_open=is_open, before=before).drop(*(f"b{i}" for i in releases))


def _common(kinds: ir.Table, votes: Sequence[ir.Table]) -> ir.Table:
    """Return the values that each kind may have, and how many rows of each release may."""
    import ibis

    known = [each.filter(each.value.notnull()) for each in votes]
    values = ibis.union(*(each.select("kind", "value") for each in known), distinct=True)
    unknown = [f"u{place}" for place in range(len(votes))]
    values = values.join(kinds.select("kind", *unknown), "kind")
    for place, each in enumerate(known):
        joined = values.left_join(each, ["kind", "value"]).select(*values.columns, "n")
        rows = joined.n.fill_null(0) + joined[f"u{place}"]
        values = joined.select(*values.columns, **{f"n{place}": rows})
    numbers = [values[f"n{place}"] for place in range(len(votes))]
    ways = reduce(lambda before, each: before * each, (n.cast("float64") for n in numbers))
    values = values.mutate(ways=ways)
    return values.filter(values.ways > 0)


def are_pinned(left: ir.Table) -> ir.BooleanValue:
    """Return whether one value is left."""
    return (left.left == 1) & ~left.is_open


def are_narrowed(left: ir.Table) -> ir.BooleanValue:
    """Return whether several values are left, and fewer than any release leaves by itself."""
    return (left.left > 1) & (left.left < left.before) & ~left.is_open


def is_impossible(left: ir.Table) -> ir.BooleanValue:
    """Return whether no value is left."""
    return left.left.isnull() & ~left.is_open
