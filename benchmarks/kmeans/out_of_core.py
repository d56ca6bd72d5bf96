"""One look at points in a Parquet file larger than the memory that the engine may use.

`python -m benchmarks.kmeans.out_of_core [ROWS]`; each look is in a process of its own, so that
its peak of memory is its own.  Beside them is a bare sum of the columns by DuckDB.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import ibis
import numpy as np

from benchmarks.groupby.memory import peak_mib
from benchmarks.measure import markdown, ratio, save, timed
from sfumato import table as private_table
from sfumato.learning.kmeans.points.base import Ball
from sfumato.learning.kmeans.points.rows import RowPoints
from sfumato.learning.kmeans.space import space_of

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 100_000_000
DIMENSIONS, CENTRES, LEVEL = 8, 8, 10
MEMORY = "1GB"
NOTE = f"""Seconds of one look each, in a process of its own.

{DIMENSIONS} columns of single precision, evenly between -1 and 1; {CENTRES} centres.  DuckDB may
use {MEMORY} of memory.  A round adds all points up by the nearest centre; cells are counted at
level {LEVEL}, of 2^{LEVEL}.  Memory is the peak of the whole process, Python and its libraries
included."""


def make(path: Path, rows: int) -> None:
    """Write points to a file, by DuckDB's own generator."""
    columns = ", ".join(f"(random() * 2 - 1)::FLOAT AS x{each}" for each in range(DIMENSIONS))
    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute("SET memory_limit = '4GB'")
        made = f"SELECT {columns} FROM range({rows})"  # noqa: S608 - nothing of it is given
        connection.execute(f"COPY ({made}) TO '{path}'")


def bare_sum(path: Path) -> Any:
    """Add the columns up by DuckDB alone."""
    sums = ", ".join(f"sum(x{each})" for each in range(DIMENSIONS))
    with duckdb.connect(config={"memory_limit": MEMORY}) as connection:
        query = f"SELECT {sums} FROM read_parquet('{path}')"  # noqa: S608 - our own file
        return connection.execute(query).fetchall()


def points_of(path: Path) -> RowPoints:
    """Open a file as points, in a DuckDB of our own making that has little memory."""
    rows = ibis.duckdb.connect(memory_limit=MEMORY).read_parquet(path)
    bounds = {f"x{each}": (-1, 1) for each in range(DIMENSIONS)}
    space = space_of(-np.ones(DIMENSIONS), np.ones(DIMENSIONS))
    return RowPoints(space, private_table(rows, unit="row", bounds=bounds).numbers())


def a_round(path: Path, ball: Ball | None = None) -> Any:
    """Add points up by the nearest centre."""
    points = points_of(path)
    centres = np.random.default_rng(0).uniform(-1, 1, (CENTRES, DIMENSIONS)) * points.space.unit
    return points.totals(points.space.held(centres), ball=ball)


def cells(path: Path) -> Any:
    """Count points by cells."""
    return points_of(path).cells(LEVEL, inside=np.array([0]), above=0)


LOOKS: dict[str, Callable[[Path], Any]] = {
    "bare sum of the columns": bare_sum,
    "a round": a_round,
    "a round, within a ball": lambda path: a_round(path, Ball(1 << 21, "l2")),
    "cells": cells,
}


def alone(look: str, path: Path) -> dict[str, float]:
    """Take a look in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.kmeans.out_of_core", look, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main(rows: int) -> None:
    """Measure, print and save."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "points.parquet"
        make(path, rows)
        found = {look: alone(look, path) for look in LOOKS}
        size = path.stat().st_size
    floor = found["bare sum of the columns"]["seconds"]
    lines = [["look", "seconds", "over the bare sum", "million rows a second", "peak MiB"]]
    for look, each in found.items():
        seconds = each["seconds"]
        speed = f"{rows / seconds / 1e6:.1f}"
        peak = f"{each['peak']:,.0f}"
        lines.append([look, f"{seconds:.3g}", ratio(seconds, floor), speed, peak])
    said = f"{rows:,} rows, a file of {size / 2**20:,.0f} MiB.  Processors: {os.cpu_count()}."
    command = "python -m benchmarks.kmeans.out_of_core"
    save("kmeans-out-of-core", command, f"{said}\n\n{markdown(lines)}", note=NOTE)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        _, seconds = timed(lambda: LOOKS[sys.argv[1]](Path(sys.argv[2])))
        print(json.dumps({"seconds": seconds, "peak": peak_mib()}))
    else:
        main(int(float(sys.argv[1])) if len(sys.argv) > 1 else ROWS)
