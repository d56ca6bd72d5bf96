"""Ours against the bare bounded aggregate on each engine, and how long planning takes."""

from __future__ import annotations

from benchmarks.engines.planning import planning_times
from benchmarks.engines.race import race
from benchmarks.measure import save

ROWS = 3_000_000


def main(rows: int = ROWS) -> None:
    """Race on every engine, plan every question of the corpus, and keep the results."""
    text = f"{rows:,} rows of {rows // 10:,} people in 100 groups.\n\n{race(rows)}\n"
    save("engines", "python -m benchmarks engines", f"{text}{planning_times()}")
