"""Rows on which the bare engine raises change neither outcome, nor cost, nor message (Y3).

The expressions are those of ``tests/tables/expressions/nasty.py``, of which it is shown there that
each raises in the bare engine, on these rows.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.tables.expressions import type_of
from sfumato.tables.release.charge import release_plan
from tests.tables.expressions.nasty import CANARY, ROWS, arranged

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.tables import Plan, PrivateTable
    from sfumato.tables.expressions import Expression

pytestmark = pytest.mark.full

BATCH = 40
EXPRESSIONS = [ours for ours, _ in arranged()]
BATCHES = range(0, len(EXPRESSIONS), BATCH)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[PrivateTable]:
    """All rows, and all but the worst of them; each is one person's."""
    folder = tmp_path_factory.mktemp("nasty")
    with duckdb.connect() as engine:
        engine.execute(ROWS)
        return [_without(engine, folder, each) for each in ("false", "id = 1")]


def _without(engine: Any, folder: Path, condition: str) -> PrivateTable:
    path = folder / f"{condition[:2]}.parquet"
    engine.execute(f"COPY (FROM nasty WHERE NOT ({condition})) TO '{path}'")
    return sf.table(path, unit="row")


def missing(names: list[str]) -> Expression:
    """How many of some columns are missing in a row: all of them are computed for it."""
    return reduce(operator.add, [sf.when(sf.col(name).is_null(), 1).otherwise(0) for name in names])


def derived(table: PrivateTable, start: int) -> Plan:
    """Forty of the expressions as columns, and a sum of all of them."""
    columns = {f"e{place}": each for place, each in enumerate(EXPRESSIONS[start : start + BATCH])}
    asked = sf.sum(missing(list(columns)), bounds=(0, BATCH))
    return table.with_columns(**columns).agg(s=asked).plan(epsilon=1)


def filtered(table: PrivateTable) -> Plan:
    """All of the expressions that are true or false as one filter."""
    either = [each for each in EXPRESSIONS if type_of(each, table.schema) == "boolean"]
    assert len(either) > 50
    missing = [each.is_null() for each in either]
    tens = [reduce(operator.or_, missing[i : i + 10]) for i in range(0, len(missing), 10)]
    asked = table.filter(reduce(operator.or_, tens))
    return asked.agg(n=sf.count()).plan(epsilon=1)


def told(plan: Plan) -> tuple[str, str, tuple[str, ...], list[str]]:
    """All that is told but the numbers: the cost, the plan, and the notes of the answer."""
    answer = release_plan(plan)
    assert CANARY not in str(answer) + str(plan)
    return str(plan.event), str(plan).split(" of ", 1)[0], answer.columns, answer.footer(every=True)


def test_there_are_enough_of_them() -> None:
    assert len(EXPRESSIONS) >= 200


@pytest.mark.parametrize("start", BATCHES)
def test_columns_that_would_raise(tables: list[PrivateTable], start: int) -> None:
    one, other = (told(derived(each, start)) for each in tables)
    assert one == other


def test_a_filter_that_would_raise(tables: list[PrivateTable]) -> None:
    one, other = (told(filtered(each)) for each in tables)
    assert one == other


#: Bounds at which doubles are far apart, or close to the ends of what integers hold.
BOUNDS: list[tuple[Any, Any]] = [
    (2**63 - 600, 2**63 - 1),
    (-(2**63), 2**63 - 1),
    (10**21, 10**21 + 2**18),
    (-(10**99), 10**99),
    (0, Fraction(1, 10**99)),
]


def outcome(rows: list[float], bounds: tuple[Any, Any]) -> list[str]:
    """What comes of each aggregate: its columns, or a sentence."""
    table = sf.table(pa.table({"x": pa.array(rows, pa.float64())}), unit="row")
    edges = [bounds[0], bounds[1]]
    asked = {"histogram": sf.histogram("x", edges)}
    for name in ("sum", "mean", "variance", "median", "maximum"):
        asked[name] = getattr(sf, name)("x", bounds=bounds)
    return [_came(table, each) for each in asked.values()]


def _came(table: PrivateTable, aggregate: Any) -> str:
    try:
        return ", ".join(table.agg(a=aggregate).release(epsilon=1).columns)
    except InputError as refused:
        return str(refused)


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_values_at_extreme_bounds(bounds: tuple[Any, Any]) -> None:
    """Nobody's value makes the engine fail: what is refused is refused for an empty table, too."""
    low, high = map(float, bounds)
    rows = [low, high, -high, math.nan, math.inf, -math.inf, 1e308, 5e-324]
    assert outcome(rows, bounds) == outcome([], bounds)
