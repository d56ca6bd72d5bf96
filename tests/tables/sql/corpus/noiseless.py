"""What a query would answer without noise, and what a bare engine answers."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Any

from sfumato.sampling import SeededSource
from sfumato.tables.release.answer import AnswerColumns, ReleasedContent
from sfumato.tables.run.cells import look_at_cells
from sfumato.tables.run.contribution_bounding import exact_sums
from sfumato.tables.run.execution import columns_of
from sfumato.tables.run.rows import EngineRows
from tests.tables.sql.clinic import PEOPLE, REGIONS, VISITS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from sfumato.tables.query import Query

#: So much that the choice of a quantile is hardly ever another one.
_PLENTY = 10**6


def noiseless(query: Query) -> list[tuple[Any, ...]]:
    """The rows of the answer, with nothing added to any sum."""
    plan = query.plan(epsilon=_PLENTY)
    assert not plan.choices
    assert not plan.findings
    with closing(EngineRows(query.table)) as rows:
        measured = [each.measurement for each in plan.measures]
        exact = exact_sums(rows, plan.keys, measured, plan.contribution)
        seen = look_at_cells(rows, plan.keys, plan.looks, plan.contribution, {}, SeededSource(8))
    sums = columns_of([exact[each] for each in measured])
    content = ReleasedContent(plan.keys.rows or (), sums, {}, cells=columns_of(seen))
    return list(AnswerColumns.of(plan, content).rows())


@cache
def bare(text: str) -> list[tuple[Any, ...]]:
    """What DuckDB answers; the text is ours, not an analyst's."""
    return clinic().execute(text).fetchall()


@cache
def clinic() -> DuckDBPyConnection:
    """The clinic's tables in an engine of their own, as nobody protects them."""
    import duckdb

    engine = duckdb.connect()
    for name, rows in {"visits": VISITS, "people": PEOPLE, "regions": REGIONS}.items():
        engine.register(name, rows)
    return engine
