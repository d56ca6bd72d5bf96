"""The points that are clustered, each coordinate scaled to [-1, 1], and what is known of them.

The references were computed apart from this project: at each ε the best of five earlier methods,
each made anew from the paper that describes it, and of the libraries diffprivlib and Google's.  S1
and the numbers of Adult are read from a folder; the others come with scikit-learn.
"""

from __future__ import annotations

import gzip
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.interpreters import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

DEFAULT = ROOT.parent / "shared" / "data"


@dataclass(frozen=True, eq=False)
class Cloud:
    """Points, how many centres they want, and the best reference at each ε."""

    name: str
    points: Reals
    clusters: int
    references: Mapping[float, float] = field(default_factory=dict)

    def __str__(self) -> str:
        rows, dimensions = self.points.shape
        return f"{self.name} ({rows:,} × {dimensions}, k = {self.clusters})"

    @property
    def radius(self) -> float:
        """The radius of the least L1 ball around 0 that holds the points."""
        return float(np.abs(self.points).sum(axis=1).max())

    def cost(self, centres: Reals) -> float:
        """Return the mean square distance of points from the nearest centre."""
        least = np.full(len(self.points), np.inf)
        for centre in centres:
            np.minimum(least, ((self.points - centre) ** 2).sum(axis=1), out=least)
        return float(least.mean())


def clouds(folder: Path = DEFAULT) -> Iterator[Cloud]:
    """Yield all points."""
    s1 = {0.1: 0.0207, 0.5: 0.00881, 1: 0.00889, 2: 0.00826}
    adult = {0.05: 0.3108, 0.1: 0.2877, 0.5: 0.2436, 1: 0.2233}
    yield Cloud("S1", _scaled(_read(folder / "s1.data.gz")), 15, s1)
    yield Cloud("Adult", _scaled(_read(folder / "adult-num.txt.gz")), 5, adult)
    yield Cloud("digits", _scaled(_digits()), 10)
    yield Cloud("blobs", _scaled(_blobs()), 8)


def _scaled(points: Reals) -> Reals:
    low, high = points.min(axis=0), points.max(axis=0)
    scaled: Reals = (points - low) / (high - low) * 2 - 1
    return scaled


def _read(path: Path) -> Reals:
    if not path.is_file():
        sys.exit(f"there is no {path.name} in {path.parent}")
    with gzip.open(path, "rt") as lines:
        return np.loadtxt(lines)


def _digits() -> Reals:
    from sklearn.datasets import load_digits
    from sklearn.decomposition import PCA

    found: Reals = PCA(8, random_state=0).fit_transform(load_digits().data)
    return found


def _blobs() -> Reals:
    from sklearn.datasets import make_blobs

    found: Reals = make_blobs(10_000, 4, centers=8, random_state=0)[0]
    return found
