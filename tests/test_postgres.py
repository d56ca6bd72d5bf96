"""The PostgreSQL servers that other tests use: private, durable, and gone afterwards."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.exc import OperationalError

from tests.patience import PATIENCE
from tests.postgres import marked, own_port

if TYPE_CHECKING:
    from tests.postgres import Cluster

ROOT = Path(__file__).parents[1]


def ask(url: str, question: str) -> object:
    """The first cell of an answer, if there is one."""
    with create_engine(url, poolclass=NullPool).begin() as connection:
        result = connection.execute(text(question))
        return result.scalar() if result.returns_rows else None


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("listen_addresses", "127.0.0.1"),
        ("fsync", "on"),
        ("max_connections", "200"),
        ("server_encoding", "UTF8"),
        ("lc_messages", "C"),
        ("password_encryption", "scram-sha-256"),
    ],
)
def test_the_server_is_private_and_durable(postgres: Cluster, setting: str, value: str) -> None:
    assert ask(postgres.url("postgres"), f"SHOW {setting}") == value


def test_only_the_password_opens_the_server(postgres: Cluster) -> None:
    wrong = postgres.url("postgres").replace(postgres.password, "wrong")
    with pytest.raises(OperationalError, match="password authentication failed"):
        ask(wrong, "SELECT 1")


def test_every_database_is_fresh(postgres: Cluster) -> None:
    first, second = postgres.database(), postgres.database()
    ask(first, "CREATE TABLE seen AS SELECT 1 AS one")
    assert ask(first, "SELECT count(*) FROM seen") == 1
    assert ask(second, "SELECT to_regclass('seen')") is None


@pytest.mark.full
def test_what_was_committed_is_there_after_a_crash(own_postgres: Cluster) -> None:
    url = own_postgres.database()
    ask(url, "CREATE TABLE kept AS SELECT 1 AS one")
    own_postgres.stop("immediate")
    assert not own_postgres.is_ready()
    with pytest.raises(TimeoutError, match="no server"):
        own_postgres.wait(0.1)
    own_postgres.start()
    own_postgres.wait()
    assert ask(url, "SELECT count(*) FROM kept") == 1


def test_a_start_can_have_settings_and_an_environment_of_its_own(own_postgres: Cluster) -> None:
    own_postgres.stop()
    own_postgres.start({"TZ": "Asia/Tokyo"}, {"application_name": "two words"})
    url = own_postgres.url("postgres")
    assert ask(url, "SHOW application_name") == "two words"
    environment = Path("/proc") / (own_postgres.data / "postmaster.pid").read_text().split()[0]
    assert b"TZ=Asia/Tokyo\0" in (environment / "environ").read_bytes()


@pytest.mark.usefixtures("postgres")
def test_a_server_ends_with_the_process_that_started_it() -> None:
    script = (
        "import sys\n"
        "from tests.postgres import Cluster\n"
        "with Cluster.started() as cluster:\n"
        "    print(cluster.home, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout
        home = Path(owner.stdout.readline().strip())
        assert (home / "data" / "postmaster.pid").exists()
        owner.kill()
    end = time.monotonic() + PATIENCE
    while home.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not home.exists()


def test_a_port_is_nobody_else_s_before_a_server_listens_and_while_it_is_stopped() -> None:
    with own_port() as port, marked(port) as is_ours:
        assert not is_ours
    with marked(port) as is_ours:
        assert is_ours


def test_a_port_that_somebody_listens_on_is_not_taken(postgres: Cluster) -> None:
    with marked(postgres.port) as is_ours:
        assert not is_ours
