"""Files that Spark reads: what they say of their columns, or hold, makes no question fail."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.data import open_source
from sfumato.errors import InputError
from tests.data.engines.test_spark_sessions import settings
from tests.tables.engines.answering import differing, kept
from tests.tables.engines.cores import cores
from tests.tables.engines.specials import TYPES, specials
from tests.tables.engines.test_engines_forms import CONDITIONS, FORMS

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.full

#: How a file is read, each once with what Spark adapts while it runs, and once without.
READING: dict[str, dict[str, str]] = {
    "as by default": {},
    "nothing adapted": {"spark.sql.adaptive.enabled": "false"},
    "row by row": {
        "spark.sql.parquet.enableVectorizedReader": "false",
        "spark.sql.parquet.recordLevelFilter.enabled": "true",
    },
    "by version 2 of its sources": {
        "spark.sql.sources.useV1SourceList": "",
        "spark.sql.parquet.aggregatePushdown": "true",
    },
}
REBASING = [
    "spark.sql.parquet.datetimeRebaseModeInRead",
    "spark.sql.parquet.int96RebaseModeInRead",
]


def parquet(rows: pa.Table, path: Path, **options: Any) -> str:
    """A file in small pieces, each of which says between what its cells lie, NaN left out."""
    pq.write_table(rows, path, row_group_size=8, **options)
    return str(path)


@pytest.mark.parametrize("how", READING)
def test_special_cells_of_a_file_have_the_outcomes_that_duckdb_gives_them(
    spark: SparkSession, tmp_path: Path, how: str
) -> None:
    rows, turn = specials(2), list(READING).index(how)
    path = parquet(rows, tmp_path / "rows.parquet")
    with settings(spark, READING[how]):
        source = open_source(spark.read.parquet(path))
        assert differing(source, rows, TYPES, list(FORMS.values())[turn::4]) == {}
        chosen = CONDITIONS[turn::4]
        assert kept(source, TYPES, chosen) == kept(open_source(rows), TYPES, chosen)


def test_the_file_says_nothing_of_nan(tmp_path: Path) -> None:
    """Otherwise the test above would not put it to the test."""
    path = parquet(specials(2), tmp_path / "rows.parquet")
    file = pq.ParquetFile(path).metadata
    place = specials().column_names.index("x")
    ends = [file.row_group(n).column(place).statistics for n in range(file.num_row_groups)]
    assert all(each.min == each.min and each.max == each.max for each in ends)


OLD = pa.table(
    {
        "id": [1, 2],
        "m": pa.array(
            [dt.datetime(1500, 1, 1), dt.datetime(2024, 1, 1)], pa.timestamp("us", "UTC")
        ),
    }
)


@pytest.mark.parametrize("setting", REBASING)
def test_a_session_in_which_an_old_date_makes_a_question_fail_is_refused(
    spark: SparkSession, tmp_path: Path, setting: str
) -> None:
    path = parquet(OLD, tmp_path / "old.parquet", use_deprecated_int96_timestamps="96" in setting)
    table = sf.table(spark.read.parquet(path), unit="id", limits={"rows": 1})
    asked = table.agg(s=sf.sum(sf.col("m").year(), bounds=(0, 3000)))
    with settings(spark, {setting: "EXCEPTION"}):
        with pytest.raises(InputError, match=f"^the session of Spark says {setting} = EXCEPTION"):
            sf.table(spark.read.parquet(path), unit="id")
        with pytest.raises(InputError, match="set it to CORRECTED"):
            asked.plan(epsilon=1)
    assert cores(asked.plan(epsilon=1))


NO_TEXT = [b"\xff\xfe", b"\xe2\x82", b"\xed\xa0\x80", "é".encode(), None]


@pytest.fixture
def bytes_for_text(spark: SparkSession, tmp_path: Path) -> DataFrame:
    """A column that says that it is text, of which some cells are none."""
    held = pa.array(NO_TEXT, pa.binary())
    said = pa.Array.from_buffers(pa.string(), len(held), held.buffers(), held.null_count)
    return spark.read.parquet(
        parquet(pa.table({"id": list(range(len(held))), "s": said}), tmp_path / "bytes.parquet")
    )


def test_bytes_that_are_no_text_make_no_question_fail(bytes_for_text: DataFrame) -> None:
    table = sf.table(bytes_for_text, unit="id", limits={"rows": 1, "groups": 1})
    found = dict(cores(table.group_by("s").agg(n=sf.count()).plan(epsilon=1, delta=1e-6)))
    assert sum(people for _, people in found["people_in_groups"]) == len(NO_TEXT)
    counted = table.agg(n=sf.count("s")).release(epsilon=10_000)
    assert counted.to_pandas()["n"][0] == len(NO_TEXT) - 1
