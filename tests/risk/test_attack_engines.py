"""Attacks on tables say the same in every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from sfumato.data import Source, open_source
from sfumato.errors import InputError
from sfumato.risk import homogeneity, intersect, link
from tests.engines import secret
from tests.spark import loaded

if TYPE_CHECKING:
    from tests.engines import Engines

PEOPLE = pa.table(
    {
        "age": ["50-60", "50-60", "55-65", "*", None, "70", "70"],
        "sex": ["F", "M", "F", "F", "M", "M", "M"],
        "ill": ["flu", "gout", "flu", "cold", None, "gout", "gout"],
    }
)
ON = ["age", "sex"]


def held(engine: str, engines: Engines) -> Source:
    if engine == "spark":
        return open_source(loaded(engines.spark, PEOPLE))
    name = engines.postgres.load(PEOPLE)
    with secret(engines.postgres.cluster):
        return open_source(engines.postgres.url, table=name)


def test_postgresql_says_what_the_embedded_engine_does(engines: Engines) -> None:
    source = held("postgres", engines)
    found, expected = (
        (
            link(each, {"age": 57, "sex": "F"}, sensitive="ill").links,
            intersect(each, each, on=ON, sensitive="ill").pinned,
            homogeneity(each, quasi=ON, sensitive="ill").classes,
        )
        for each in (source, PEOPLE)
    )
    assert found == expected


def test_postgresql_compares_values_of_different_types(engines: Engines) -> None:
    """A float, a float of half the length, and text: 1 is in all, and 0.1 may be."""
    columns = [
        pa.array([0.1, 1.0, 1e-5, 1e300]),
        pa.array([0.1, 1.0, 3.0, 4.0], pa.float32()),
        pa.array(["0.1000000001", "01.0", "1e-5", "5"]),
    ]
    tables = [pa.table({"age": ["5"] * 3 + ["6"], "ill": each}) for each in columns]
    names = [engines.postgres.load(each) for each in tables]
    with secret(engines.postgres.cluster):
        held = [open_source(engines.postgres.url, table=name) for name in names]
    found, expected = (intersect(*each, on="age", sensitive="ill") for each in (held, tables))
    assert found.narrowed == expected.narrowed
    assert [(each.left, each.value) for each in found.narrowed] == [(2, "1")]
    assert found.pinned == expected.pinned


def test_spark_is_refused_in_a_sentence(engines: Engines) -> None:
    spark = held("spark", engines)
    with pytest.raises(InputError, match="releases in Spark cannot be intersected; give files"):
        intersect(spark, spark, on=ON, sensitive="ill")
