"""Private group-by: ours beside the floor, and beside OpenDP, SmartNoise, PipelineDP and Tumult.

The peers answer in interpreters of their own, which one command makes and names:
`SFUMATO_PEERS=$(python -m benchmarks.groupby.environments FOLDER) python -m benchmarks groupby`.
`python -m benchmarks.groupby --rows 1000000` is a short run, which is printed and not kept.
"""

from __future__ import annotations


def main() -> None:
    """Measure, print and save; peers, which import this package too, have none of its libraries."""
    from benchmarks.groupby.contest import full_run

    full_run()
