"""Tables in a DuckDB connection of the user's: text is compared by its bytes, whatever is set.

A person or a group of another spelling is another one, here as on every engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ibis
import pyarrow as pa
import pytest

import sfumato as sf
from tests.refusing import raises_code
from tests.tables.engines.cores import cores

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
ROWS = "('a', 'a'), ('A', 'A'), ('á', 'a'), ('b', 'B')"
KEYS = {"keys": {"ward": ["a", "A"]}}
TABLES = {
    "column": "CREATE TABLE t (id VARCHAR {0}, ward VARCHAR {0})",
    "view": "CREATE TABLE u (id VARCHAR, ward VARCHAR); "
    "CREATE VIEW t AS SELECT id {0} AS id, ward {0} AS ward FROM u",
}


@pytest.fixture
def backend() -> Iterator[Any]:
    found = ibis.duckdb.connect()
    yield found
    found.disconnect()


def plan(table: Any) -> Any:
    """A question whose answer depends on who is who and which group is which."""
    held = sf.table(table, unit="id", limits={"rows": 1}, **KEYS)
    public = sf.public(pa.table({"ward": ["a", "A"], "wing": ["N", "S"]}))
    joined = held.join(public, on="ward").filter(sf.col("ward") > "A")
    return joined.group_by("ward").agg(n=sf.count(), p=sf.people()).plan(epsilon=1)


@pytest.mark.parametrize("collation", ["NOCASE", "NOACCENT", "NOCASE.NOACCENT"])
@pytest.mark.parametrize("kind", TABLES)
def test_a_collation_makes_nobody_somebody_else(backend: Any, kind: str, collation: str) -> None:
    backend.raw_sql(TABLES[kind].format(f"COLLATE {collation}"))
    backend.raw_sql(f"INSERT INTO {'u' if kind == 'view' else 't'} VALUES {ROWS}")  # noqa: S608
    frame = pa.table({"id": ["a", "A", "á", "b"], "ward": ["a", "A", "a", "B"]})
    assert cores(plan(backend.table("t"))) == cores(plan(frame))


def test_words_of_a_list_are_compared_by_bytes(backend: Any) -> None:
    backend.raw_sql("CREATE TYPE wards AS ENUM ('B', 'a')")
    backend.raw_sql("CREATE TABLE t (id INTEGER, ward wards)")
    backend.raw_sql("INSERT INTO t VALUES (1, 'a'), (2, 'B')")
    held = sf.table(backend.table("t"), unit="id", limits={"rows": 1})
    asked = held.filter(sf.col("ward") > "A").agg(
        n=sf.count(), most=sf.tables.mode("ward", values=["a"])
    )
    assert asked.release(epsilon=10_000).to_pandas()["n"][0] == 2


def test_a_table_that_is_drawn_is_refused(backend: Any) -> None:
    backend.raw_sql("CREATE TABLE t AS SELECT 1 AS id")
    table = backend.table("t")
    for drawn in (table.mutate(x=ibis.random()), table.mutate(x=ibis.uuid()), table.sample(0.5)):
        with raises_code("E-TABLE-RANDOM"):
            sf.table(drawn, unit="id")


def test_the_connection_is_left_as_it_was(backend: Any) -> None:
    backend.raw_sql("CREATE TABLE t AS SELECT 1 AS id")
    backend.raw_sql("CREATE TABLE u AS SELECT 1 AS id")
    held = [sf.table(backend.table(name), unit="id") for name in ("t", "u")]
    assert backend.table("t").count().execute() == 1
    held[0].join(held[1]).agg(n=sf.count()).release(epsilon=1)
    assert backend.con.execute("SELECT 7").fetchall() == [(7,)]
