"""Opening a table of a PostgreSQL database: by address and name, and with no secret shown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.data import gathered
from sfumato.data.policy import digest
from sfumato.errors import InputError, MissingExtraError
from tests.engines import secret
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.engines import Engines, Postgres

SECRET = "hunter2"  # noqa: S105 - it is made to be looked for
VISITS = pa.table({"id": ["a", "b", "b"], "age": [61, 35, 36]})


@pytest.fixture
def database(engines: Engines) -> Iterator[Postgres]:
    with secret(engines.postgres.cluster):
        yield engines.postgres


def test_a_table_is_found_by_its_name_with_and_without_its_schema(database: Postgres) -> None:
    name = database.load(VISITS)
    for given in (name, f"public.{name}"):
        table = sf.table(database.url, table=given, unit="id")
        assert table.columns == ("id", "age")
        assert str(table.relation) == "add or remove one id"


def test_a_view_is_a_table_too(database: Postgres) -> None:
    name = database.load(VISITS)
    view = f'CREATE VIEW "of {name}"."The view" AS SELECT * FROM {name}'  # noqa: S608
    database.run(f'CREATE SCHEMA "of {name}"', view)
    table = sf.table(database.url, table=f"of {name}.The view", unit="id", limits={"rows": 5})
    assert table.agg(n=sf.count()).release(epsilon=1000).to_pandas()["n"][0] == 3


def test_names_are_taken_as_they_are(database: Postgres) -> None:
    odd = ['a"b', "it's; DROP TABLE visits; --", "%s", "é ∞", "select", "A"]
    rows = pa.table({"id": ["a", "b"]} | {name: [1, 2] for name in odd})
    loaded = database.load(VISITS)
    columns = ", ".join('"' + name.replace('"', '""') + '" bigint' for name in odd)
    database.run(
        f'CREATE TABLE "{loaded} ""odd""; --" (id text, {columns})',
        f'INSERT INTO "{loaded} ""odd""; --" VALUES (\'a\', 1, 1, 1, 1, 1, 1)',  # noqa: S608
    )
    bounds = dict.fromkeys(odd, (0, 2))
    table = sf.table(
        database.url, table=f'{loaded} "odd"; --', unit="id", bounds=bounds, limits={"rows": 1}
    )
    assert set(table.columns) == set(rows.column_names)
    asked = table.agg(**{f"s{place}": sf.sum(name) for place, name in enumerate(odd)})
    found = asked.release(epsilon=100_000).to_pandas().iloc[0]
    assert all(abs(each - 1) < 0.1 for each in found)


def test_a_policy_names_the_database_and_the_table(database: Postgres, tmp_path: Path) -> None:
    policy = tmp_path / "visits.toml"
    source = f'[table]\nsource = "{database.url}"\ntable = "{database.load(VISITS)}"\n'
    policy.write_text(source + 'unit = "id"\n')
    assert sf.open(policy).columns == ("id", "age")


def shell(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """How a command ended, and all that it said."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["sfumato", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out + said.err


def test_the_shell_asks_a_database(database: Postgres, capsys: pytest.CaptureFixture[str]) -> None:
    name = database.load(VISITS)
    sql = f"SELECT COUNT(*) AS n FROM {name}"  # noqa: S608
    asked = [database.url, sql, "--table", name, "--unit", "id", "--epsilon", "1"]
    code, said = shell(capsys, "query", *asked)
    assert code == 0, said
    assert f'"public"."{name}"' in shell(capsys, "plan", *asked, "--sql")[1]


def test_the_shell_drafts_the_policy_of_a_table(
    database: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy, name = tmp_path / "visits.toml", database.load(VISITS)
    drafted = ["--table", f"public.{name}", "--unit", "id", "--no-input", "--output", str(policy)]
    assert shell(capsys, "init", database.url, *drafted)[0] == 0
    table = sf.open(policy)
    assert (table.policy.table, table.columns) == (f"public.{name}", ("id", "age"))
    asked = [str(policy), f"SELECT COUNT(*) AS n FROM {name}", "--epsilon", "1"]  # noqa: S608
    assert shell(capsys, "plan", *asked)[0] == 0


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ada:{SECRET}@127.0.0.1/hospital",
        f"postgresql://127.0.0.1/hospital?password={SECRET}",
        f"postgresql://ada:{SECRET}@/hospital",
        f"postgres://ada:{SECRET}@[::1]:5432/hospital",
        f"postgresql://127.0.0.1/hospital?user=ada&sslpassword={SECRET}",
    ],
)
def test_a_password_in_the_address_is_refused_and_not_repeated(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "visits.toml"
    policy.write_text(f'[table]\nsource = "{address}"\ntable = "visits"\nunit = "id"\n')
    attempts: list[Callable[[], object]] = [
        lambda: sf.table(address, table="visits", unit="id"),
        lambda: sf.open(policy),
    ]
    for attempt in attempts:
        with raises_code("E-ADDRESS-PASSWORD") as failed:
            attempt()
        assert SECRET not in _all_of(failed.value)
    asked = [address, "SELECT COUNT(*) AS n FROM visits", "--table", "visits", "--unit", "id"]
    code, said = shell(capsys, "query", *asked, "--epsilon", "1")
    assert code != 0
    assert "PGPASSWORD" in said
    assert SECRET not in said


def _all_of(error: BaseException) -> str:
    """Everything that an error carries, and the errors behind it."""
    behind = [each for each in (error.__cause__, error.__context__) if each is not None]
    return repr(error) + "".join(map(_all_of, behind))


def test_nothing_is_shown_of_an_address_but_the_database(
    database: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = database.load(VISITS)
    user = database.cluster.user
    address = database.url.replace("://", f"://{user}@") + "?application_name=hidden"
    table = sf.table(address, table=name, unit="id")
    shown = f"{table!r} {table.source!r} {table.source.engine!r} {table.policy!r}"
    shown += str(table.agg(n=sf.count()).plan(epsilon=1))
    assert f"{name!r} of {database.url}" in shown
    assert not any(each in shown for each in (user, database.cluster.password, "hidden"))
    assert digest(table.policy) == digest(sf.table(VISITS, unit="id").policy)
    monkeypatch.setenv("PGPASSWORD", SECRET)
    with raises_code("E-TABLE-UNREADABLE", match="refuses the user or the password") as failed:
        sf.table(address, table=name, unit="id")
    assert SECRET not in _all_of(failed.value)


@pytest.mark.parametrize(
    ("address", "table", "said"),
    [
        ("postgresql://127.0.0.1:1/hospital", "visits", "there is no connection"),
        ("postgresql://127.0.0.1:1/hospital", None, "write table='visits'"),
        ("postgresql://127.0.0.1:1/hospital", "a.b.c", 'like "visits"'),
        ("postgresql://127.0.0.1:1/hospital", "", 'like "visits"'),
        ("postgresql://127.0.0.1:1/hospital?nonsense=1", "visits", "cannot be read"),
        ("mysql://127.0.0.1/hospital", "visits", "at an address that begins with 'mysql'"),
    ],
)
def test_what_cannot_be_opened_is_told_in_one_sentence(
    address: str, table: str | None, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        sf.table(address, table=table, unit="id")


def test_a_table_that_is_not_there_is_told(database: Postgres) -> None:
    with raises_code("E-TABLE-MISSING"):
        sf.table(database.url, table="nowhere", unit="id")


def test_a_name_without_a_database_is_refused() -> None:
    with raises_code("E-TABLE-NAME"):
        sf.table(VISITS, table="visits", unit="id")


def test_a_table_of_ibis_is_opened_where_it_is(database: Postgres) -> None:
    import ibis

    cluster = database.cluster
    backend = ibis.postgres.connect(
        host="127.0.0.1",
        port=cluster.port,
        user=cluster.user,
        password=cluster.password,
        database=database.database,
    )
    held = backend.table(database.load(VISITS))
    table = sf.table(held, unit="id", limits={"rows": 5})
    assert table.agg(n=sf.count()).release(epsilon=1000).to_pandas()["n"][0] == 3
    assert cluster.password not in repr(table.source)
    with raises_code("E-TABLE-KIND"):
        sf.table(held.filter(held["age"] > 40), unit="id")
    backend.disconnect()


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
def test_a_table_of_ibis_in_duckdb_is_opened_and_others_are_refused() -> None:
    import ibis

    backend = ibis.duckdb.connect()
    backend.raw_sql("CREATE TABLE visits AS SELECT unnest(['a', 'b', 'b']) AS id")
    held = backend.table("visits")
    table = sf.table(held, unit="id", limits={"rows": 5})
    assert table.agg(n=sf.count()).release(epsilon=1000).to_pandas()["n"][0] == 3
    backend.raw_sql("SET default_collation = 'NOCASE'")
    with raises_code("E-ENGINE-SETTING"):
        sf.table(held, unit="id")
    with raises_code("E-TABLE-KIND"):
        sf.table(ibis.table({"id": "int64"}, name="visits"), unit="id")
    elsewhere = ibis.sqlite.connect()
    other = elsewhere.create_table("visits", schema=ibis.schema({"id": "int64"}))
    with raises_code("E-TABLE-KIND"):
        sf.table(other, unit="id")
    elsewhere.disconnect()
    backend.disconnect()


def test_tables_of_one_database_are_read_together_and_others_are_not(database: Postgres) -> None:
    one, two = (sf.table(database.url, table=database.load(VISITS), unit="id") for _ in "ab")
    left, right = gathered([one.source, two.source])
    assert left.engine is right.engine
    with raises_code("E-ENGINES-DIFFER"):
        gathered([one.source, sf.table(VISITS, unit="id").source])


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with raises_code("E-EXTRA-MISSING", kind=MissingExtraError):
        sf.table("postgresql://127.0.0.1/hospital", table="visits", unit="id")


def test_a_database_in_another_encoding_is_refused(database: Postgres) -> None:
    name = f"latin_{database.database}"
    database.run(f"CREATE DATABASE {name} ENCODING 'LATIN1' TEMPLATE template0")
    with raises_code("E-ENGINE-SETTING"):
        sf.table(database.url.replace(database.database, name), table="visits", unit="id")
