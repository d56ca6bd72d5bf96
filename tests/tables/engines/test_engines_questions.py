"""Whole questions, with joins, people and derived columns, come out the same on every engine."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import sfumato as sf
from tests.engines import ENGINES
from tests.refusing import raises_code
from tests.tables.engines.cores import cores

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.engines import Engines

VISITS = pa.table(
    {
        "id": ["a", "a", "b", "B", "b ", None, "c", "c"],
        "ward": ["A", "é", None, "A", 'it\'s \\ "b"', "é", "A", "{}"],
        "x": [1.5, math.nan, math.inf, -math.inf, None, 1e300, 2.5, -0.0],
        "day": [dt.date(2024, 2, 29), None, dt.date.min, dt.date.max, *[dt.date(2023, 1, 1)] * 4],
    }
)
STAYS = pa.table({"id": ["a", "b", "B", "d", None], "nights": [3, 1, 2, 9, 7]})
WARDS = pa.table(
    {
        "ward": ["A", "é", 'it\'s \\ "b"', "{}"],
        "wing": ["N", "S", None, "N"],
        "beds": [10, 2**62, None, 3],
        "rate": [0.1, 1e300, None, -2.5],
        "opened": [dt.date(1, 1, 1), dt.date(9999, 12, 31), None, dt.date(2000, 2, 29)],
    }
)
DECLARED: dict[str, Any] = {"unit": "id", "limits": {"rows": 2}, "bounds": {"x": (0, 10)}}
KEYS = [*WARDS["ward"].to_pylist(), *(f"w{place}" for place in range(300))]


def _derived(visits: Any, _: Any) -> Any:
    rest, w = (sf.col("x") * 3) % 0.7, sf.col("ward").upper()
    asked = visits.with_columns(y=rest, year=sf.col("day").year(), w=w)
    return asked.filter(sf.col("w") < "É").agg(
        s=sf.sum("y", bounds=(-1, 1)), t=sf.sum("year", bounds=(0, 9999))
    )


def _beside_public(visits: Any, _: Any) -> Any:
    joined = visits.join(sf.public(WARDS), on="ward", how="left")
    rate, beds = sf.sum("rate", bounds=(-9, 9)), sf.sum("beds", bounds=(0, 9))
    return joined.group_by("wing").agg(r=rate, b=beds, n=sf.count("opened"))


def _per_person(visits: Any, _: Any) -> Any:
    each = visits.per_person(n=sf.count(), s=sf.sum("x"), m=sf.mean("x"), d=sf.minimum("x"))
    return each.agg(a=sf.sum("s", bounds=(0, 20)), b=sf.sum("m", bounds=(0, 10)))


QUESTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "derived columns": _derived,
    "many keys": lambda visits, _: (
        visits.declare(keys={"ward": KEYS}).group_by("ward").agg(n=sf.count())
    ),
    "beside a public table": _beside_public,
    "beside a private table": lambda visits, stays: visits.join(stays).agg(
        n=sf.sum("nights", bounds=(0, 9))
    ),
    "one row for each person": _per_person,
}


@pytest.mark.full
@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("engine", ENGINES[1:])
def test_a_question_has_the_same_cores(engines: Engines, engine: str, name: str) -> None:
    found = [
        cores(
            QUESTIONS[name](
                engines.held(each, VISITS, **DECLARED),
                engines.held(each, STAYS, unit="id", limits={"rows": 2}),
            ).plan(epsilon=1)
        )
        for each in (engine, "duckdb")
    ]
    assert found[0] == found[1]


def test_a_name_that_postgresql_would_cut_is_refused_by_name(engines: Engines) -> None:
    visits = engines.held("postgres", VISITS, **DECLARED)
    asked = visits.with_columns(**{"y" * 64: sf.col("x") + 1}).agg(n=sf.count("y" * 64))
    with raises_code("E-COLUMN-NAME"):
        asked.release(epsilon=1)
