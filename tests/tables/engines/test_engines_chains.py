"""Columns that are derived of each other again and again, which a planner could write out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

import sfumato as sf
from tests.engines import ENGINES
from tests.refusing import raises_code

if TYPE_CHECKING:
    from sfumato.tables import PrivateTable
    from sfumato.tables.query import Query
    from tests.engines import Engines

ROWS = pa.table({"id": [1, 2], "y": [1, 2], "s": ["a", "b"]})
#: In every one the column is doubled so often that it has more than 2^20 operations, written out.
CHAINS = {
    "sums": sf.col("y") + sf.col("y"),
    "cases": sf.when(sf.col("y") > 1, sf.col("y")).otherwise(-sf.col("y")),
}


def chained(table: PrivateTable, name: str, times: int) -> Query:
    for _ in range(times):
        table = table.with_columns(y=CHAINS[name])
    return table.filter(sf.col("y") == 2).agg(n=sf.count())


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_short_chain_is_answered(engines: Engines, engine: str, name: str) -> None:
    table = engines.held(engine, ROWS, unit="id", limits={"rows": 1})
    assert chained(table, name, 2).release(epsilon=10_000).to_pandas()["n"][0] in {0, 1}


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("engine", ENGINES[1:])
def test_a_long_chain_is_refused_with_the_plan(engines: Engines, engine: str, name: str) -> None:
    table = engines.held(engine, ROWS, unit="id", limits={"rows": 1})
    with raises_code("E-QUESTION-TOO-LARGE"):
        chained(table, name, 20).plan(epsilon=1)


def test_the_embedded_engine_works_each_out_once() -> None:
    table = sf.table(ROWS, unit="id", limits={"rows": 1})
    assert chained(table, "cases", 20).release(epsilon=10_000).to_pandas()["n"][0] == 1
