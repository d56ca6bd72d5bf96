"""The same rows in PostgreSQL and Spark, beside a frame in DuckDB, and in files of Spark's."""

from __future__ import annotations

import math
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import sfumato as sf
from tests.engines import STORAGES, Postgres, secret
from tests.postgres import Cluster
from tests.spark import SparkCluster, in_utc, loaded, without_advice
from tests.totality.cells import neighbours
from tests.totality.storages import NESTED, Storage
from tests.totality.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from random import Random

    from pyspark.sql import DataFrame, SparkSession

    from sfumato.tables import PrivateTable
    from tests.totality.storages import Hold
    from tests.totality.sweep import Found

#: Of the ways in which PostgreSQL stores, those that take any table.
WAYS = ("as it was loaded", "analyzed", "compiled", "in parallel")
_FRAME = Storage("DuckDB, the same rows", "server", lambda rows, _, said: sf.table(rows, **said))


@contextmanager
def started(engine: str) -> Iterator[tuple[Storage, ...]]:
    """The storages of an engine, "postgres" or "spark", whose server is started for them."""
    with ExitStack() as until_the_end:
        if engine == "postgres":
            yield postgres_storages(until_the_end.enter_context(Cluster.started()))
        else:
            cluster = until_the_end.enter_context(SparkCluster.started())
            yield spark_storages(until_the_end.enter_context(cluster.session()))


def postgres_storages(cluster: Cluster) -> tuple[Storage, ...]:
    """Tables as they are loaded, analyzed, compiled and read in parallel; first one in DuckDB."""
    own = (Storage(f"PostgreSQL, {way}", "server", _in_postgres(cluster, way)) for way in WAYS)
    return (_FRAME, *own)


def _in_postgres(cluster: Cluster, way: str) -> Hold:
    statements, settings = STORAGES[way]

    def hold(rows: pa.Table, _: Path, declared: dict[str, Any]) -> PrivateTable:
        database = Postgres(cluster)
        database.load(rows, "rows")
        database.change(statements, settings)
        with secret(cluster):
            return sf.table(database.url, table="rows", **declared)

    return hold


def spark_storages(session: SparkSession) -> tuple[Storage, ...]:
    """A frame, Parquet with and without adaptive execution, and the file as DuckDB reads it."""

    def frame(rows: pa.Table, _: Path, declared: dict[str, Any]) -> PrivateTable:
        return sf.table(loaded(session, rows), **declared)

    def parquet(rows: pa.Table, folder: Path, declared: dict[str, Any]) -> PrivateTable:
        return sf.table(_written(session, rows, folder), **declared)

    def plain(rows: pa.Table, folder: Path, declared: dict[str, Any]) -> PrivateTable:
        own = session.newSession()
        own.conf.set("spark.sql.adaptive.enabled", "false")
        own.conf.set("spark.sql.codegen.wholeStage", "false")
        return sf.table(_written(own, rows, folder), **declared)

    def file(rows: pa.Table, folder: Path, declared: dict[str, Any]) -> PrivateTable:
        _written(session, rows, folder)
        (path,) = (folder / "rows").glob("*.parquet")
        return sf.table(path.rename(folder / "t.parquet"), **declared)

    return (
        _FRAME,
        Storage("Spark, a frame", "server", frame),
        Storage("Spark, Parquet", "server", parquet),
        Storage("Spark, Parquet, not adaptive", "server", plain),
        Storage("Parquet of Spark, in DuckDB", "file of Spark", file),
    )


def _written(session: SparkSession, rows: pa.Table, folder: Path) -> DataFrame:
    """Rows as Spark writes and reads them: one file with statistics and Bloom filters."""
    session.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    made = without_advice(lambda: session.createDataFrame(in_utc(rows)))
    writer = made.coalesce(1).write.option("parquet.bloom.filter.enabled", "true")
    writer.parquet(str(folder / "rows"))
    return session.read.parquet(str(folder / "rows"))


def common_neighbours(random: Random) -> tuple[pa.Table, pa.Table]:
    """Two neighbouring tables as all engines can hold them."""
    before, after = neighbours(random)
    return _common(before), _common(after)


def _common(rows: pa.Table) -> pa.Table:
    columns = {
        field.name: _column(rows[field.name].combine_chunks(), field.type)
        for field in rows.schema
        if field.name not in NESTED
    }
    return pa.table(columns)


def _column(column: pa.Array, kind: pa.DataType) -> pa.Array:
    micro = pa.timestamp("us")
    if pa.types.is_string(kind):
        return pa.array([each and each.replace("\0", "") for each in column.to_pylist()])
    if pa.types.is_uint64(kind):
        return column.cast(pa.decimal128(20, 0))
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        numbers = column.cast(pa.int64()).to_pylist()
        return pa.array([each and each // 1000 for each in numbers], pa.int64()).cast(micro)
    return column.cast(micro) if pa.types.is_timestamp(kind) else column


def are_near(one: Any, other: Any) -> bool:
    """Whether sums are the same but for the last digit of a logarithm or a power."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(are_near, one, other))
    if isinstance(one, (str, bool)) or None in {one, other} or not hasattr(one, "__float__"):
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=2)


def sweep_servers(storages: Sequence[Storage], *, seed: int, questions: int, people: bool) -> Found:
    """Ask so many questions of a pair of tables, held by every storage of a server."""
    return sweep(
        storages,
        seed=seed,
        tables=1,
        questions=questions,
        people=people,
        rows=common_neighbours,
        agree=are_near,
    )
