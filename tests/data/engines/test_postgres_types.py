"""The types of PostgreSQL's columns: what each becomes, and which can say whose row it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.tables.expressions import Column, compile_expression
from tests.engines import secret
from tests.refusing import raises_code
from tests.tables.engines.cores import cores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.engines import Engines, Postgres

#: The type of a column, two values of it, what we call it, and what is seen of the values.
KINDS: list[tuple[str, tuple[str, str], str, list[Any]]] = [
    ("smallint", ("-32768", "1"), "integer", [-32768, 1]),
    ("integer", ("7", "NULL"), "integer", [7, None]),
    ("bigint", ("9223372036854775807", "0"), "integer", [2**63 - 1, 0]),
    ("real", ("'NaN'", "0.1"), "number", [None, 0.10000000149011612]),
    ("numeric", ("'1e400'", "0.1"), "number", [float("inf"), 0.1]),
    ("numeric", ("'NaN'", "'-1e-400'"), "number", [None, 0.0]),
    ("numeric(9, 2)", ("'1.5'", "-3"), "number", [1.5, -3.0]),
    ("numeric(9, 2)", ("'NaN'", "NULL"), "number", [None, None]),
    ("numeric(300, 300)", ("'1e-300'", "0"), "number", [1e-300, 0.0]),
    ("numeric(1000, 500)", ("'1e-499'", "'1e499'"), "number", [0.0, float("inf")]),
    ("numeric(9, 0)", ("'NaN'", "-7"), "number", [None, -7.0]),
    ("numeric(3, -2)", ("'12345'", "0"), "number", [12300.0, 0.0]),
    ("price", ("'0.1'", "'NaN'"), "number", [0.1, None]),
    ("text", ("'Zoë'", "''"), "text", ["Zoë", ""]),
    ("varchar(9)", ("'a '", "'a'"), "text", ["a ", "a"]),
    ("char(4)", ("'a '", "'b'"), "text", ["a", "b"]),
    ("citext", ("'Ana'", "'ana'"), "text", ["Ana", "ana"]),
    ("mood", ("'calm'", "'glad'"), "text", ["calm", "glad"]),
    ("grade", ("3", "4"), "integer", [3, 4]),
    ('text COLLATE "blind"', ("'Ana'", "'ana'"), "text", ["Ana", "ana"]),
    ("boolean", ("true", "NULL"), "boolean", [True, None]),
    ("date", ("'infinity'", "'0044-03-15 BC'"), "date", [None, None]),
    ("timestamp", ("'-infinity'", "'294276-01-01'"), "timestamp", [None, None]),
    ("timestamptz", ("'infinity'", "'-infinity'"), "timestamp", [None, None]),
    *(
        (kind, ("NULL", "NULL"), "other", [])
        for kind in ("uuid", "money", "bytea", "time", "int[]")
    ),
    *((kind, ("NULL", "NULL"), "other", []) for kind in ("jsonb", "interval", "inet", "int4range")),
]


@pytest.fixture(scope="module")
def database(engines: Engines) -> Iterator[Postgres]:
    engines.postgres.run(
        "CREATE EXTENSION IF NOT EXISTS citext",
        "DROP TYPE IF EXISTS mood CASCADE",
        "DROP DOMAIN IF EXISTS grade, price CASCADE",
        "DROP COLLATION IF EXISTS blind CASCADE",
        "CREATE TYPE mood AS ENUM ('calm', 'glad')",
        "CREATE DOMAIN grade AS integer CHECK (VALUE < 9)",
        "CREATE DOMAIN price AS numeric(9, 2)",
        "CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level1', "
        "deterministic = false)",
    )
    with secret(engines.postgres.cluster):
        yield engines.postgres


def made(database: Postgres, kind: str, values: tuple[str, ...]) -> str:
    name = database.load(pa.table({"n": [0]}))
    rows = ", ".join(f"({place}, {each})" for place, each in enumerate(values, 1))
    database.run(
        f"ALTER TABLE {name} ADD v {kind}",
        f"INSERT INTO {name} (n, v) VALUES {rows}",  # noqa: S608
    )
    return name


@pytest.mark.full
@pytest.mark.parametrize(("kind", "values", "ours", "seen"), KINDS)
def test_a_column_is_one_of_our_types(
    database: Postgres, kind: str, values: tuple[str, str], ours: str, seen: list[Any]
) -> None:
    table = sf.table(database.url, table=made(database, kind, values), unit="row")
    assert table.schema["v"] == ours
    if ours == "other":
        return
    source = table.source
    value = compile_expression(Column("v"), source.table, {"n": "integer", "v": ours})
    answer = source.fetch(source.table.select(n=source.table["n"], v=value)).sort_by("n")
    assert answer["v"].to_pylist()[1:] == seen


def test_a_moment_is_seen_in_utc_whatever_the_zone_of_the_role(database: Postgres) -> None:
    import datetime as dt

    name = made(database, "timestamptz", ("'2024-06-01 00:30:00+02'",))
    database.run(f"ALTER DATABASE {database.database} SET timezone = 'Asia/Tokyo'")
    source = sf.table(database.url, table=name, unit="row").source
    value = compile_expression(Column("v"), source.table, {"v": "timestamp"})
    found = source.fetch(source.table.select(v=value))["v"].to_pylist()
    assert dt.datetime(2024, 5, 31, 22, 30) in found


IDS = [each for each in KINDS if each[0] in {"char(4)", "citext", "mood", 'text COLLATE "blind"'}]


@pytest.mark.parametrize(("kind", "values"), [each[:2] for each in IDS])
def test_people_are_told_apart_by_the_bytes_of_their_ids(
    database: Postgres, kind: str, values: tuple[str, str]
) -> None:
    name = made(database, kind, values)
    table = sf.table(database.url, table=name, unit="v", limits={"rows": 1})
    found = table.agg(p=sf.people()).release(epsilon=10_000).to_pandas()["p"][0]
    assert found == 3


EXACT_IDS = {
    "uuid": "'123e4567-e89b-12d3-a456-426614174000'",
    "numeric": "1.50",
    "date": "'2024-02-29'",
    "boolean": "true",
    "bigint": "-9223372036854775808",
    "varchar(5)": "'Zoë'",
    "double precision": "7",
}


@pytest.mark.parametrize("kind", EXACT_IDS)
def test_people_are_counted_by_ids_of_exact_types(database: Postgres, kind: str) -> None:
    """Two people in three groups, one of them without an id: each counts in one group."""
    name = made(database, kind, (EXACT_IDS[kind], EXACT_IDS[kind], "NULL"))
    table = sf.table(database.url, table=name, unit="v", limits={"groups": 1, "rows": 1})
    plan = table.group_by("n").agg(c=sf.count()).plan(epsilon=1, delta=1e-3)
    found = dict(cores(plan))["people_in_groups"]
    assert sum(count for _, count in found) == 2


@pytest.mark.parametrize("kind", ["timestamp", "money", "bytea", "int[]", "jsonb", "interval"])
def test_ids_of_other_types_are_refused_by_name(database: Postgres, kind: str) -> None:
    with raises_code("E-UNIT-TYPE"):
        sf.table(database.url, table=made(database, kind, ("NULL",)), unit="v")


@pytest.mark.parametrize("condition", ["g = h", "g < h", "g || h = h"])
def test_columns_of_two_collations_can_be_compared(database: Postgres, condition: str) -> None:
    """To the server it is an error, but for rows that no comparison reaches: an oracle."""
    name = database.load(pa.table({"id": [1], "g": ["y"], "h": ["y"]}))
    columns = ('ALTER COLUMN g TYPE text COLLATE "C"', 'ALTER COLUMN h TYPE text COLLATE "POSIX"')
    database.run(f"ALTER TABLE {name} {', '.join(columns)}")
    table = sf.table(database.url, table=name, unit="id", limits={"rows": 1})
    text = f"SELECT COUNT(*) AS n FROM {name} WHERE CASE WHEN id = 1 THEN {condition} END"  # noqa: S608
    assert table.sql(text, epsilon=10_000).to_pandas()["n"][0] == (condition == "g = h")
