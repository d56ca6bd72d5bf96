"""The run of a plan: what is read of the rows and released of them, and what would be asked.

Of a plan that is not run, what is found on the way is not known: queries that depend on it are made
with all groups, with bounds of 0 and 1, and with a limit of 1.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from sfumato.data import EmbeddedEngine, Source
from sfumato.tables.plan.bounds import FoundBounds
from sfumato.tables.plan.measurements import ChosenLimit
from sfumato.tables.plan.outline import with_bounds
from sfumato.tables.release.answer import ReleasedContent
from sfumato.tables.run.cells import exact_cells, look_at_cells
from sfumato.tables.run.contribution_bounding import exact_sums
from sfumato.tables.run.noisy_histograms import (
    find_bounds,
    held_in_buckets,
    least_error,
    noisy_sizes,
    people_by_size,
    stake_in,
)
from sfumato.tables.run.partition_selection import find_keys, people_in_groups
from sfumato.tables.run.rows import EngineRows
from sfumato.tables.sample_aggregation import gather, release_sample
from sfumato.tables.tree.rows import expressions_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa

    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.partition_selection import Keys
    from sfumato.tables.tree.rows import Held, Question

_ANY_BOUNDS = FoundBounds(Fraction(0), Fraction(1), 0.0, 0.0)
_ANY_LIMIT = ChosenLimit(1, 0.0, 0.0)
#: An expression of fewer levels is never too long for an engine.
_DEEP = 4


def columns_of(sums: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Return arrays of whole numbers as tuples of Python's."""
    return tuple(tuple(int(each) for each in column) for column in sums)


def run_plan(plan: Outline, *, source: Any = None) -> ReleasedContent:
    """Read the rows and return what is released of them; it is charged for before.

    Parameters
    ----------
    source
        Where random bits come from: the operating system, or a seed in tests.
    """
    table = plan.query.table
    with table.source.engine.reading(), closing(EngineRows(table)) as rows:
        return _content(plan, rows, source)


def _content(plan: Outline, rows: EngineRows, source: Any) -> ReleasedContent:
    keys = plan.keys
    if plan.search is not None:
        keys = find_keys(rows, keys, plan.search, source=source)
    bounds = {str(each.of): find_bounds(rows, keys, each, source=source) for each in plan.findings}
    plan = with_bounds(plan, bounds)
    limits = _chosen_limits(plan, rows, keys, source)
    contribution = plan.contribution.with_limits(limits)
    measures = plan.measures
    exact = exact_sums(rows, keys, [each.measurement for each in measures], contribution)
    noisy = []
    for each in measures:
        mechanism = each.mechanism(contribution, len(keys.rows or ()))
        noisy.append(mechanism.release(exact[each.measurement], source=source).value)
    sampled = {each.name: release_sample(rows, each, source=source) for each in plan.samples}
    return ReleasedContent(
        keys=keys.rows or (),
        sums=columns_of(noisy),
        limits=limits,
        bounds=bounds,
        sampled={name: each.value for name, each in sampled.items()},
        cells=columns_of(look_at_cells(rows, keys, plan.looks, contribution, limits, source)),
        seeded=getattr(source, "seeded", False),
    )


def _chosen_limits(
    plan: Outline, rows: EngineRows, keys: Keys, source: Any
) -> dict[str, ChosenLimit]:
    measured = {each.measurement.limited_by: each.measurement for each in plan.measures}
    relation = plan.contribution.relation
    sizes = noisy_sizes(rows, keys, plan.choices, measured, relation, source=source)
    return {
        name: least_error(each, stake_in(plan, name, len(keys.rows or ())))
        for step, each in zip(plan.choices, sizes, strict=True)
        for name in step.names
    }


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
