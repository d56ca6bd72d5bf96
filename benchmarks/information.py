"""Measures of a joint table of a million outcomes: ours, bare numpy, and the package dit.

dit is a peer, not a dependency: `pip install dit` adds its column.  Every contestant starts from
the same arrays.  dit builds a distribution first, which takes over a minute for a million
outcomes; its divergence of two of them would take hours, and is measured on ten thousand only.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.measure import Row, save, side_by_side, table, timed
from sfumato.information import (
    conditional_entropy,
    entropy,
    kl_divergence,
    mutual_information,
    renyi_divergence,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Measures = dict[str, Callable[[], Any]]

LARGEST_DIT_DIVERGENCE = 10_000


def ours(p: NDArray[np.float64], q: NDArray[np.float64]) -> Measures:
    """Return our measures of a joint table, and of two of them."""
    return {
        "entropy": partial(entropy, p),
        "conditional entropy": partial(conditional_entropy, p, given=1),
        "mutual information": partial(mutual_information, p),
        "KL divergence": partial(kl_divergence, p, q),
        "Rényi entropy 2": partial(entropy, p, order=2),
        "Rényi divergence 2": partial(renyi_divergence, p, q, order=2),
    }


def bare(p: NDArray[np.float64], q: NDArray[np.float64]) -> Measures:
    """Return the bare numpy expressions: no checks, no zeros, no limits."""

    def uncertainty(weights: NDArray[np.float64]) -> Any:
        return -(weights * np.log2(weights)).sum()

    return {
        "entropy": partial(uncertainty, p),
        "conditional entropy": lambda: uncertainty(p) - uncertainty(p.sum(axis=0)),
        "mutual information": lambda: (
            uncertainty(p.sum(axis=0)) + uncertainty(p.sum(axis=1)) - uncertainty(p)
        ),
        "KL divergence": lambda: float((p * np.log(p / q)).sum()),
        "Rényi entropy 2": lambda: -np.log2((p * p).sum()),
        "Rényi divergence 2": lambda: np.log((p * p / q).sum()),
    }


def dit_seconds(p: NDArray[np.float64], q: NDArray[np.float64]) -> dict[str, float]:
    """Return what dit takes from the same arrays to each measure; empty where it is missing."""
    try:
        peer = import_module("dit")
        divergences, other = import_module("dit.divergences"), import_module("dit.other")
    except ImportError:
        return {}
    outcomes = [(str(i), str(j)) for i, j in np.ndindex(*p.shape)]
    left, building = timed(lambda: peer.Distribution(outcomes, p.ravel()))
    measures: Measures = {
        "entropy": lambda: peer.shannon.entropy(left),
        "conditional entropy": lambda: peer.shannon.conditional_entropy(left, [0], [1]),
        "mutual information": lambda: peer.shannon.mutual_information(left, [0], [1]),
        "Rényi entropy 2": lambda: other.renyi_entropy(left, 2),
    }
    if p.size <= LARGEST_DIT_DIVERGENCE:
        right = peer.Distribution(outcomes, q.ravel())
        measures["KL divergence"] = lambda: divergences.kullback_leibler_divergence(left, right)
    return {task: building + timed(run)[1] for task, run in measures.items()}


def compare(side: int) -> list[Row]:
    """Measure every task on two random tables of side × side outcomes."""
    rng = np.random.default_rng(1)
    p, q = (each / each.sum() for each in rng.random((2, side, side)))
    mine, floor, peer = ours(p, q), bare(p, q), dit_seconds(p, q)
    rows = []
    for task, run in mine.items():
        np.testing.assert_allclose(run(), floor[task]())
        contestants = {"sfumato": run, "numpy": floor[task]}
        row = side_by_side(f"{task}, {side * side:,} outcomes", contestants)
        row.seconds |= {"dit": peer[task]} if task in peer else {}
        rows.append(row)
    return rows


def main() -> None:
    """Measure, print and save."""
    rows = [*compare(1000), *compare(100)]
    text = table(rows, ours="sfumato", others=["numpy", "dit"])
    save("information", "python -m benchmarks information", text)
