"""Ledgers in both stores: a file of SQLite, and a database of a PostgreSQL server."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from sfumato.ledger import Ledger
from sfumato.ledger.signer import SIGNING_KEY
from tests.ledger.filled import Kept, keep
from tests.ledger.tables import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres import Cluster


@pytest.fixture(autouse=True)
def signing_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A signing key of the test's own, for this process and those it starts."""
    path = tmp_path / "signing-key" / "key.pem"
    monkeypatch.setenv(SIGNING_KEY, str(path))
    return path


@pytest.fixture(scope="session")
def database(postgres: Cluster) -> str:
    """A database that tests use one after another, emptied in between: new ones take time."""
    return postgres.database()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a ledger can be made, in each of the stores."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    return emptied(request.getfixturevalue("database"))


def emptied(url: str) -> str:
    """A database without tables, and without anybody who still holds one."""
    with tables(url) as connection:
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        end = f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {others}"  # noqa: S608
        connection.execute(text(end))
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    return url


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger in a file, without any book, for others to be copies of: new ones take time."""
    path = tmp_path_factory.mktemp("blank") / "ledger.db"
    Ledger.create(path).close()
    return path


@pytest.fixture
def ledger(place: str, blank: Path) -> Iterator[Ledger]:
    """A new ledger, without any book, in each of the stores."""
    is_file = "://" not in place
    with Ledger.open(shutil.copy(blank, place)) if is_file else Ledger.create(place) as made:
        yield made


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """What is kept in a file, with its key beside it, for others to be copies of."""
    folder = tmp_path_factory.mktemp("template")
    return keep(str(folder / "ledger.db"), folder / "key.pem")


@pytest.fixture
def kept(place: str, signing_key: Path, request: pytest.FixtureRequest) -> Kept:
    """A ledger with entries of all kinds, that nobody has open, without triggers."""
    if "://" in place:
        return keep(place)
    template: Kept = request.getfixturevalue("template")
    shutil.copy(template.place, place)
    signing_key.parent.mkdir(mode=0o700)
    shutil.copy(Path(template.place).with_name("key.pem"), signing_key)
    return Kept(place, template.receipts)
