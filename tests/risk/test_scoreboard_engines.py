"""M-RISK-5: the Scoreboard says the same in every engine."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any

import ibis
import pyarrow as pa
import pytest

from sfumato.risk import scoreboard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.engines import Engines

pytestmark = pytest.mark.full

DAYS = [date(2026, 1, day) for day in (2, 9, 30, 2, 4, 2)]
RECORDS: dict[str, Any] = {
    "user": ["a", "a", "B", "B", "c", "c"],
    "film": ["x", "y", "x", "z", "y", "y"],
    "stars": [4.0, 3.5, 1e308, None, 3.0, -1e308],
    "date": DAYS,
}
FACTS: dict[str, Any] = {
    "film": ["x", "y", "unknown", "x"],
    "of": ["ann", "ann", "ann", "bob"],
    "stars": [3.5, 5e-324, None, -1e308],
    "date": [DAYS[1], None, DAYS[0], DAYS[2]],
}


def as_text(columns: dict[str, Any]) -> pa.Table:
    """Return a table as a CSV file has it: every cell a text, and a missing one empty."""
    cells = {
        name: ["" if each is None else f"{each}" for each in column]
        for name, column in columns.items()
    }
    return pa.table(cells)


@contextmanager
def in_postgresql(engines: Engines, *tables: pa.Table) -> Iterator[list[Any]]:
    """Give tables of Ibis, as a user has them who connects to the server."""
    connected = ibis.connect(engines.postgres.owner)
    yield [connected.table(engines.postgres.load(each)) for each in tables]
    connected.disconnect()


@pytest.mark.parametrize("written", [pa.table, as_text], ids=["typed", "text"])
def test_postgresql_says_what_the_embedded_engine_does(engines: Engines, written: Any) -> None:
    tables = [written(RECORDS), written(FACTS)]
    columns: dict[str, Any] = {
        "person": "user",
        "item": "film",
        "rating": "stars",
        "day": "date",
        "who": "of",
    }
    expected = scoreboard(*tables, **columns)
    with in_postgresql(engines, *tables) as held:
        found = scoreboard(*held, **columns)
    assert found.as_dict() == expected.as_dict()
    assert [match.person for match in found.matches] == ["a", "B"]
