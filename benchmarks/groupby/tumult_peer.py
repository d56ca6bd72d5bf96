"""Tumult Analytics on a local Spark, which is started before the clock.

A count and a sum have half of ε each; the mean is their ratio, which costs nothing more.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

from benchmarks.groupby.task import EPSILON, GROUPS, HIGH, LOW, MOST_GROUPS, MOST_ROWS_EACH

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.groupby.task import Answer

SPARK = {
    "spark.driver.memory": "8g",
    "spark.sql.shuffle.partitions": str(os.cpu_count()),
    "spark.sql.warehouse.dir": str(Path(gettempdir()) / "spark-warehouse"),
    "spark.ui.enabled": "false",
}


def asker(way: str) -> Callable[[str], Answer]:
    """Return a function of a file: the private answer; only known keys are asked for."""
    del way
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[*]")
    for name, value in SPARK.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.range(1).count()
    return partial(_answer, import_module("tmlt.analytics"), spark)


def _answer(package: Any, spark: Any, path: str) -> Answer:
    session = package.Session.from_dataframe(
        privacy_budget=package.PureDPBudget(EPSILON),
        source_id="rows",
        dataframe=spark.read.parquet(path),
        protected_change=package.AddRowsWithID("person"),
    )
    counts, sums = (
        dict(session.evaluate(query, package.PureDPBudget(EPSILON / 2)).collect())
        for query in (_grouped(package).count(), _grouped(package).sum("x", LOW, HIGH))
    )
    return [(key, counts[key], sums[key], sums[key] / max(counts[key], 1)) for key in counts]


def _grouped(package: Any) -> Any:
    rows = package.QueryBuilder("rows")
    few = rows.enforce(package.MaxGroupsPerID("grp", MOST_GROUPS))
    bounded = few.enforce(package.MaxRowsPerGroupPerID("grp", MOST_ROWS_EACH))
    return bounded.groupby(package.KeySet.from_dict({"grp": list(range(GROUPS))}))
