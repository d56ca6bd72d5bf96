"""Bare DuckDB: the plain GROUP BY, and what bounding people needs at the least."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.groupby.task import Answer

PLAIN = "SELECT grp, count(*), sum(x), avg(x) FROM read_parquet($path) GROUP BY grp"
#: Each person's part of each group, in whole steps of 2^-20, and nothing done to it.
FLOOR = """
    SELECT grp, sum(n), sum(s) / $steps, sum(s) / $steps / sum(n)
    FROM (
        SELECT person, grp, count(*) AS n, sum(CAST(round(x * $steps) AS BIGINT)) AS s
        FROM read_parquet($path)
        GROUP BY person, grp
    )
    GROUP BY grp
"""
#: The queries, and what they are told beside the file.
WAYS: dict[str, tuple[str, dict[str, int]]] = {
    "plain": (PLAIN, {}),
    "floor": (FLOOR, {"steps": 1 << 20}),
}


def asker(way: str) -> Callable[[str], Answer]:
    """Return a function of a file: the exact answer."""
    return partial(_answer, *WAYS[way])


def _answer(query: str, told: dict[str, int], path: str) -> Answer:
    spill = str(Path(path).parent / "spill")
    with import_module("duckdb").connect(config={"temp_directory": spill}) as connection:
        found = connection.execute(query, told | {"path": path}).fetchall()
    return [(group, int(n), float(s), float(m)) for group, n, s, m in found]
