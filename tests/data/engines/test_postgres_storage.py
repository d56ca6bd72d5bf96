"""However PostgreSQL stores and plans them, special cells have the outcomes that DuckDB gives them.

A planner may know of rows before it reads them: by statistics, constraints, indexes, partitions
and domains.  None of that may decide whether a question fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sfumato.data import open_source
from tests.engines import Postgres, secret
from tests.tables.engines.answering import differing, kept
from tests.tables.engines.cores import cores
from tests.tables.engines.specials import TYPES, specials
from tests.tables.engines.test_engines_forms import CONDITIONS, FORMS
from tests.tables.engines.test_engines_questions import DECLARED, QUESTIONS, STAYS, VISITS

if TYPE_CHECKING:
    from sfumato.data import Source
    from tests.engines import Engines

INDEXED = [
    *(f"CREATE INDEX ON rows ({each})" for each in "ijxybcdemk"),
    "CREATE INDEX ON rows (md5(s))",
    "CREATE INDEX ON rows USING hash (t)",
    "CREATE INDEX ON rows USING brin (x)",
    "CREATE INDEX ON rows ((x > 0), (y IS NULL))",
    "CREATE INDEX ON rows (y) WHERE x = 'NaN'",
    "CREATE INDEX ON rows (x) WHERE x > 0",
]
CHECKED = [
    "CHECK (x >= '-Infinity')",
    "CHECK (i >= -9223372036854775808)",
    "CHECK (d >= '-infinity')",
    "CHECK (m <= 'infinity')",
    "CHECK (s >= '')",
]
DOMAINS = {
    "x": "double precision CHECK (VALUE >= '-Infinity')",
    "i": "bigint CHECK (VALUE / 1 = VALUE)",
    "s": "text CHECK (length(VALUE) >= 0)",
    "d": "date CHECK (VALUE <= 'infinity')",
}
PARTITIONED = [
    "ALTER TABLE rows RENAME TO held",
    "CREATE TABLE rows (LIKE held) PARTITION BY RANGE (x)",
    "CREATE TABLE low PARTITION OF rows FOR VALUES FROM (MINVALUE) TO (0)",
    "CREATE TABLE high PARTITION OF rows FOR VALUES FROM (0) TO ('Infinity')",
    "CREATE TABLE beyond PARTITION OF rows FOR VALUES FROM ('Infinity') TO (MAXVALUE)",
    "CREATE TABLE nowhere PARTITION OF rows DEFAULT",
    "INSERT INTO rows SELECT * FROM held",
]
#: What is done to a table of special cells, and how the database is set.
STORAGES: dict[str, tuple[list[str], dict[str, str]]] = {
    "as it was loaded": ([], {}),
    "analyzed": (["ANALYZE rows"], {}),
    "constraints": (
        [*(f"ALTER TABLE rows ADD {each}" for each in CHECKED), "ANALYZE rows"],
        {"constraint_exclusion": "on"},
    ),
    "indexes": ([*INDEXED, "ANALYZE rows"], {"enable_seqscan": "off"}),
    "partitions": ([*PARTITIONED, "ANALYZE rows"], {"enable_partitionwise_aggregate": "on"}),
    "domains": (
        [
            each
            for name, kind in DOMAINS.items()
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
#: Settings of a role or a database that would change what is meant.
SETTINGS = {
    "array_nulls": "off",
    "datestyle": "'SQL, DMY'",
    "extra_float_digits": "-15",
    "intervalstyle": "'sql_standard'",
    "standard_conforming_strings": "off",
    "timezone": "'Asia/Tokyo'",
    "transform_null_equals": "on",
}


def of_this_version(name: str, database: Postgres) -> str:
    """What the server at hand calls a setting that has been given another name."""
    import psycopg

    newer = {"force_parallel_mode": "debug_parallel_query"}
    with psycopg.connect(database.owner) as connection:
        is_newer = connection.info.server_version >= 160_000
    return newer.get(name, name) if is_newer else name


def stored(engines: Engines, statements: list[str], settings: dict[str, str]) -> Source:
    """The special cells in a database of their own."""
    database = Postgres(engines.postgres.cluster)
    database.load(specials(), "rows")
    own = [
        f"ALTER DATABASE {database.database} SET {of_this_version(name, database)} = {value}"
        for name, value in settings.items()
    ]
    database.run(*statements, *own)
    with secret(database.cluster):
        return open_source(database.url, table="rows")


@pytest.mark.parametrize("storage", STORAGES)
def test_special_cells_have_one_outcome_however_they_are_stored(
    engines: Engines, storage: str
) -> None:
    source, rows = stored(engines, *STORAGES[storage]), specials()
    turn = list(STORAGES).index(storage) % 3
    assert differing(source, rows, TYPES, list(FORMS.values())[turn::3]) == {}
    assert kept(source, TYPES, CONDITIONS) == kept(open_source(rows), TYPES, CONDITIONS)


@pytest.mark.parametrize("name", ["derived columns", "many keys", "beside a public table"])
def test_settings_of_the_database_make_no_difference(engines: Engines, name: str) -> None:
    database = Postgres(engines.postgres.cluster)
    own = (f"ALTER DATABASE {database.database} SET {k} = {v}" for k, v in SETTINGS.items())
    database.run(*own)
    found = [
        cores(QUESTIONS[name](hold(VISITS, **DECLARED), hold(STAYS, unit="id")).plan(epsilon=1))
        for hold in (database.held, lambda rows, **said: engines.held("duckdb", rows, **said))
    ]
    assert found[0] == found[1]
