"""Two clocks: the wall's, and that of the processors, which stands while others have their turn."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True)
class Times:
    """Seconds on the wall and of the processors."""

    wall: float
    busy: float

    def __add__(self, other: Times) -> Times:
        return Times(self.wall + other.wall, self.busy + other.busy)


def least(times: Iterable[tuple[float, float]]) -> Times:
    """Return the least of several times, by each clock."""
    walls, busy = zip(*times, strict=True)
    return Times(min(walls), min(busy))


def clocked(action: Callable[[], Any], *, rounds: int) -> Times:
    """Return the least times of several rounds."""
    return least(once(action)[1] for _ in range(rounds))


def once(action: Callable[[], Any]) -> tuple[Any, tuple[float, float]]:
    """Return a result, and its seconds by both clocks."""
    wall, busy = time.perf_counter(), time.process_time()
    result = action()
    return result, (time.perf_counter() - wall, time.process_time() - busy)
