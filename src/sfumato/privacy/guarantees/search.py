"""The least value of a function, as far as a search in floats finds it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["least_value"]

_GOLDEN = (math.sqrt(5) - 1) / 2
_STEPS = 40


def least_value(function: Callable[[float], float], grid: Sequence[float]) -> float:
    """Return the least value met on a grid, and by golden sections around its best point.

    It serves where every point gives a valid bound, and the search decides only how tight.
    """
    values = [function(point) for point in grid]
    best = values.index(min(values))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    return min(values[best], _by_golden_sections(function, low, high))


def _by_golden_sections(function: Callable[[float], float], low: float, high: float) -> float:
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    least = min(at_left, at_right)
    for _ in range(_STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = function(right)
        least = min(least, at_left, at_right)
    return least
