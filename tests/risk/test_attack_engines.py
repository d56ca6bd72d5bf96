"""Attacks on tables say the same in every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from sfumato.errors import InputError
from sfumato.risk import homogeneity, intersect, link

if TYPE_CHECKING:
    from tests.engines import Engines

pytestmark = pytest.mark.full

PEOPLE = pa.table(
    {
        "age": ["50-60", "50-60", "55-65", "*", None, "70", "70"],
        "sex": ["F", "M", "F", "F", "M", "M", "M"],
        "ill": ["flu", "gout", "flu", "cold", None, "gout", "gout"],
    }
)
ON = ["age", "sex"]


def test_postgresql_says_what_the_embedded_engine_does(engines: Engines) -> None:
    source = engines.source("postgres", PEOPLE)
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
    held = [engines.source("postgres", each) for each in tables]
    found, expected = (intersect(*each, on="age", sensitive="ill") for each in (held, tables))
    assert found.narrowed == expected.narrowed
    assert [(each.left, each.value) for each in found.narrowed] == [(2, "1")]
    assert found.pinned == expected.pinned


def test_spark_is_refused_in_a_sentence(engines: Engines) -> None:
    spark = engines.source("spark", PEOPLE)
    with pytest.raises(InputError, match="releases in Spark cannot be intersected; give files"):
        intersect(spark, spark, on=ON, sensitive="ill")
