"""Private k-means without privacy, in plain Python: what the tests compare with."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.points.grid import person_weights
from sfumato.learning.kmeans.space import space_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.space import Ball, GridBox

    Point = Sequence[int]

#: Values in, on and beyond the bounds -1 and 1, and what is none.
VALUES = [-1.0, -0.75, -0.5, -0.1, -0.0, 0.0, 0.3, 0.5, 1.0, 5.0, -1e308, np.inf, -np.inf, nan]


def box(dimensions: int, *, reach: int = 1) -> GridBox:
    """The box from -1 to 1."""
    return space_of(-np.ones(dimensions), np.ones(dimensions), reach=reach)


def points_of(
    rows: Sequence[Sequence[float]], space: GridBox, people: Any = None, limit: int = 1
) -> ArrayPoints:
    """Points of a small table, and of whom they are where that is told."""
    values = np.array(rows, dtype=np.float64).reshape(-1, space.dimensions)
    weights = None if people is None else person_weights(np.array(people, dtype=object), limit)
    return ArrayPoints(space, space.whole(values), weights)


def nearest(point: Point, centres: Sequence[Point]) -> int:
    """The first of the nearest centres."""
    apart = [sum((x - c) ** 2 for x, c in zip(point, each, strict=True)) for each in centres]
    return apart.index(min(apart))


def pulled(distance: Point, ball: Ball) -> list[int]:
    """A distance, pulled into a ball as the ball's description has it."""
    squares = sum(each**2 for each in distance)
    norm = sum(map(abs, distance)) if ball.norm == "l1" else isqrt(squares) + 1
    if norm <= ball.radius:
        return list(distance)
    share = ball.radius * 65536 // norm
    return [(1 if each >= 0 else -1) * (abs(each) * share // 65536) for each in distance]


def totals(
    points: ArrayPoints, centres: NDArray[np.int64], ball: Ball | None
) -> tuple[list[int], list[list[int]]]:
    """Counts and sums, one point after another."""
    places = centres.tolist()
    counts, sums = [0] * len(places), [[0] * points.space.dimensions for _ in places]
    rows = points.steps.astype(np.int64).tolist()
    weights = [1] * len(rows) if points.weights is None else points.weights.astype(int).tolist()
    for row, weight in zip(rows, weights, strict=True):
        at = nearest(row, places)
        distance = [x - c for x, c in zip(row, places[at], strict=True)]
        added = row if ball is None else pulled(distance, ball)
        counts[at] += weight
        sums[at] = [old + weight * new for old, new in zip(sums[at], added, strict=True)]
    return counts, sums


def cell_of(point: Point, level: int, space: GridBox) -> tuple[tuple[Fraction, Fraction], ...]:
    """The cell that a point lies in: the box, halved in turns."""
    sides = [(Fraction(-space.unit), Fraction(space.unit)) for _ in point]
    for turn in range(level):
        at = turn % len(point)
        low, high = sides[at]
        middle = (low + high) / 2
        sides[at] = (low, middle) if point[at] < middle else (middle, high)
    return tuple(sides)
