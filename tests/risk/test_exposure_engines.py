"""Exposure is the same in every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from sfumato.errors import InputError
from sfumato.risk import l_diversity, risk, t_closeness

if TYPE_CHECKING:
    from tests.engines import Engines

pytestmark = pytest.mark.full

QUASI = ["age", "sex"]
PEOPLE = pa.table(
    {
        "age": pa.array([30, 30, 30, 41, 41, 52, None, None, 52], pa.int64()),
        "sex": pa.array(["F", "F", "F", "M", "M", "M", "F", None, "M"]),
        "ill": pa.array(["flu", "flu", "gout", "flu", None, "flu", "flu ", "flu", "flu"]),
        "cost": pa.array([1.5, 2.5, 2.5, 40.0, None, 3.0, 3.5, 3.5, 9.0]),
    }
)


def test_postgresql_says_what_the_embedded_engine_does(engines: Engines) -> None:
    found, expected = (
        risk(each, quasi=QUASI, sensitive=["ill", "cost"], population=100)
        for each in (engines.source("postgres", PEOPLE), PEOPLE)
    )
    assert found.as_dict() == expected.as_dict()


def test_spark_says_what_the_embedded_engine_does(engines: Engines) -> None:
    spark = engines.source("spark", PEOPLE)
    found, expected = (l_diversity(each, quasi=QUASI, sensitive="ill") for each in (spark, PEOPLE))
    assert found == expected
    with pytest.raises(InputError, match="Spark cannot answer this; ask it of a file or a frame"):
        t_closeness(spark, quasi=QUASI, sensitive="cost")
