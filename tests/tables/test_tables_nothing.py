"""A condition that is nothing at all is true of no row, as in SQL."""

from __future__ import annotations

import pyarrow as pa
import pytest

import sfumato as sf
from tests.engines import ENGINES, Engines

ROWS = pa.table({"id": [1, 2], "x": [1, 2]})
CONDITIONS = ["NULL", "COALESCE(NULL, NULL)", "NULL AND NULL", "CASE WHEN NULL THEN x > 1 END"]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("engine", ENGINES)
def test_no_row_is_left(engines: Engines, engine: str, condition: str) -> None:
    table = engines.held(engine, ROWS, unit="id", limits={"rows": 1})
    name = table.policy.table or "t"
    text = f"SELECT COUNT(*) AS n FROM {name} WHERE {condition}"  # noqa: S608
    assert table.sql(text, epsilon=10_000).to_pandas()["n"][0] == 0


def test_so_it_is_in_python() -> None:
    table = sf.table(ROWS, unit="id", limits={"rows": 1})
    answer = table.filter(sf.tables.lit(None)).agg(n=sf.count()).release(epsilon=10_000)
    assert answer.to_pandas()["n"][0] == 0
