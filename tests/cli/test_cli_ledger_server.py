"""The guide's ledger on a server: its commands run, in order, on a server of the test's own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.postgres import HOST, server_programs

if TYPE_CHECKING:
    from tests.postgres import Cluster

PAGE = Path(__file__).parents[2] / "docs" / "ledger" / "first-ledger.md"
ROLES = ("keeper", "charging")


def commands() -> str:
    """Every command of the section, but for the roles, which ask for their passwords."""
    section = PAGE.read_text(encoding="utf-8").split("## On a server\n")[1].split("\n## ")[0]
    lines = "".join(re.findall(r"```shell\n(.*?)```", section, re.DOTALL)).splitlines()
    asking = [f"createuser --pwprompt {role}" for role in ROLES]
    assert lines[:2] == asking
    return "\n".join(lines[2:])


@pytest.fixture
def roles(own_postgres: Cluster) -> Cluster:
    """A server on which the roles of the guide have the password of the superuser."""
    import psycopg

    server = own_postgres.url("postgres").replace("+psycopg", "")
    with psycopg.connect(server, autocommit=True) as connection:
        for role in ROLES:
            connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{own_postgres.password}'")
    return own_postgres


@pytest.mark.full
def test_the_guide_s_ledger_on_a_server(roles: Cluster, tmp_path: Path) -> None:
    folders = [str(Path(sys.executable).parent), str(server_programs()), os.environ["PATH"]]
    own = {"PATH": os.pathsep.join(folders), "PYTHONUTF8": "1", "COLUMNS": "120"}
    key = {"SFUMATO_SIGNING_KEY": str(tmp_path / "key.pem")}
    server = {"PGHOST": HOST, "PGPORT": str(roles.port), "PGUSER": roles.user}
    password = {"PGPASSWORD": roles.password}
    done = subprocess.run(
        ["bash", "-ec", commands().replace("db.example.org", f"{HOST}:{roles.port}")],
        cwd=tmp_path,
        env={**os.environ, **own, **key, **server, **password},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "patients: 10 % of the budget is spent" in done.stdout
    assert f"2 entries in postgresql://charging@{HOST}:{roles.port}/study" in done.stdout
    assert roles.password not in done.stdout + done.stderr
