"""A data frame of Spark is asked in a session of our own, and the user's stays as it was."""

from __future__ import annotations

import datetime as dt
import gc
import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.data import open_source, open_sources
from sfumato.errors import InputError
from tests.patience import PATIENCE
from tests.spark import loaded, without_advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.full

CANARY = "CANARY-7f3a"
VISITS = pa.table(
    {
        "who": [1, 1, 2, 3, None],
        "ward": ["A", "ß", "Σας", None, "A"],
        "paid": [1.5, float("nan"), float("inf"), -0.0, None],
        "seen": [dt.datetime(1, 1, 1), dt.datetime(2024, 3, 31, 2, 30), None, None, None],
    }
)
#: What a user's session may say, none of which may matter.
ODD_SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.groupByOrdinal": "false",
    "spark.sql.parser.escapedStringLiterals": "true",
    "spark.sql.session.timeZone": "America/St_Johns",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
}
PLAIN_SETTINGS = {
    "spark.sql.ansi.enabled": "false",
    "spark.sql.caseSensitive": "false",
    "spark.sql.session.timeZone": "UTC",
}


@contextmanager
def settings(session: SparkSession, given: dict[str, str]) -> Iterator[None]:
    for name, value in given.items():
        session.conf.set(name, value)
    try:
        yield
    finally:
        for name in given:
            session.conf.unset(name)


def answers(data: Any) -> list[dict[str, Any]]:
    """Values whose words mean something else in some sessions than in others."""
    source = open_source(data)
    table = source.table
    query = table.order_by(["who", "ward"]).select(
        who=table.who,
        ward=table.ward.upper(),
        slash=table.ward + "\\n'\"",
        paid=table.paid / 3,
        hour=table.seen.hour(),
        seen=table.seen,
        day=table.seen.truncate("D").cast("date"),
        written=table.ward.try_cast("int64"),
    )
    return list(source.fetch(query).to_pylist())


def test_the_settings_of_the_session_do_not_matter(spark: SparkSession) -> None:
    wanted = str(answers(VISITS))
    for given in (PLAIN_SETTINGS, ODD_SETTINGS):
        with settings(spark, given):
            assert str(answers(loaded(spark, VISITS))) == wanted


def test_the_session_stays_as_it_was(spark: SparkSession) -> None:
    with settings(spark, ODD_SETTINGS):
        before, others = state(spark), views(spark)
        table = sf.table(loaded(spark, VISITS), unit="who", keys={"ward": ["A", "ß"]})
        table.group_by("ward").agg(n=sf.count()).release(epsilon=1)
        del table
        gc.collect()
        end = time.monotonic() + PATIENCE
        while not views(spark) <= others and time.monotonic() < end:
            time.sleep(0.1)
        assert views(spark) <= others
        assert state(spark) == before


def views(session: SparkSession) -> set[str]:
    """The views that all sessions see."""
    return {each.name for each in session.catalog.listTables("global_temp")}


def state(session: SparkSession) -> Any:
    from pyspark import RDD
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    assert active is not None
    return (
        dict(session.conf.getAll),
        session.catalog.currentCatalog(),
        session.catalog.currentDatabase(),
        [each.name for each in session.catalog.listTables()],
        RDD.toDF,
        active.conf.get("spark.sql.session.timeZone"),
    )


def test_two_data_frames_of_one_application_can_be_counted_side_by_side(
    spark: SparkSession,
) -> None:
    left, right = open_sources(loaded(spark, VISITS), loaded(spark.newSession(), VISITS))
    joined = left.table.join(right.table, left.table.who.identical_to(right.table.who))
    assert left.fetch(joined.aggregate(n=joined.count()), beside=right).to_pydict() == {"n": [7]}


def test_a_table_that_ibis_has_in_spark_can_be_opened(spark: SparkSession) -> None:
    import ibis

    other = spark.newSession()
    loaded(other, VISITS).createTempView("visits")
    visits = without_advice(lambda: ibis.pyspark.connect(other).table("visits"))
    source = open_source(visits.filter(visits.ward == "A"))
    assert sorted(source.fetch(source.table.select("who")).to_pydict()["who"], key=str) == [1, None]


def test_moments_without_a_zone_are_read_as_they_are_written(spark: SparkSession) -> None:
    with settings(spark, ODD_SETTINGS):
        frame = spark.sql("SELECT timestamp_ntz '2024-03-31 02:30:00' AS seen")
        source = open_source(frame)
        assert source.fetch(source.table).to_pydict() == {"seen": [dt.datetime(2024, 3, 31, 2, 30)]}


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT id, rand() AS r FROM range(3)", "need not be the same"),
        ("SELECT uuid() AS r FROM range(3)", "need not be the same"),
        ("SELECT monotonically_increasing_id() AS r FROM range(3)", "need not be the same"),
        ("SELECT 1 AS a, 2 AS a", "2 columns with the name 'a'"),
        ("SELECT 'x' COLLATE UNICODE_CI AS c", "a collation of its own"),
    ],
)
def test_data_frames_that_cannot_be_used_are_refused(
    spark: SparkSession, query: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        sf.table(spark.sql(query), unit="row")


def test_a_stream_is_refused(spark: SparkSession) -> None:
    stream = spark.readStream.format("rate").load()
    with pytest.raises(InputError, match="is a stream") as caught:
        sf.table(stream, unit="row")
    assert caught.value.code == "E-TABLE-ENDLESS"


def test_columns_of_other_types_are_there_but_cannot_be_used(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 1 AS who, array(1) AS many, named_struct('a', 1) AS both")
    table = sf.table(frame, unit="who")
    with pytest.raises(InputError, match="'many' has a type that expressions cannot use"):
        table.filter(sf.col("many").is_null()).agg(n=sf.count()).plan(epsilon=1)


@pytest.fixture
def broken(spark: SparkSession) -> DataFrame:
    """A data frame that fails on a row, and would say which."""
    with settings(spark, {"spark.sql.ansi.enabled": "true"}):
        rows = loaded(spark, pa.table({"who": [1, 2], "text": ["1", CANARY]}))
        return rows.selectExpr("who", "CAST(text AS INT) AS number")


def test_what_fails_on_the_cluster_is_told_in_one_sentence(
    broken: DataFrame, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    table = sf.table(broken, unit="who", bounds={"number": (0, 9)})
    with caplog.at_level(logging.DEBUG), pytest.raises(InputError) as caught:
        table.agg(n=sf.sum("number")).release(epsilon=1)
    assert str(caught.value).startswith("Spark could not compute the table; ")
    assert caught.value.__context__ is None
    written = capfd.readouterr()
    assert CANARY not in caplog.text + written.out + written.err


def test_pyspark_itself_would_have_told_the_cell(broken: DataFrame) -> None:
    """Otherwise the test above could not fail."""
    with pytest.raises(Exception, match=CANARY):
        without_advice(broken.collect)
