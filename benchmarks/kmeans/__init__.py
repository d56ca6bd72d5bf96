"""Private k-means: how near its centres are to points, and how long that takes, beside peers.

diffprivlib answers in an interpreter of its own, with scikit-learn 1.6.1 beside it:
`SFUMATO_PEERS=FOLDER/bin/python python -m benchmarks kmeans`.
"""

from __future__ import annotations


def main() -> None:
    """Measure, print and save; a peer, which imports this package too, has no library of ours."""
    from benchmarks.kmeans.speed import main as race
    from benchmarks.kmeans.utility import main as compare

    compare()
    race()
