"""Running a plan: limits and groups are chosen first, then sums are measured."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from sfumato.tables.plan.resolving import with_bounds
from sfumato.tables.run.automatic import find_bounds
from sfumato.tables.run.bounding import exact_sums
from sfumato.tables.run.content import ReleasedContent, columns_of
from sfumato.tables.run.keys import find_keys
from sfumato.tables.run.limits import least_error, noisy_sizes
from sfumato.tables.run.rows import EngineRows
from sfumato.tables.run.sampled import release_sample
from sfumato.tables.run.stakes import stake_in

if TYPE_CHECKING:
    from sfumato.tables.plan.contribution import ChosenLimit, Contribution
    from sfumato.tables.plan.keys import Keys
    from sfumato.tables.plan.outline import Outline


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
        cells=_cells(plan, rows, keys, contribution, limits, source),
        seeded=getattr(source, "seeded", False),
    )


def _cells(
    plan: Outline,
    rows: EngineRows,
    keys: Keys,
    contribution: Contribution,
    limits: dict[str, ChosenLimit],
    source: Any,
) -> tuple[tuple[int, ...], ...]:
    """Return what is released of cells, where something is asked of them."""
    if not plan.looks:
        return ()
    from sfumato.tables.run.selecting import look_at_cells

    return columns_of(look_at_cells(rows, keys, plan.looks, contribution, limits, source))


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
