"""The whole contest: races over three sizes with everybody, and a sweep of ours and the floor."""

from __future__ import annotations

import os

from benchmarks.drawing import Panel, picture
from benchmarks.groupby.race import everybody, race, race_table, sizes
from benchmarks.groupby.sweep import lines, sweep, sweep_table
from benchmarks.groupby.task import DELTA, EPSILON, GROUPS, MOST_GROUPS, MOST_ROWS_EACH
from benchmarks.measure import RESULTS, save

ROWS = 10_000_000
COMMAND = (
    "SFUMATO_PEERS=$(python -m benchmarks.groupby.environments FOLDER) python -m benchmarks groupby"
)
NOTES = f"""\
Count, sum and mean of a number between 0 and 100 for {GROUPS} groups, ε = {EPSILON:g} for a person;
where the keys are not known, δ = {DELTA:g}.  A person has ten rows on average; the r-th of the
people has rows in proportion to r^(-4/5), the r-th of the groups to 1/r.  Declared limits are
{MOST_GROUPS} groups and {MOST_ROWS_EACH} rows in each.

Each contestant reads the same Parquet file in a process of its own, from opening it to the answer,
without imports and the start of Spark.  Ours and the floor take turns, the best of nine; a peer
answers once.  Memory is the peak of the process and those that it started.

An error is the median over groups of the relative error, against all rows: what limits leave out
counts.  A group that is not shown is off by all of it.
"""


def full_run() -> None:
    """Race and sweep, print, and keep the tables and the picture."""
    began = os.getloadavg()[0]
    races = "\n".join(_race(size) for size in sizes(ROWS))
    swept = sweep()
    panels = [
        Panel("seconds", lines(swept, lambda outcome: outcome.seconds)),
        Panel("peak MiB", lines(swept, lambda outcome: outcome.mib)),
    ]
    (RESULTS / "groupby.svg").write_text(picture(panels, across="rows"), encoding="utf-8")
    machine = f"Processors: {os.cpu_count()}; load when the run began: {began:.1f}.\n"
    shown = "![seconds and peak memory against rows](groupby.svg)\n"
    text = "\n".join([NOTES, machine, races, sweep_table(swept), shown])
    save("groupby", COMMAND, text)


def short_run(rows: int) -> None:
    """Race over fewer rows and print the tables."""
    for size in sizes(rows):
        print(_race(size), flush=True)


def _race(rows: int) -> str:
    return race_table(rows, race(rows, everybody(rows)))
