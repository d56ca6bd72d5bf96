"""Risk: k, l and t of tables of people, ours beside the bare GROUP BY and beside pycanon.

pycanon answers in an interpreter of its own, with pyarrow beside it to read Parquet:
`SFUMATO_PEERS=FOLDER/bin/python python -m benchmarks risk`.
"""

from __future__ import annotations


def main() -> None:
    """Measure, print and save; the peer, which imports this package too, has no library of ours."""
    from benchmarks.measure import save
    from benchmarks.risk.exposure import measured

    save("risk", "python -m benchmarks risk", measured())
