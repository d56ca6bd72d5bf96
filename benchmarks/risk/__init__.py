"""Risk: k, l and t of tables of people, and a coarser table, beside a bare GROUP BY and peers.

Peers answer in interpreters of their own (pycanon with pyarrow beside it, to read Parquet):
`SFUMATO_PEERS=FOLDER/bin/python python -m benchmarks risk`.
"""

from __future__ import annotations


def main() -> None:
    """Measure, print and save; a peer, which imports this package too, has no library of ours."""
    from benchmarks.measure import save
    from benchmarks.risk.exposure import measured
    from benchmarks.risk.generalising import main as generalise

    save("risk", "python -m benchmarks risk", measured())
    generalise()
