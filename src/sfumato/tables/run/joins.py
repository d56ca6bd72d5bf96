"""Joins in the engine: rows beside public ones, and beside those of the same person."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from sfumato.tables.expressions import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import ibis.expr.types as ir

    from sfumato.tables.expressions import Expression
    from sfumato.tables.tree.steps import JoinPeople, JoinPublic

    Value = Callable[[Expression], ir.Value]


def beside_public(rows: ir.Table, step: JoinPublic, value: Value) -> ir.Table:
    """Return the rows beside those of a public table; a missing value is like no other."""
    import ibis

    names = _names(step.other.columns, rows.columns)
    public = ibis.memtable(step.other.rows).rename({new: old for old, new in names.items()})
    alike = [value(Column(ours)) == public[names[theirs]] for ours, theirs in step.on]
    return _joined(rows, public, alike, step.how, {name: names[name] for name in step.taken})


def beside_people(rows: ir.Table, others: ir.Table, step: JoinPeople) -> ir.Table:
    """Return the rows beside those of the same person in another table.

    Ids are compared as both tables hold them, and so as people are told apart.
    """
    names = _names(others.columns, rows.columns)
    others = others.rename({new: old for old, new in names.items()})
    ours, theirs = step.on
    alike = [rows[ours] == others[names[theirs]]]
    return _joined(rows, others, alike, step.how, {k: v for k, v in names.items() if k != theirs})


def _names(columns: Sequence[str], taken: Sequence[str]) -> dict[str, str]:
    """Return names that no column of the rows beside has, whatever its case."""
    mark = "beside"
    while any(each.casefold().startswith(mark) for each in taken):
        mark += "_"
    return {name: f"{mark}{place}" for place, name in enumerate(columns)}


def _joined(
    rows: ir.Table, others: ir.Table, alike: list[ir.Value], how: str, taken: Mapping[str, str]
) -> ir.Table:
    both = rows.join(others, reduce(and_, alike), how=how)
    return both.select(*rows.columns, **{name: both[held] for name, held in taken.items()})
