"""diffprivlib: `python -m benchmarks.kmeans.diffprivlib_peer POINTS CLUSTERS SEEDS EPSILON ...`.

It prints the centres by ε and seed, and the seconds of the fastest fit, as JSON.  Its number of
rounds cannot be asked for.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from typing import Any

import numpy as np


def main(points: str, clusters: str, seeds: str, *epsilons: str) -> None:
    """Answer for each ε and seed."""
    values = np.load(points)
    fits = [
        [_fitted(values, int(clusters), float(e), s) for s in range(int(seeds))] for e in epsilons
    ]
    centres = {
        e: [model.tolist() for model, _ in row] for e, row in zip(epsilons, fits, strict=True)
    }
    print(json.dumps({"centres": centres, "seconds": min(took for row in fits for _, took in row)}))


def _fitted(values: Any, clusters: int, epsilon: float, seed: int) -> tuple[Any, float]:
    make = import_module("diffprivlib.models").KMeans
    model = make(clusters, epsilon=epsilon, bounds=(-1, 1), random_state=seed)
    started = time.perf_counter()
    model.fit(values)
    return model.cluster_centers_, time.perf_counter() - started


if __name__ == "__main__":
    main(*sys.argv[1:])
