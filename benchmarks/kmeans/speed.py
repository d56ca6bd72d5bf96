"""A fit of a million points: `python -m benchmarks.kmeans.speed`.

The textbook's algorithm and scikit-learn's both take ten rounds of Lloyd's from centres drawn at
random; what is chosen for so many points takes fewer, and cells first.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.kmeans.asking import PEER, ask, label
from benchmarks.measure import markdown, milliseconds, ratio, save, side_by_side
from sfumato.learning.kmeans.estimator import KMeans

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

ROWS, DIMENSIONS, CENTRES, ROUNDS = 1_000_000, 8, 8, 10
EPSILON, SPREAD, TIMES, SEEDS = 1, 0.2, 9, 2
PLAIN, LLOYD, AUTO = "scikit-learn", "lloyd", "auto"
#: The most time of the textbook's algorithm over scikit-learn's.
TARGET = 1.3
NOTE = (
    f"{ROWS:,} points of {DIMENSIONS} coordinates, {CENTRES} centres; the best of {TIMES}, in "
    "turns. Below 1 is faster than scikit-learn."
)
SAID = f"""\
`lloyd` and {PLAIN} take {ROUNDS} rounds from centres drawn at random, scikit-learn without privacy;
`auto` takes what is best for so many points.
{{peer}} chooses its rounds (7 at most); the best of {SEEDS} in a process of its own.
"""


def made() -> Reals:
    """Return points around as many centres as are asked for, cut to [-1, 1]."""
    random = np.random.default_rng(0)
    centres = random.uniform(-1, 1, (CENTRES, DIMENSIONS))
    around = SPREAD * random.standard_normal((ROWS, DIMENSIONS))
    return np.clip(centres[random.integers(CENTRES, size=ROWS)] + around, -1, 1)


def contestants(points: Reals) -> dict[str, Callable[[], Any]]:
    """Return what takes turns in this interpreter."""
    from sklearn.cluster import KMeans as Plain

    start = np.random.default_rng(1).uniform(-1, 1, (CENTRES, DIMENSIONS))
    told: dict[str, Any] = {"n_clusters": CENTRES, "epsilon": EPSILON, "bounds": (-1, 1)}
    plain = Plain(CENTRES, init=start, n_init=1, max_iter=ROUNDS, tol=0, algorithm="lloyd")
    return {
        PLAIN: lambda: plain.fit(points),
        LLOYD: lambda: KMeans(**told, method="lloyd", rounds=ROUNDS).fit(points),
        AUTO: lambda: KMeans(**told, size=ROWS).fit(points),
    }


def processors(run: Callable[[], Any]) -> tuple[Any, float]:
    """Return a result and the seconds that all processors spent on it together."""
    started = time.process_time()
    result = run()
    return result, time.process_time() - started


def lines(points: Reals) -> list[list[str]]:
    """Return the lines of the table; of the peer, which has its own process, the wall clock's."""
    runs = contestants(points)
    wall = side_by_side("a fit", runs, rounds=TIMES).seconds
    busy = side_by_side("a fit", runs, rounds=TIMES, clock=processors).seconds
    answer = ask(points, CENTRES, [EPSILON], seeds=SEEDS)
    if answer is not None:
        wall[PEER] = answer.seconds
    header = ["a fit", "ms", f"/ {PLAIN}", "target", "ms of processors", f"/ {PLAIN}"]
    return [header, *(_line(name, wall, busy) for name in wall)]


def _line(name: str, wall: Mapping[str, float], busy: Mapping[str, float]) -> list[str]:
    target = f"≤ {TARGET:g}" if name == LLOYD else "–"
    timed = [milliseconds(wall[name]), ratio(wall[name], wall[PLAIN]), target]
    if name not in busy:
        return [name, *timed, "–", "–"]
    return [name, *timed, milliseconds(busy[name]), ratio(busy[name], busy[PLAIN])]


def main() -> None:
    """Measure, print and save."""
    load = f"Processors: {os.cpu_count()}; load when the run began: {os.getloadavg()[0]:.1f}.\n"
    table = markdown(lines(made()))
    text = f"{SAID.format(peer=label())}{load}\n{table}"
    save("kmeans-speed", "SFUMATO_PEERS=PYTHON python -m benchmarks kmeans", text, note=NOTE)


if __name__ == "__main__":
    main()
