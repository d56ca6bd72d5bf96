"""Uniques of a population from those of a simple random sample, class size by class size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.risk.exposure.cells import Sizes

    Floats = NDArray[np.float64]
else:
    Floats = Any

__all__ = ["zayatz_uniques"]


def zayatz_uniques(sizes: Sizes, population: int) -> float:
    """Return how many people of a population are unique, after Zayatz :cite:p:`zayatz1991`.

    The classes of the population are taken to have sizes as those of the sample.  A class of j
    people shows one row in the sample with the hypergeometric probability h(j), and so a row that
    is unique in the sample is so in the population with probability f1 h(1) / Σ fj h(j).

    Parameters
    ----------
    sizes
        How many classes of the sample have each size.
    population
        How many people there are; any whole number.
    """
    rows = sum(size * count for size, count in sizes.items())
    counts = np.array(list(sizes.values()), dtype=np.float64)
    once = counts * _seen_once(np.array(list(sizes)), rows, population)
    unique = sizes.get(1, 0)
    return float(unique * once[0] / once.sum() * (population / rows)) if unique else 0.0


def _seen_once(sizes: NDArray[np.int64], rows: int, population: int) -> Floats:
    """Return the probability that a class of each size shows exactly one row in the sample.

    It is j (n / N) times the product over i = 0 ... j - 2 of (N - n - i) / (N - 1 - i): no
    factorials, which would lose every digit above 2^31 people.
    """
    step = np.arange(int(sizes.max()) - 1, dtype=np.float64)
    outside = np.maximum(population - rows - step, 0.0)
    with np.errstate(divide="ignore"):
        logs = np.concatenate([[0.0], np.cumsum(np.log(outside / (population - 1 - step)))])
    chances: Floats = sizes * (rows / population) * np.exp(logs[sizes - 1])
    return chances
