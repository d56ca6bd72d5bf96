"""Ctrl-C while PostgreSQL is at work: the statement is cancelled there, and the table goes on."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING

import psycopg
import pyarrow as pa
import pytest

import sfumato as sf
from tests.engines import secret
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from tests.engines import Engines, Postgres

VISITS = pa.table({"id": ["a", "b"]})
RUNNING = (
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE application_name = 'sfumato' AND state = 'active' AND query LIKE '%slow%'"
)


def running(database: Postgres) -> int:
    with psycopg.connect(database.owner) as connection:
        ((found,),) = connection.execute(RUNNING).fetchall()
        return int(found)


def wait_until(database: Postgres, count: int) -> None:
    """Return when so many statements of ours run on the server, or fail after minutes."""
    until = time.monotonic() + PATIENCE
    while running(database) != count:
        assert time.monotonic() < until
        time.sleep(0.05)


def interrupt_when_running(database: Postgres) -> None:
    wait_until(database, 1)
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_cancels_the_statement_and_the_next_question_is_answered(engines: Engines) -> None:
    database = engines.postgres
    name = database.load(VISITS)
    whole = f"VIEW slow_{name} AS SELECT t.id FROM {name} t"  # noqa: S608
    database.run(f"CREATE {whole}, pg_sleep({3 * PATIENCE})")
    with secret(database.cluster):
        table = sf.table(database.url, table=f"slow_{name}", unit="id", limits={"rows": 1})
        watcher = threading.Thread(target=interrupt_when_running, args=(database,))
        watcher.start()
        with pytest.raises(KeyboardInterrupt):
            table.agg(n=sf.count()).release(epsilon=1)
        watcher.join()
        wait_until(database, 0)
        database.run(f"CREATE OR REPLACE {whole}")
        assert table.agg(n=sf.count()).release(epsilon=10_000).to_pandas()["n"][0] == len(VISITS)
