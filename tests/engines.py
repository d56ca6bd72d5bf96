"""One table in every engine: the harness of all that must come out the same everywhere."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NoReturn
from urllib.parse import quote

import pyarrow as pa
import pytest

from sfumato import table as private_table
from sfumato.data import open_source
from sfumato.data.frames import arrow_table
from tests.postgres import HOST, INSTALL, server_programs
from tests.spark import loaded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyspark.sql import SparkSession

    from sfumato.data import Source
    from sfumato.tables import PrivateTable
    from tests.postgres import Cluster

ENGINES = ("duckdb", "postgres", "spark")

#: What a column of Arrow is in PostgreSQL.
COLUMN_TYPES = {
    pa.int16(): "smallint",
    pa.int32(): "integer",
    pa.int64(): "bigint",
    pa.float32(): "real",
    pa.float64(): "double precision",
    pa.string(): "text",
    pa.large_string(): "text",
    pa.bool_(): "boolean",
    pa.date32(): "date",
    pa.timestamp("us"): "timestamp",
}
#: The days and microseconds from 1970 that PostgreSQL's calendar has; beyond are its infinities.
FIRST_DAY, LAST_DAY = -2_440_588, 2_145_031_948
FIRST_MOMENT, LAST_MOMENT = -210_866_803_200_000_000, 2**63 - 2


_INDEXED = [
    *(f"CREATE INDEX ON rows ({each})" for each in "ijxybcdemk"),
    "CREATE INDEX ON rows (md5(s))",
    "CREATE INDEX ON rows USING hash (t)",
    "CREATE INDEX ON rows USING brin (x)",
    "CREATE INDEX ON rows ((x > 0), (y IS NULL))",
    "CREATE INDEX ON rows (y) WHERE x = 'NaN'",
    "CREATE INDEX ON rows (x) WHERE x > 0",
]
_CHECKED = [
    "CHECK (x >= '-Infinity')",
    "CHECK (i >= -9223372036854775808)",
    "CHECK (d >= '-infinity')",
    "CHECK (m <= 'infinity')",
    "CHECK (s >= '')",
]
_DOMAINS = {
    "x": "double precision CHECK (VALUE >= '-Infinity')",
    "i": "bigint CHECK (VALUE / 1 = VALUE)",
    "s": "text CHECK (length(VALUE) >= 0)",
    "d": "date CHECK (VALUE <= 'infinity')",
}
_PARTITIONED = [
    "ALTER TABLE rows RENAME TO held",
    "CREATE TABLE rows (LIKE held) PARTITION BY RANGE (x)",
    "CREATE TABLE low PARTITION OF rows FOR VALUES FROM (MINVALUE) TO (0)",
    "CREATE TABLE high PARTITION OF rows FOR VALUES FROM (0) TO ('Infinity')",
    "CREATE TABLE beyond PARTITION OF rows FOR VALUES FROM ('Infinity') TO (MAXVALUE)",
    "CREATE TABLE nowhere PARTITION OF rows DEFAULT",
    "INSERT INTO rows SELECT * FROM held",
]
#: How PostgreSQL stores and plans: what is done to a table, and how its database is set.
STORAGES: dict[str, tuple[list[str], dict[str, str]]] = {
    "as it was loaded": ([], {}),
    "analyzed": (["ANALYZE rows"], {}),
    "constraints": (
        [*(f"ALTER TABLE rows ADD {each}" for each in _CHECKED), "ANALYZE rows"],
        {"constraint_exclusion": "on"},
    ),
    "indexes": ([*_INDEXED, "ANALYZE rows"], {"enable_seqscan": "off"}),
    "partitions": ([*_PARTITIONED, "ANALYZE rows"], {"enable_partitionwise_aggregate": "on"}),
    "domains": (
        [
            each
            for name, kind in _DOMAINS.items()
            for each in (
                f"CREATE DOMAIN of_{name} AS {kind}",
                f"ALTER TABLE rows ALTER {name} TYPE of_{name}",
            )
        ],
        {},
    ),
    "other types": (
        [
            "ALTER TABLE rows ALTER x TYPE numeric USING x::text::numeric",
            "ALTER TABLE rows ALTER m TYPE timestamptz USING m AT TIME ZONE 'UTC'",
            "ALTER TABLE rows ALTER t TYPE varchar",
            'ALTER TABLE rows ALTER s TYPE text COLLATE "POSIX"',
            "ANALYZE rows",
        ],
        {},
    ),
    "compiled": (
        ["ANALYZE rows"],
        {
            "jit": "on",
            "jit_above_cost": "0",
            "jit_inline_above_cost": "0",
            "jit_optimize_above_cost": "0",
        },
    ),
    "in parallel": (
        ["ALTER TABLE rows SET (parallel_workers = 2)", "ANALYZE rows"],
        {
            "force_parallel_mode": "on",
            "parallel_setup_cost": "0",
            "parallel_tuple_cost": "0",
            "min_parallel_table_scan_size": "0",
        },
    ),
}


@contextmanager
def secret(cluster: Cluster) -> Iterator[None]:
    """Have the environment say who we are, as users of a server do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PGUSER", cluster.user)
        patch.setenv("PGPASSWORD", cluster.password)
        yield


class Postgres:
    """A database of a server, whose credentials are in the environment."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        full = cluster.database()
        self.database = full.rsplit("/", 1)[1]
        self.owner = full.replace("+psycopg", "")

    @property
    def url(self) -> str:
        return f"postgresql://{HOST}:{self.cluster.port}/{quote(self.database)}"

    def run(self, *statements: str) -> None:
        """Run statements as the owner of everything."""
        import psycopg

        with psycopg.connect(self.owner, autocommit=True) as connection:
            for each in statements:
                connection.execute(each)

    def change(self, statements: Sequence[str], settings: Mapping[str, str]) -> None:
        """Run statements, and set the database for whoever connects from now on."""
        own = (f"ALTER DATABASE {self.database} SET {k} = {v}" for k, v in settings.items())
        self.run(*statements, *own)

    def load(self, frame: Any, name: str | None = None) -> str:
        """Copy a frame into a table, and return the name of the table."""
        import psycopg

        rows = arrow_table(frame, "the table")
        name = name or f"t{secrets.token_hex(6)}"
        columns = ", ".join(f'"{each.name}" {_kind(each.type)}' for each in rows.schema)
        with psycopg.connect(self.owner) as connection, connection.cursor() as cursor:
            cursor.execute(f'CREATE TABLE "{name}" ({columns})')
            with cursor.copy(f'COPY "{name}" FROM STDIN') as copy:
                for row in zip(*map(_cells, rows.columns), strict=True):
                    copy.write_row(row)
        return name

    def source(self, rows: pa.Table) -> Source:
        with secret(self.cluster):
            return open_source(self.url, table=self.load(rows))

    def held(self, frame: Any, **declared: Any) -> PrivateTable:
        with secret(self.cluster):
            return private_table(self.url, table=self.load(frame), **declared)


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_decimal(kind):
        return f"numeric({kind.precision}, {kind.scale})"
    return COLUMN_TYPES[kind]


def _cells(column: pa.ChunkedArray) -> list[Any]:
    """The cells of a column as PostgreSQL reads them."""
    if pa.types.is_date32(column.type):
        ends = (FIRST_DAY, LAST_DAY)
        return [_dated(each, "D", ends) for each in column.cast(pa.int32()).to_pylist()]
    if pa.types.is_timestamp(column.type):
        ends = (FIRST_MOMENT, LAST_MOMENT)
        return [_dated(each, "us", ends) for each in column.cast(pa.int64()).to_pylist()]
    cells: list[Any] = column.to_pylist()
    return cells


def _dated(since: int | None, unit: Literal["D", "us"], ends: tuple[int, int]) -> str | None:
    """A day or a moment since 1970 as PostgreSQL writes it."""
    if since is None:
        return None
    if not ends[0] <= since <= ends[1]:
        return "infinity" if since > 0 else "-infinity"
    import numpy as np

    text = str(np.datetime64(since, "D") if unit == "D" else np.datetime64(since, "us"))
    year, month, rest = text.lstrip("-").split("-", 2)
    before = text.startswith("-") or int(year) == 0
    shown = 1 + int(year) if before else int(year)
    return f"{shown:04d}-{month}-{rest}" + (" BC" if before else "")


class Engines:
    """Tables in whatever engine is asked for, each server started when first needed."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request
        self._postgres: Postgres | None = None

    @property
    def postgres(self) -> Postgres:
        if self._postgres is None:
            if server_programs() is None:
                missing("PostgreSQL's server", INSTALL)
            self._postgres = Postgres(self._request.getfixturevalue("postgres"))
        return self._postgres

    @property
    def spark(self) -> SparkSession:
        session: SparkSession = self._request.getfixturevalue("spark")
        return session

    def held(self, engine: str, frame: Any, **declared: Any) -> PrivateTable:
        """A private table of a frame's rows in an engine."""
        if engine == "postgres":
            return self.postgres.held(frame, **declared)
        if engine == "spark":
            rows = arrow_table(frame, "the table")
            return private_table(loaded(self.spark, rows), **declared)
        return private_table(arrow_table(frame, "the table"), **declared)

    def source(self, engine: str, rows: pa.Table) -> Source:
        """A table of rows in an engine, opened and not private."""
        if engine == "postgres":
            return self.postgres.source(rows)
        return open_source(loaded(self.spark, rows) if engine == "spark" else rows)


def missing(component: str, how: str) -> NoReturn:
    """Leave out the test that needs a component; in CI the run fails for it."""
    pytest.skip(f"needs {component}: {how}")
