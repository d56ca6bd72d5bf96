"""Runs on PostgreSQL: one moment of the table, a user who may only read, and no word of a cell."""

from __future__ import annotations

import secrets
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.data.engines.postgres.engine import PostgresEngine
from sfumato.errors import EngineError, InputError
from tests.engines import secret
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.tables import PrivateTable
    from tests.engines import Engines, Postgres

CANARY = "CANARY-7f3a"
VISITS = pa.table({"id": ["a", "b"], "age": [61, 35], "city": ["Rome", CANARY]})
DECLARED: dict[str, Any] = {"unit": "id", "limits": {"rows": 1}}


@pytest.fixture
def database(engines: Engines) -> Iterator[Postgres]:
    with secret(engines.postgres.cluster):
        yield engines.postgres


def between(monkeypatch: pytest.MonkeyPatch, action: Callable[[], None]) -> None:
    """Have something happen after the first query of a run."""
    fetch = PostgresEngine.fetch
    done: list[bool] = []

    def fetched(engine: PostgresEngine, query: Any, *, complaint: str) -> Any:
        answer = fetch(engine, query, complaint=complaint)
        if not done:
            done.append(True)
            action()
        return answer

    monkeypatch.setattr(PostgresEngine, "fetch", fetched)


def counted_while_somebody_writes(
    database: Postgres, monkeypatch: pytest.MonkeyPatch
) -> list[float]:
    """The rows and the people of a table, one row of each of 1,000 people coming in the middle."""
    name = database.load(VISITS)
    table = sf.table(database.url, table=name, **DECLARED)
    more = f"INSERT INTO {name} SELECT i, 1, '' FROM generate_series(1, 1000) i"  # noqa: S608
    between(monkeypatch, lambda: database.run(more))
    answer = table.agg(n=sf.count(), p=sf.people()).release(epsilon=10_000).to_pandas()
    return [answer["n"][0], answer["p"][0]]


def test_a_run_sees_one_moment_of_the_table(
    database: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert counted_while_somebody_writes(database, monkeypatch) == [2, 2]


def test_twin_without_the_transaction_an_answer_is_of_several_moments(
    database: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresEngine, "reading", lambda _: nullcontext())
    assert counted_while_somebody_writes(database, monkeypatch) == [2, 1002]


@pytest.fixture
def reader(database: Postgres, monkeypatch: pytest.MonkeyPatch) -> str:
    """A user who may read tables and nothing else."""
    name = f"reader_{secrets.token_hex(6)}"
    own = database.database
    database.run(
        f"CREATE ROLE {name} LOGIN PASSWORD 'readonly'",
        f"REVOKE ALL ON DATABASE {own} FROM PUBLIC",
        f"GRANT CONNECT ON DATABASE {own} TO {name}",
        f"GRANT USAGE ON SCHEMA public TO {name}",
    )
    monkeypatch.setenv("PGUSER", name)
    monkeypatch.setenv("PGPASSWORD", "readonly")
    return name


def read_by(database: Postgres, reader: str, frame: pa.Table, **declared: Any) -> PrivateTable:
    name = database.load(frame)
    database.run(f"GRANT SELECT ON {name} TO {reader}")
    return sf.table(database.url, table=name, **{**DECLARED, **declared})


def test_a_user_who_may_only_read_can_ask_everything(database: Postgres, reader: str) -> None:
    many = [f'it\'s \\ "{place}"' for place in range(300)]
    rows = pa.table({"id": many, "age": list(range(300)), "city": many})
    table = read_by(database, reader, rows, keys={"city": many}, bounds={"age": (0, 300)})
    answer = table.group_by("city").agg(n=sf.count(), m=sf.median("age")).release(epsilon=10_000)
    assert answer.to_pandas()["n"].tolist() == [1] * 300
    open_ = read_by(database, reader, VISITS, limits={"groups": 1, "rows": 1})
    assert open_.group_by("city").agg(n=sf.count()).release(epsilon=1, delta=0.01) is not None


def test_what_the_user_may_not_read_is_told_before_anything_is_charged(
    database: Postgres, reader: str
) -> None:
    name = database.load(VISITS)
    told = f"the user may not read '{name}' of {database.url}; have its owner GRANT SELECT on it"
    with pytest.raises(InputError) as failed:
        sf.table(database.url, table=name, **DECLARED)
    assert failed.value.code == "E-TABLE-FORBIDDEN"
    assert str(failed.value) == told
    database.run(f"GRANT SELECT (id) ON {name} TO {reader}")
    table = sf.table(database.url, table=name, **DECLARED)
    assert table.agg(n=sf.count()).release(epsilon=10_000).to_pandas()["n"][0] == 2
    with raises_code("E-NAME-UNKNOWN", match="there is no column 'age'"):
        table.agg(s=sf.sum("age", bounds=(0, 9))).plan(epsilon=1)


def test_a_right_that_is_taken_away_is_told(database: Postgres, reader: str) -> None:
    table = read_by(database, reader, VISITS)
    database.run(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {reader}")
    with raises_code("E-TABLE-UNREADABLE", match=r"\(the user may not read it\)$"):
        table.agg(n=sf.count()).release(epsilon=1)


def test_a_schema_that_the_user_may_not_use_holds_nothing(database: Postgres, reader: str) -> None:
    name = f"closed_{reader}"
    database.run(
        f"CREATE SCHEMA {name}",
        f"CREATE TABLE {name}.visits (id integer)",
        f"GRANT SELECT ON {name}.visits TO {reader}",
    )
    with raises_code("E-TABLE-MISSING"):
        sf.table(database.url, table=f"{name}.visits", **DECLARED)


def test_functions_of_users_do_not_take_over(database: Postgres, reader: str) -> None:
    database.run(
        "CREATE OR REPLACE FUNCTION public.floor(float8) RETURNS float8 LANGUAGE sql "
        "AS 'SELECT 7::float8'",
        "CREATE OR REPLACE FUNCTION public.liar(bigint, bigint) RETURNS boolean LANGUAGE sql "
        "AS 'SELECT true'",
        f"ALTER ROLE {reader} SET search_path = public, pg_catalog",
    )
    try:
        table = read_by(database, reader, VISITS, bounds={"age": (0, 110)})
        found = table.agg(s=sf.sum("age")).release(epsilon=10_000).to_pandas()["s"][0]
        assert abs(found - 96) < 1
    finally:
        database.run("DROP FUNCTION public.floor(float8)", "DROP FUNCTION public.liar")


@pytest.mark.parametrize(
    "broken",
    [
        "SELECT id, (CASE WHEN city LIKE 'CANARY%' THEN city END)::int AS age, city FROM {}",
        "SELECT id, age / (age - 35) AS age, city FROM {}",
        "SELECT id, (9223372036854775807 - 36 + age)::bigint AS age, city FROM {}",
    ],
)
def test_no_word_of_a_cell_is_in_what_a_failing_row_says(database: Postgres, broken: str) -> None:
    name = database.load(VISITS)
    database.run(f"CREATE VIEW of_{name} AS {broken.format(name)}")
    table = sf.table(database.url, table=f"of_{name}", bounds={"age": (0, 110)}, **DECLARED)
    with pytest.raises(EngineError) as failed:
        table.agg(s=sf.sum("age")).release(epsilon=1)
    assert str(failed.value) == str(EngineError("PostgreSQL"))
    assert failed.value.__context__ is None
    assert failed.value.__cause__ is None


def test_a_killed_connection_is_told_and_made_again(
    database: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = sf.table(database.url, table=database.load(VISITS), **DECLARED)
    kill = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sfumato'"
    )
    with monkeypatch.context() as patch:
        between(patch, lambda: database.run(kill))
        with raises_code("E-TABLE-UNREADABLE", match=r"the server is shutting down|no connection"):
            table.agg(n=sf.count(), p=sf.people()).release(epsilon=1)
    assert table.agg(n=sf.count()).release(epsilon=1000).to_pandas()["n"][0] == 2
    database.run(kill)
    assert table.agg(n=sf.count()).release(epsilon=1000).to_pandas()["n"][0] == 2


def test_a_statement_that_takes_too_long_is_told(database: Postgres, reader: str) -> None:
    database.run(f"ALTER ROLE {reader} SET statement_timeout = '300ms'")
    name = database.load(VISITS)
    slow = f"SELECT id, age, city FROM {name}, pg_sleep(2)"  # noqa: S608
    database.run(f"CREATE VIEW slow_{name} AS {slow}", f"GRANT SELECT ON slow_{name} TO {reader}")
    with raises_code("E-TABLE-UNREADABLE", match="longer than the server allows"):
        sf.table(database.url, table=f"slow_{name}", **DECLARED).agg(n=sf.count()).release(
            epsilon=1
        )


@pytest.mark.full
def test_a_server_that_is_gone_is_told(own_postgres: Any) -> None:
    from tests.engines import Postgres

    database = Postgres(own_postgres)
    with secret(own_postgres):
        table = sf.table(database.url, table=database.load(VISITS), **DECLARED)
        own_postgres.stop("immediate")
        with pytest.raises(InputError, match=r"cannot be reached \(there is no connection"):
            table.agg(n=sf.count(), p=sf.people()).release(epsilon=1)
        own_postgres.start()
        own_postgres.wait()
        assert table.agg(n=sf.count()).release(epsilon=1000).to_pandas()["n"][0] == 2
