"""The sparse vector technique: the variants of Lyu, Su and Li 2017, figure 1.

Queries have sensitivity 1 and the threshold is 0.  A table stands for the answers of the queries on
it: between neighbours each moves by at most 1.  An output says of each query whether it was above
(1) or below (0), or that it was not reached any more (-1).
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.privacy import Substitute
from tests.audit.zoo.animal import Animal, Sign, WrongAnimal
from tests.audit.zoo.noise import laplace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Queries = Sequence[float]

__all__ = ["ANIMALS", "RIGHT"]

PAPER = "Lyu, Su, Li 2017, arXiv 1603.01699, algorithm {}"
NO_LIMIT = 1_000_000
UNREACHED = -1


def sparse(
    generator: np.random.Generator,
    table: Queries,
    n: int,
    *,
    threshold_scale: float,
    query_scale: float,
    positives: int = NO_LIMIT,
) -> NDArray[Any]:
    """Compare each query with one noisy threshold; scale 0 is no noise."""
    threshold = generator.laplace(scale=threshold_scale, size=(n, 1))
    above = laplace(generator, table, query_scale, n) >= threshold
    return np.where(is_reached(above, positives), above, UNREACHED)


def refreshed(
    generator: np.random.Generator, table: Queries, n: int, *, epsilon: float, positives: int
) -> NDArray[Any]:
    """Algorithm 2, of Dwork and Roth: the threshold is drawn anew after a positive answer."""
    threshold_scale, query_scale = 2 * positives / epsilon, 4 * positives / epsilon
    noisy = laplace(generator, table, query_scale, n)
    threshold = generator.laplace(scale=threshold_scale, size=n)
    above = np.empty(noisy.shape, dtype=bool)
    for at in range(len(table)):
        above[:, at] = noisy[:, at] >= threshold
        fresh = generator.laplace(scale=threshold_scale, size=n)
        threshold = np.where(above[:, at], fresh, threshold)
    return np.where(is_reached(above, positives), above, UNREACHED)


def with_numbers(
    generator: np.random.Generator,
    table: Queries,
    n: int,
    *,
    scales: tuple[float, float],
    fresh_scale: float | None,
) -> NDArray[Any]:
    """Answer the first query above the threshold by a number; NaN stands for no number.

    The number is the one that was compared, or has noise of its own.
    """
    threshold = generator.laplace(scale=scales[0], size=(n, 1))
    noisy = laplace(generator, table, scales[1], n)
    above = noisy >= threshold
    numbers = noisy if fresh_scale is None else laplace(generator, table, fresh_scale, n)
    return np.where(above & is_reached(above, 1), numbers, np.nan)


def is_reached(above: NDArray[Any], positives: int) -> NDArray[Any]:
    """Whether there were fewer positive answers than so many before."""
    return np.asarray(np.cumsum(above, axis=1) - above < positives)


def right(*, epsilon: float, positives: int) -> Any:
    """Algorithm 1: half of ε for the threshold, half for the positive answers."""
    return partial(
        sparse,
        threshold_scale=2 / epsilon,
        query_scale=4 * positives / epsilon,
        positives=positives,
    )


def chance(
    pattern: Queries, table: Queries, *, threshold_scale: float, query_scale: float
) -> float:
    """Return the probability of a pattern of answers, by an integral over the threshold."""
    at = np.linspace(-60, 60, 240_001)
    density = np.exp(-np.abs(at) / threshold_scale) / (2 * threshold_scale)
    for answer, value in zip(pattern, table, strict=True):
        below = laplace_cdf(at - value, query_scale)
        density = density * (1 - below if answer else below)
    return float(np.trapezoid(density, at))


def laplace_cdf(at: NDArray[Any], scale: float) -> NDArray[Any]:
    tail = np.exp(-np.abs(at) / scale) / 2
    return np.asarray(np.where(at < 0, tail, 1 - tail))


def number_chance(table: Queries, bound: float) -> float:
    """Return the probability that all queries but the last are below, and it is at most a bound.

    All noises have scale 1.  The last is compared with the threshold, and its number is shown.
    """
    *others, last = table
    at = np.linspace(-40, bound, 80_001)
    density = np.exp(-np.abs(at)) / 2
    for value in others:
        density = density * laplace_cdf(at - value, 1)
    shown = laplace_cdf(np.array(bound - last), 1) - laplace_cdf(at - last, 1)
    return float(np.trapezoid(density * shown, at))


def algorithm_3() -> WrongAnimal:
    low, high = (-0.5,) * 5 + (1,), (0.5,) * 5 + (2,)
    return WrongAnimal(
        name="sparse vector that shows the compared number (algorithm 3)",
        draw=partial(with_numbers, scales=(1, 1), fresh_scale=None),
        mended=partial(with_numbers, scales=(3 / 2, 3), fresh_scale=3 / 2),
        d0=low,
        d1=high,
        epsilon=2,
        relation=Substitute(),
        fault="the noisy answer that was compared is shown, and bounds the noisy threshold",
        source=PAPER.format("3 (Roth 2011)"),
        sign=Sign(
            "the last is a number, and at most 1",
            number_chance(low, 1),
            number_chance(high, 1),
            lambda x: x[:, -1] <= 1,
        ),
        samples=150_000,
    )


def algorithm_4() -> WrongAnimal:
    scales: dict[str, Any] = {"threshold_scale": 4, "query_scale": 4 / 3}
    pattern, far, near = (0,) * 3 + (1,) * 3, (-1,) * 3 + (1,) * 3, (0,) * 6
    return WrongAnimal(
        name="sparse vector whose noise ignores the count (algorithm 4)",
        draw=partial(sparse, **scales, positives=3),
        mended=right(epsilon=1, positives=3),
        d0=far,
        d1=near,
        relation=Substitute(),
        fault="the noise of the queries does not grow with c: it keeps (1 + 6c)/4 ε only",
        source=PAPER.format("4 (Lee and Clifton 2014)"),
        sign=Sign(
            "below three times, then above",
            chance(pattern, far, **scales),
            chance(pattern, near, **scales),
            lambda x: np.all(x == pattern, axis=1),
        ),
        samples=200_000,
    )


def algorithm_5() -> WrongAnimal:
    return WrongAnimal(
        name="sparse vector without noise on the queries (algorithm 5)",
        draw=partial(sparse, threshold_scale=2, query_scale=0),
        mended=right(epsilon=1, positives=2),
        d0=(0, 1),
        d1=(1, 0),
        relation=Substitute(),
        fault="queries have no noise, so they show their order",
        source=PAPER.format("5 (Stoddard et al. 2014)"),
        sign=Sign(
            "below, then above",
            (1 - math.exp(-1 / 2)) / 2,
            0,
            lambda x: np.all(x == (0, 1), axis=1),
        ),
        samples=10_000,
    )


def algorithm_6() -> WrongAnimal:
    scales: dict[str, Any] = {"threshold_scale": 2, "query_scale": 2}
    pattern, far, near = (0,) * 4 + (1,) * 4, (-1,) * 4 + (1,) * 4, (0,) * 8
    return WrongAnimal(
        name="sparse vector without an end (algorithm 6)",
        draw=partial(sparse, **scales),
        mended=right(epsilon=1, positives=4),
        d0=far,
        d1=near,
        relation=Substitute(),
        fault="positive answers are not counted, and never end it",
        source=PAPER.format("6 (Chen et al. 2015)"),
        sign=Sign(
            "below four times, then above",
            chance(pattern, far, **scales),
            chance(pattern, near, **scales),
            lambda x: np.all(x == pattern, axis=1),
        ),
        samples=200_000,
    )


ANIMALS = (algorithm_3(), algorithm_4(), algorithm_5(), algorithm_6())
RIGHT = (
    Animal(
        name="sparse vector of Dwork and Roth (algorithm 2)",
        draw=partial(refreshed, epsilon=1, positives=2),
        d0=(-1, -1, 1, 1),
        d1=(0, 0, 0, 0),
        relation=Substitute(),
    ),
)
