"""SmartNoise SQL over a pandas frame.

Each column is charged ε, so that a count and a sum have half of it each; the mean is their ratio,
which costs nothing more.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.groupby.task import DELTA, EPSILON, HIGH, LOW, MOST_ROWS

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.groupby.task import Answer

QUERY = "SELECT grp, COUNT(*) AS n, SUM(x) AS s FROM d.t GROUP BY grp"
TABLE = {
    "row_privacy": False,
    "max_ids": MOST_ROWS,
    "clamp_counts": False,
    "censor_dims": False,
    "person": {"type": "int", "private_id": True},
    "grp": {"type": "int"},
    "x": {"type": "float", "lower": LOW, "upper": HIGH, "nullable": False},
}


def asker(way: str) -> Callable[[str], Answer]:
    """Return a function of a file: the private answer; only known keys are asked for."""
    del way
    return partial(_answer, import_module("snsql"), import_module("pandas"))


def _answer(package: Any, pandas: Any, path: str) -> Answer:
    reader = package.from_df(
        pandas.read_parquet(path),
        privacy=package.Privacy(epsilon=EPSILON / 2, delta=DELTA),
        metadata={"": {"d": {"t": TABLE}}},
    )
    _, *found = reader.execute(QUERY)
    return [(int(group), float(n), float(s), float(s) / max(n, 1)) for group, n, s in found]
