"""No row decides whether PostgreSQL and Spark answer; and they add up what DuckDB does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.engines import ENGINES
from tests.totality.servers import postgres_storages, spark_storages, sweep_servers

if TYPE_CHECKING:
    from tests.engines import Engines

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
QUESTIONS = {"postgres": 4, "spark": 2}


@pytest.mark.parametrize("people", [False, True], ids=["rows", "people"])
@pytest.mark.parametrize("engine", ENGINES[1:])
def test_no_row_decides_whether_a_server_answers(
    engines: Engines,
    engine: str,
    people: bool,  # noqa: FBT001
) -> None:
    if engine == "postgres":
        storages = postgres_storages(engines.postgres.cluster)
    else:
        storages = spark_storages(engines.spark)
    found = sweep_servers(storages, seed=5, questions=QUESTIONS[engine], people=people)
    assert found.differing == []
    assert set(found.answered) == {each.name for each in storages}
