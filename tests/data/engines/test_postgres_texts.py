"""Texts so long that PostgreSQL's own functions fail on them, of a cell that anybody may write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
import pyarrow as pa
import pytest

import sfumato as sf
from tests.engines import secret
from tests.tables.engines.cores import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.engines import Engines, Postgres

pytestmark = pytest.mark.full

#: On the disk it takes two megabytes.
LONG = "repeat('é', 140000000)"
s = sf.col("s")
QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "strip": lambda t: t.filter(s.strip() == "a").agg(n=sf.count()),
    "lower": lambda t: t.filter(s.lower() == "a").agg(n=sf.count()),
    "like": lambda t: t.filter(s.like(r"\_%")).agg(n=sf.count()),
    "a cast": lambda t: t.agg(x=sf.sum(s.cast("number"), bounds=(0, 1))),
    "joined": lambda t: t.filter((s + s).length() > 1).agg(n=sf.count()),
    "groups": lambda t: t.group_by("s", "u").agg(n=sf.count()),
}


@pytest.fixture(scope="module")
def long_texts(engines: Engines) -> Iterator[tuple[Postgres, str]]:
    database = engines.postgres
    name = database.load(pa.table({"id": [1, 2], "s": ["a", "b"], "u": ["a", "b"]}))
    database.run(f"UPDATE {name} SET s = {LONG}, u = {LONG} WHERE id = 2")  # noqa: S608
    with secret(database.cluster):
        yield database, name


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_length_of_a_text_makes_a_question_fail(
    long_texts: tuple[Postgres, str], name: str
) -> None:
    database, rows = long_texts
    table = sf.table(database.url, table=rows, unit="id", limits={"rows": 1, "groups": 1})
    plan = QUESTIONS[name](table).plan(epsilon=1, delta=1e-6)
    assert cores(plan)


def test_twin_the_functions_of_the_server_fail(long_texts: tuple[Postgres, str]) -> None:
    """Otherwise the tests above could not fail."""
    database, rows = long_texts
    for bare in ("trim(s)", "s ~ 'a'", "translate(s, 'a', 'b')"):
        with pytest.raises(psycopg.Error, match=r"too large|request size"):
            database.run(f"SELECT count({bare}) FROM {rows}")  # noqa: S608


def test_long_ids_are_told_apart(engines: Engines) -> None:
    database = engines.postgres
    name = database.load(pa.table({"id": ["a", "b", "c"]}))
    database.run(
        "CREATE EXTENSION IF NOT EXISTS citext",
        f"ALTER TABLE {name} ALTER id TYPE citext",
        f"UPDATE {name} SET id = repeat(id, 2000000)",  # noqa: S608
    )
    with secret(database.cluster):
        table = sf.table(database.url, table=name, unit="id", limits={"rows": 1})
        assert table.agg(p=sf.people()).release(epsilon=10_000).to_pandas()["p"][0] == 3
