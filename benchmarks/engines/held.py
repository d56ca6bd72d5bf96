"""An engine of one's own: rows in it, to be asked by us or in its own SQL."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sfumato as sf
from tests.engines import Postgres
from tests.postgres import Cluster
from tests.spark import SparkCluster, loaded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from sfumato.tables import PrivateTable


@dataclass(frozen=True)
class Held:
    """A table in an engine.

    `dialect` is the engine's SQL; `data` is what `sf.table` takes, and with which words; `name`
    is what SQL calls the table;
    `ask` runs SQL; `private` makes a private table of a small frame, put into the same engine.
    """

    dialect: str
    data: tuple[Any, dict[str, Any]]
    name: str
    ask: Callable[[str], Sequence[Any]]
    private: Callable[..., PrivateTable]


@contextmanager
def duckdb(path: Path) -> Iterator[Held]:
    """Parquet, read by the embedded engine."""
    from duckdb import connect

    with connect() as connection:
        yield Held(
            "duckdb",
            (path, {}),
            f"read_parquet('{path}')",
            lambda sql: connection.execute(sql).fetchall(),
            sf.table,
        )


@contextmanager
def postgres(path: Path) -> Iterator[Held]:
    """Rows in a table of a server of one's own, analysed."""
    import psycopg
    import pyarrow.parquet as pq

    with Cluster.started() as cluster:
        database = Postgres(cluster)
        os.environ |= {"PGUSER": cluster.user, "PGPASSWORD": cluster.password}
        with psycopg.connect(database.owner, autocommit=True) as connection:
            connection.execute("CREATE TABLE rows (person BIGINT, grp INTEGER, x FLOAT8)")
            with connection.cursor().copy("COPY rows FROM STDIN") as copy:
                for piece in pq.ParquetFile(path).iter_batches():
                    for row in zip(*(each.to_pylist() for each in piece.columns), strict=True):
                        copy.write_row(row)
            connection.execute("VACUUM ANALYZE rows")
            yield Held(
                "postgres",
                (database.url, {"table": "rows"}),
                "rows",
                lambda sql: connection.execute(sql).fetchall(),
                database.held,
            )


@contextmanager
def spark(path: Path) -> Iterator[Held]:
    """Parquet, read by the two workers of a cluster of one's own."""
    with SparkCluster.started() as cluster, cluster.session() as session:
        frame = session.read.parquet(str(path))
        frame.createOrReplaceTempView("rows")
        yield Held(
            "spark",
            (frame, {}),
            "rows",
            lambda sql: session.sql(sql).collect(),
            lambda rows, **declared: sf.table(loaded(session, rows), **declared),
        )


HOLDERS: dict[str, Callable[[Path], AbstractContextManager[Held]]] = {
    "DuckDB": duckdb,
    "PostgreSQL": postgres,
    "Spark": spark,
}
