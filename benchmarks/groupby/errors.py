"""How far an answer is from the truth."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    Figures = Mapping[int, tuple[float, float, float]]

#: What a figure that is not given is off by.
ALL = 1.0


def median_errors(answer: Figures, truth: Figures) -> list[float]:
    """Return the median over groups of the relative error of count, sum and mean.

    A group that is not shown, and a figure that is no number, is off by all of it.
    """
    return [
        statistics.median(_error(answer.get(group), true, place) for group, true in truth.items())
        for place in range(3)
    ]


def _error(
    given: tuple[float, float, float] | None, true: tuple[float, float, float], place: int
) -> float:
    if given is None or not math.isfinite(given[place]):
        return ALL
    return abs(given[place] - true[place]) / true[place]
