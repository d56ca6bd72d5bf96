"""What the server cannot answer is told with the plan, before anything is charged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.data.engines.postgres import compiling
from sfumato.data.engines.postgres.meanings import MEANINGS
from sfumato.data.engines.postgres.session import PostgresSession
from sfumato.errors import InputError
from sfumato.sampling import SeededSource
from sfumato.tables.run.execution import run_plan
from tests.engines import secret
from tests.tables.audits.families import FAMILIES
from tests.tables.audits.people import CROWD, NEIGHBOURS
from tests.tables.engines.cores import visits_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.engines import Engines, Postgres

ROWS = pa.table({"id": [1, 2], "b": [True, False], "x": [1.5, 2.5]})
DECLARED: dict[str, Any] = {"unit": "id", "limits": {"rows": 1}}
#: Where what is found on the way decides what is asked then.
DEPENDING = ("unknown keys", "automatic bounds", "limits chosen privately", "limits and bounds")


@pytest.fixture
def database(engines: Engines) -> Iterator[Postgres]:
    with secret(engines.postgres.cluster):
        yield engines.postgres


def test_what_the_server_cannot_do_is_refused_and_nothing_is_charged(
    database: Postgres, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As a cast from a boolean to a double was, which PostgreSQL does not have."""
    path = tmp_path / "ledger.db"
    place = {"path": str(path), "book": "rows", "analyst": "ada"}
    table = database.held(ROWS, **DECLARED, ledger=place)
    with sf.Ledger.create(path, key=tmp_path / "key.pem") as ledger:
        ledger.add_book("rows", sf.PureDP(epsilon=1, relation=table.relation))
    lacking = {name: rule for name, rule in MEANINGS.items() if name != "Cast"}
    monkeypatch.setattr(compiling, "MEANINGS", lacking)
    with pytest.raises(InputError) as refused:
        table.agg(m=sf.mean("b")).release(epsilon=1)
    assert str(refused.value) == "PostgreSQL cannot answer this; ask it of a file or a frame"
    assert refused.value.__context__ is None
    monkeypatch.undo()
    with secret(database.cluster):
        assert table.agg(m=sf.mean("b")).release(epsilon=1) is not None


CHANGES = {
    "DROP TABLE {}": "a table is gone; open it again",
    "ALTER TABLE {} DROP b": "a column is gone; open the table again",
    "ALTER TABLE {} RENAME b TO c": "a column is gone; open the table again",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_table_that_has_changed_is_told_with_the_plan(database: Postgres, change: str) -> None:
    name = database.load(ROWS)
    table = sf.table(database.url, table=name, **DECLARED)
    database.run(change.format(name))
    with pytest.raises(InputError) as told:
        table.agg(m=sf.mean("b")).plan(epsilon=1)
    asked = f"the query cannot be put to {database.url}"
    assert str(told.value) == f"{asked} ({CHANGES[change]})"


def test_planning_runs_nothing(database: Postgres) -> None:
    name = database.load(ROWS)
    rows = f"SELECT id, 1 / (id - id) > 0 AS b, pg_sleep(60) IS NULL AS c FROM {name}"  # noqa: S608
    database.run(f"CREATE VIEW of_{name} AS {rows}")
    table = sf.table(database.url, table=f"of_{name}", **DECLARED)
    assert table.agg(m=sf.mean("b"), n=sf.count("c")).plan(epsilon=1) is not None


@pytest.mark.full
@pytest.mark.parametrize("name", [each for each in FAMILIES if not each.startswith(DEPENDING)])
def test_every_statement_of_a_run_was_planned_by_the_server(
    engines: Engines, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    checked, ran = noted(monkeypatch, "check"), noted(monkeypatch, "run")
    family = FAMILIES[name]
    others, added = NEIGHBOURS[CROWD]
    table = visits_in(engines, "postgres", others + added, **family.declared)
    ran.clear()
    plan = table.group_by(*family.by).agg(**family.asked).plan(**family.target)
    assert not ran
    run_plan(plan, source=SeededSource(1))
    assert ran
    assert set(ran) <= set(checked)


def noted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[str]:
    """The statements that a method of a session is given from now on."""
    found: list[str] = []
    method = getattr(PostgresSession, name)

    def noting(session: PostgresSession, sql: str, *given: Any, **options: Any) -> Any:
        found.append(sql)
        return method(session, sql, *given, **options)

    monkeypatch.setattr(PostgresSession, name, noting)
    return found
