"""Ours against the bare bounded aggregate on each engine, and how long planning takes."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.engines.held import HOLDERS
from benchmarks.engines.planning import HEADER, planning_times
from benchmarks.engines.race import OTHERS, OURS, race
from benchmarks.groupby.rows import write_rows
from benchmarks.measure import markdown, save, table

SIZES = (1_000_000, 10_000_000)


def main() -> None:
    """Race on every engine, plan every question of the corpus, and keep the results."""
    small, large = map(measured, SIZES)
    save("engines", "python -m benchmarks engines", "\n".join([small[0], *large]))


def measured(rows: int) -> tuple[str, str]:
    """Return two tables: our time on each engine over the bare engine's, and that of planning."""
    raced, planned = [], [HEADER]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.parquet")
        write_rows(path, rows)
        for engine, holder in HOLDERS.items():
            with holder(path) as held:
                raced.append(race(engine, held))
                planned.append(planning_times(engine, held))
    said = f"{rows:,} rows of {rows // 10:,} people in 100 groups: count and sum of each."
    return f"{said}\n\n{table(raced, ours=OURS, others=OTHERS)}", markdown(planned)
