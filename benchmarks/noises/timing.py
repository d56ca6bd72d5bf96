"""How long one draw takes: the best of a few vectors, and the median of single releases."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

from benchmarks.measure import timed, undisturbed

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3
#: How long a vector is drawn, about, and its least and greatest length.
SECONDS, SHORTEST, LONGEST = 0.3, 100, 100_000
SINGLES = 301


def seconds_a_draw(draw: Callable[[int], Any]) -> float:
    """Return the least seconds a draw, over vectors that take about as long for everyone."""
    started = timed(lambda: draw(SHORTEST))[1]
    length = min(max(int(SHORTEST * SECONDS / started), SHORTEST), LONGEST)
    return min(undisturbed(lambda: draw(length))[1] for _ in range(ROUNDS)) / length


def median_seconds(run: Callable[[], Any], calls: int = SINGLES) -> float:
    """Return the median time of a call, after one that is not counted."""
    run()
    return statistics.median(timed(run)[1] for _ in range(calls))
