"""The entropy of five columns of a ten-million-row Parquet file: ours, and the bare GROUP BY.

Both run on DuckDB, each from opening the file to the result.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.measure import save, side_by_side, table
from sfumato.application import measure_entropy

ROWS = 10_000_000
COLUMNS = ("age", "sex", "zip", "smoker", "diagnosis")
MAKE = """
    COPY (
        SELECT
            20 + (random() * random() * 70)::INT AS age,
            CASE WHEN random() < 0.5 THEN 'F' ELSE 'M' END AS sex,
            '1901' || lpad((random() * 49)::INT::VARCHAR, 2, '0') AS zip,
            random() < 0.25 AS smoker,
            'diagnosis ' || (random() * random() * 20)::INT AS diagnosis
        FROM range({rows})
    ) TO '{path}' (FORMAT parquet)
"""


def bare_group_by(path: Path) -> Any:
    """Count the combinations with DuckDB alone, and bring the counts over."""
    with duckdb.connect() as connection:
        relation = connection.read_parquet(str(path))
        return relation.aggregate("count(*) AS n", ", ".join(COLUMNS)).fetchnumpy()["n"]


def main() -> None:
    """Measure, print and save."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        with duckdb.connect() as connection:
            connection.execute("SELECT setseed(0.5)")
            connection.execute(MAKE.format(rows=ROWS, path=path))
        contestants = {
            "sfumato": lambda: measure_entropy(path, columns=COLUMNS),
            "bare GROUP BY": lambda: bare_group_by(path),
        }
        row = side_by_side(f"entropy of {len(COLUMNS)} columns, {ROWS:,} rows", contestants)
    text = table([row], ours="sfumato", others=["bare GROUP BY"])
    save("columns", "python -m benchmarks columns", text)
