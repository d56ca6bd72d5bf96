"""Counting the cells of a table that fit what is declared of them."""

from __future__ import annotations

from numbers import Rational
from typing import TYPE_CHECKING, Any

from sfumato.privacy.events import plain
from sfumato.tables.column import types
from sfumato.tables.expressions import Column, col, compile_expression
from sfumato.tables.inspection import HABITS, ColumnFit, Inspection, Miswritten, PeopleFit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import ibis.expr.types as ir

    from sfumato.tables.column import KnownColumn
    from sfumato.tables.tree.rows import Held


_EXACT = {"integer": int, "number": float}


def inspect_cells(table: Held) -> Inspection:
    """Count the cells of a table that fit what is declared of them, exactly."""
    rows, known = table.source.table, table.steps.stages[0].known
    declared = [name for name in known if _is_declared(table, name)]
    conditions = {
        (name, what): condition
        for name in declared
        for what, condition in _conditions(rows, name, known)
    }
    habits = {
        (name, words): condition
        for name in declared
        for words, condition in _habits(rows, name, known)
    }
    both = [*conditions.items(), *habits.items()]
    sums = {f"n{place}": _times(each) for place, (_, each) in enumerate(both)}
    (found,) = table.source.fetch(rows.aggregate(rows=rows.count(), **sums)).to_pylist()
    figures = {what: found[f"n{place}"] for place, (what, _) in enumerate(both)}
    columns = tuple(
        ColumnFit(
            column=name,
            type=known[name].type,
            **{what: figures[of, what] for of, what in conditions if of == name},
        )
        for name in declared
    )
    miswritten = tuple(
        Miswritten(
            column=name, written=words, cells=figures[name, words], **_between(known[name].bounds)
        )
        for name, words in habits
        if figures[name, words]
    )
    return Inspection(
        table=table.source.name,
        rows=found["rows"],
        columns=columns,
        people=_people(table),
        miswritten=miswritten,
    )


def _is_declared(table: Held, name: str) -> bool:
    declared = table.policy.columns.get(name)
    return declared is not None and declared.implied_type is not None


def _conditions(
    rows: ir.Table, name: str, known: Mapping[str, KnownColumn]
) -> Iterator[tuple[str, ir.Value]]:
    """Yield what may be so of a cell of a column."""
    column, schema = known[name], types(known)
    held, value = rows[name], compile_expression(Column(name), rows, schema)
    yield "missing", held.isnull()
    if column.type != "text":
        yield "unreadable", held.notnull() & value.isnull()
    if isinstance(column.bounds, tuple):
        low, high = (_EXACT.get(column.type, _as_is)(each) for each in column.bounds)
        beyond = (col(name) < low) | (col(name) > high)
        yield "beyond", compile_expression(beyond, rows, schema)
    if column.values is not None:
        listed = [each for each in column.values if each is not None]
        yield "other", value.notnull() & ~value.isin(listed)


def _habits(
    rows: ir.Table, name: str, known: Mapping[str, KnownColumn]
) -> Iterator[tuple[str, ir.Value]]:
    """Yield which cells of a text are unreadable since they are written in another way."""
    held, value = rows[name], compile_expression(Column(name), rows, types(known))
    if held.type().is_string():
        for each in HABITS:
            if known[name].type in each.types:
                yield each.words, value.isnull() & held.re_search(each.pattern)


def _between(bounds: Any) -> dict[str, str]:
    """Return declared bounds as an expression has them, if both ends are numbers."""
    if not isinstance(bounds, tuple) or not all(isinstance(end, Rational) for end in bounds):
        return {}
    return {"between": ", ".join(map(plain, bounds))}


def _as_is(end: Any) -> Any:
    return end


def _people(table: Held) -> PeopleFit | None:
    import ibis

    column, limit = getattr(table.policy.unit, "column", None), table.policy.limits.rows
    if column is None:
        return None
    rows = table.source.table
    each = rows.group_by(person=rows[column]).aggregate(n=rows.count())
    most = limit if isinstance(limit, int) else None
    query = each.aggregate(
        people=each.count(),
        nobodys=_total(ibis.ifelse(each["person"].isnull(), each["n"], 0)),
        over=_times(each["n"] > (most or 0)),
    )
    (found,) = table.source.fetch(query).to_pylist()
    return PeopleFit(
        column=column,
        people=found["people"],
        nobodys=found["nobodys"],
        limit=most,
        over=None if most is None else found["over"],
    )


def _times(condition: ir.Value) -> ir.Value:
    """Return of how many rows a condition is true."""
    import ibis

    return _total(ibis.ifelse(condition, 1, 0))


def _total(values: ir.Value) -> ir.Value:
    import ibis

    return ibis.coalesce(values.sum(), 0).cast("int64")
