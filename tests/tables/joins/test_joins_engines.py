"""Joins and sums of each person come out the same in every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import sfumato as sf
from tests.engines import ENGINES, secret
from tests.refusing import raises_code
from tests.tables.joins.asked import VISITS, arrow, core, places

if TYPE_CHECKING:
    from sfumato.tables import PrivateTable, Query
    from tests.engines import Engines

ODD = [(11, "1010", float("nan")), (11, "1010", -0.0), (11, "8010", float("inf")), (12, "", None)]
CARDS = [(7, 2**62), (7, 2**62), (7, 2**62), (8, -5), (11, None), (13, 1)]


def tables(engine: str, engines: Engines) -> tuple[PrivateTable, PrivateTable]:
    """Visits and cards of the same people."""
    rows = arrow([*VISITS, *ODD], id=pa.int64(), zip=pa.string(), cost=pa.float64())
    cards = arrow(CARDS, who=pa.int64(), points=pa.int64())
    given: dict[str, Any] = {"limits": {"rows": 3}, "bounds": {"cost": (0, 100)}}
    other: dict[str, Any] = {"limits": {"rows": 2}, "bounds": {"points": (-3, 1000)}}
    return (
        engines.held(engine, rows, unit="id", **given),
        engines.held(engine, cards, unit="who", **other),
    )


def asked(engine: str, engines: Engines) -> dict[str, Query]:
    visits, cards = tables(engine, engines)
    public = places(zip=["1010", "8010", "1010", None], place=["a", "b'", 'c\\"', "d"])
    of_each = visits.per_person(
        n=sf.count(),
        zips=sf.count("zip"),
        spent=sf.sum("cost"),
        mean=sf.mean("cost"),
        low=sf.minimum("cost"),
        high=sf.maximum("cost"),
    )
    points = cards.per_person(
        total=sf.sum("points", bounds=(-(2**63), 2**63 - 1)), mean=sf.mean("points")
    )
    beyond = sf.when(sf.col("total") == 2**63 - 1, 1).otherwise(0)
    return {
        "public": visits.join(public, on="zip", how="left").group_by("place").agg(n=sf.count()),
        "people": visits.join(cards).agg(s=sf.sum("points")),
        "each": of_each.agg(
            n=sf.sum("n", bounds=(0, 9)),
            zips=sf.sum("zips", bounds=(0, 9)),
            spent=sf.sum("spent", bounds=(0, 500)),
            mean=sf.sum("mean"),
            low=sf.sum("low"),
            high=sf.sum("high"),
        ),
        "each beside others": visits.join(points, how="left").agg(
            m=sf.sum("mean"), beyond=sf.sum(beyond, bounds=(0, 1))
        ),
    }


@pytest.mark.parametrize("engine", [each for each in ENGINES if each != "duckdb"])
def test_the_core_is_that_of_the_embedded_engine(engine: str, engines: Engines) -> None:
    here, there = (asked(each, engines) for each in ("duckdb", engine))
    for name, query in here.items():
        expected = list(core(query.plan(epsilon=1)).values())
        assert list(core(there[name].plan(epsilon=1)).values()) == expected, name


def test_a_table_of_a_server_is_not_joined_with_itself(engines: Engines) -> None:
    place = engines.postgres
    name = place.load(pa.table({"id": [7, 8], "cost": [1, 2]}))
    with secret(place.cluster):
        one, two = (sf.table(place.url, table=name, unit="id") for _ in range(2))
    with raises_code("E-JOIN-ITSELF"):
        one.join(two)


def test_tables_that_do_not_see_each_other_are_not_joined(engines: Engines) -> None:
    here = sf.table(pa.table({"id": [7, 8], "cost": [1, 2]}), unit="id")
    there = engines.postgres.held(pa.table({"id": [7, 8], "age": [1, 2]}), unit="id")
    with raises_code("E-ENGINES-DIFFER"):
        here.join(there)


def test_a_public_table_of_a_server_says_which_columns_it_leaves_out(engines: Engines) -> None:
    place = engines.postgres
    place.run("CREATE TABLE wings (key uuid, wing text)", "INSERT INTO wings VALUES (NULL, 'a')")
    with secret(place.cluster):
        public = sf.public(place.url, table="wings")
    assert repr(public).endswith("public: wing; 1 row; without key, which no query can use>")
