"""One look at points in a Parquet file larger than the memory that the engine may use.

`python -m benchmarks.kmeans.out_of_core [ROWS or FILE]`; a file may have been made before.  Each
look is in a process of its own, so that its peak of memory is its own.  Beside them is a bare sum
of the columns by DuckDB.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import ibis
import numpy as np
from pyarrow.parquet import read_metadata

from benchmarks.groupby.memory import peak_mib
from benchmarks.measure import markdown, ratio, save, timed
from sfumato import table as private_table
from sfumato.learning.kmeans.points.rows import RowPoints
from sfumato.learning.kmeans.space import Ball, space_of

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 100_000_000
DIMENSIONS, CENTRES, LEVEL = 8, 8, 10
MEMORY = "1GB"
NOTE = f"""One look each, in a process of its own.

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


def made_and_measured(rows: int) -> None:
    """Make a file of points for the time of its measuring."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "points.parquet"
        make(path, rows)
        main(path)


def main(path: Path | None = None) -> None:
    """Measure a file of points, or one that is made for it, print and save."""
    if path is None:
        made_and_measured(ROWS)
        return
    rows = read_metadata(path).num_rows
    load = os.getloadavg()[0]
    found = {look: alone(look, path) for look in LOOKS}
    floor = found["bare sum of the columns"]["processor"]
    lines = [["look", "seconds", "processor seconds", "over the bare sum's", "peak MiB"]]
    for look, each in found.items():
        wall, busy, peak = each["seconds"], each["processor"], each["peak"]
        lines.append([look, f"{wall:.3g}", f"{busy:.3g}", ratio(busy, floor), f"{peak:,.0f}"])
    said = (
        f"{rows:,} rows, a file of {path.stat().st_size / 2**20:,.0f} MiB.  Processors: "
        f"{os.cpu_count()}; load when the run began: {load:.1f}."
    )
    command = "python -m benchmarks.kmeans.out_of_core"
    save("kmeans-out-of-core", command, f"{said}\n\n{markdown(lines)}", note=NOTE)


def look_at(look: str, path: Path) -> dict[str, float]:
    """Return the seconds that a look takes, on the wall and of the processors, and the peak."""
    before = time.process_time()
    _, seconds = timed(lambda: LOOKS[look](path))
    return {"seconds": seconds, "processor": time.process_time() - before, "peak": peak_mib()}


if __name__ == "__main__":
    match sys.argv[1:]:
        case [look, path]:
            print(json.dumps(look_at(look, Path(path))))
        case [given] if not given.isdecimal():
            main(Path(given))
        case given:
            made_and_measured(int(*given) or ROWS)
