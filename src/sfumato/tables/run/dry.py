"""The queries that a plan would have an engine run; none of them is run.

What is found on the way is not known before: queries that depend on it are made with all groups,
with bounds of 0 and 1, and with a limit of 1.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from sfumato.data import EmbeddedEngine, Source
from sfumato.tables.plan.auto_bounds import FoundBounds
from sfumato.tables.plan.contribution import ChosenLimit
from sfumato.tables.plan.outline import with_bounds
from sfumato.tables.run.auto_bounds import held_in_buckets
from sfumato.tables.run.chosen_limits import people_by_size
from sfumato.tables.run.contribution_bounding import exact_sums
from sfumato.tables.run.partition_selection import people_in_groups
from sfumato.tables.run.rows import EngineRows
from sfumato.tables.run.sampled import gather
from sfumato.tables.tree.rows import expressions_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import ibis.expr.types as ir
    import pyarrow as pa

    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.tree.rows import Held, Question

_ANY_BOUNDS = FoundBounds(Fraction(0), Fraction(1), 0.0, 0.0)
_ANY_LIMIT = ChosenLimit(1, 0.0, 0.0)
#: An expression of fewer levels is never too long for an engine.
_DEEP = 4


def check_runs(plan: Outline) -> None:
    """Refuse what the engine could not be asked; nothing is run for it.

    The embedded engine can be asked everything but what is too long.
    """
    engine = plan.query.table.source.engine
    if isinstance(engine, EmbeddedEngine) and not _is_deep(plan.query):
        return
    for _, query in queries_of(plan):
        engine.check(query)


def _is_deep(query: Question) -> bool:
    expressions = [each for _, asked in query.aggregates for each in asked.operands]
    for step in query.steps:
        expressions += expressions_of(step)
    return any(each.nested >= _DEEP for each in expressions)


def queries_of(plan: Outline) -> list[tuple[str, ir.Table]]:
    """Return what an engine would be asked for a plan, in order, each with what it is for."""
    found: list[tuple[str, ir.Table]] = []
    for purpose, ask in _asked(plan):
        asked: list[ir.Table] = []
        with closing(EngineRows(_noted(plan.query.table, asked))) as rows:
            ask(rows)
        found += [(purpose, each) for each in asked]
    return found


def _asked(plan: Outline) -> Iterator[tuple[str, Callable[[EngineRows], Any]]]:
    """Yield what a run asks of the rows, in its order, and what for."""
    keys = plan.keys
    search = plan.search
    if search is not None:
        yield (
            "count the people in each group, to find which may be shown",
            partial(people_in_groups, keys=keys, most=search.groups),
        )
    for each in plan.findings:
        yield (
            f"count the people by the size of {each.of}, to find its bounds",
            partial(held_in_buckets, keys=keys, step=each),
        )
    known = with_bounds(plan, {str(each.of): _ANY_BOUNDS for each in plan.findings})
    measured = {each.measurement.limited_by: each.measurement for each in known.measures}
    if known.choices:
        yield (
            "count the people by how much they have, to choose how much of one counts",
            partial(people_by_size, keys=keys, steps=known.choices, measurements=measured),
        )
    yield from _measured(known)


def _measured(plan: Outline) -> Iterator[tuple[str, Callable[[EngineRows], Any]]]:
    """Yield what is asked once groups, bounds and limits are known."""
    keys = plan.keys
    chosen = {name: _ANY_LIMIT for step in plan.choices for name in step.names}
    contribution = plan.contribution.with_limits(chosen)
    summed = [each.measurement for each in plan.measures]
    if summed:
        yield (
            f"add up {' and '.join(map(str, summed))}",
            partial(exact_sums, keys=keys, measurements=summed, contribution=contribution),
        )
    for tally in dict.fromkeys(each.look.tally for each in plan.looks):
        from sfumato.tables.run.selection import exact_cells

        yield (
            "count the rows in each cell",
            partial(exact_cells, keys=keys, tally=tally, contribution=contribution),
        )
    for each in plan.samples:
        yield (
            f"fetch the rows for {each.asked.called}",
            partial(gather, asked=each.asked, frame=each.frame),
        )


def _noted(table: Held, asked: list[ir.Table]) -> Held:
    """Return a table that notes what is asked of it, and answers as if it had no rows."""
    source = table.source
    own = {each.name: getattr(source, each.name) for each in fields(source) if each.init}
    return replace(table, source=_Noted(**own, asked=asked))


@dataclass(frozen=True)
class _Noted(Source):
    asked: list[ir.Table] = field(default_factory=list, repr=False)

    def fetch(self, query: ir.Table, *, beside: Source | None = None) -> pa.Table:  # noqa: ARG002
        """Note a query, and return no row."""
        self.asked.append(query)
        return query.schema().to_pyarrow().empty_table()

    def keep(self, query: ir.Table) -> ir.Table:
        """Return the query itself: what it is part of is noted."""
        return query

    def forget(self, kept: ir.Table) -> None:
        """Do nothing: nothing was kept."""
