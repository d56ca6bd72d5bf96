"""PipelineDP on its local backend, over rows in a list."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from benchmarks.groupby.task import (
    DELTA,
    EPSILON,
    GROUPS,
    HIGH,
    LOW,
    MOST_GROUPS,
    MOST_ROWS_EACH,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.groupby.task import Answer

COLUMNS = ("person", "grp", "x")


def asker(way: str) -> Callable[[str], Answer]:
    """Return a function of a file: the private answer; only known keys are asked for."""
    del way
    return partial(_answer, import_module("pipeline_dp"), import_module("pyarrow.parquet"))


def _answer(package: Any, parquet: Any, path: str) -> Answer:
    table = parquet.read_table(path)
    rows = list(zip(*(table[name].to_pylist() for name in COLUMNS), strict=True))
    accountant = package.NaiveBudgetAccountant(total_epsilon=EPSILON, total_delta=DELTA)
    engine = package.DPEngine(accountant, package.LocalBackend())
    person, group, x = map(itemgetter, range(3))
    columns = package.DataExtractors(person, group, x)
    found = engine.aggregate(rows, _asked(package), columns, list(range(GROUPS)))
    accountant.compute_budgets()
    return [(key, each.count, each.sum, each.mean) for key, each in found]


def _asked(package: Any) -> Any:
    metrics = package.Metrics
    return package.AggregateParams(
        metrics=[metrics.COUNT, metrics.SUM, metrics.MEAN],
        noise_kind=package.NoiseKind.LAPLACE,
        max_partitions_contributed=MOST_GROUPS,
        max_contributions_per_partition=MOST_ROWS_EACH,
        min_value=LOW,
        max_value=HIGH,
    )
