"""OpenDP: a lazy Polars frame, with the first groups of each person kept.

Its random choice of groups fails on the Polars that it asks for.  The mean is the noisy sum over
the noisy count, which costs nothing more.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
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


def asker(way: str) -> Callable[[str], Answer]:
    """Return a function of a file: the private answer."""
    package, polars = import_module("opendp.prelude"), import_module("polars")
    package.enable_features("contrib")
    return partial(_answer, package, polars, is_known=way == "known")


def _answer(package: Any, polars: Any, path: str, *, is_known: bool) -> Answer:
    context = _context(package, polars, path, {} if is_known else {"delta": DELTA})
    bounded = context.query().truncate_per_group(MOST_ROWS_EACH, by=["grp"])
    query = _totals(package, polars, bounded.truncate_num_groups(MOST_GROUPS, ["grp"], "first"))
    if is_known:
        query = query.with_keys(polars.LazyFrame({"grp": range(GROUPS)}, {"grp": polars.Int32}))
    found = query.release().collect().iter_rows()
    return [(group, n, s, s / max(n, 1)) for group, n, s in found]


def _context(package: Any, polars: Any, path: str, more: dict[str, float]) -> Any:
    rows = polars.scan_parquet(path)
    margin = package.polars.Margin(
        by=["grp"], max_groups=GROUPS, max_length=rows.select(polars.len()).collect().item()
    )
    return package.Context.compositor(
        data=rows,
        privacy_unit=package.unit_of(contributions=1, identifier=polars.col("person")),
        privacy_loss=package.loss_of(epsilon=EPSILON, **more),
        split_evenly_over=1,
        margins=[margin],
    )


def _totals(package: Any, polars: Any, rows: Any) -> Any:
    x = polars.col("x").fill_nan(LOW).fill_null(LOW)
    return rows.group_by("grp").agg(package.len(signed=True), x.dp.sum((LOW, HIGH)))
