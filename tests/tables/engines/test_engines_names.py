"""Each engine has a dialect of SQL, and a table is asked in that of its own."""

from __future__ import annotations

from sfumato.data.engines.duck import DuckDBEngine
from sfumato.data.engines.postgres.engine import PostgresEngine
from sfumato.data.engines.spark.engine import SparkEngine
from sfumato.tables.sql.names import DIALECTS
from tests.engines import ENGINES


def test_every_engine_has_the_name_of_its_dialect() -> None:
    names = tuple(each.name for each in (DuckDBEngine, PostgresEngine, SparkEngine))
    assert names == DIALECTS == ENGINES
