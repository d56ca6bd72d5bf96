"""Asking diffprivlib, in an interpreter of its own."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.interpreters import interpreters, run, version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

PEER = "diffprivlib"
LIMIT = 1800


@dataclass(frozen=True)
class Answer:
    """Its centres, by ε and seed, and the seconds of the fastest fit."""

    centres: Mapping[float, Sequence[Reals]]
    seconds: float


def label() -> str:
    """Return the peer's name and version."""
    return f"{PEER} {_place()[1] or 'is not installed'}"


def ask(points: Reals, clusters: int, epsilons: Sequence[float], *, seeds: int) -> Answer | None:
    """Return what it finds, or None where no interpreter has it."""
    place, _ = _place()
    if not place:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "points.npy"
        np.save(path, points)
        told = [str(path), str(clusters), str(seeds), *map(str, epsilons)]
        done = run(place, "-m", "benchmarks.kmeans.diffprivlib_peer", *told, limit=LIMIT)
    if done.returncode:
        sys.exit(f"{PEER} did not answer: {done.stderr.strip().splitlines()[-1]}")
    answer = json.loads(done.stdout)
    centres = {float(e): [np.array(each) for each in row] for e, row in answer["centres"].items()}
    return Answer(centres, answer["seconds"])


@cache
def _place() -> tuple[str, str]:
    """Return the first interpreter that has it, and the version; one named comes first."""
    found = ((place, version(PEER, place)) for place in reversed(interpreters()))
    return next(((place, each) for place, each in found if each), ("", ""))
