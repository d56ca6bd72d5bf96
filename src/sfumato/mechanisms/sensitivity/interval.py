"""The floats between two ends, with those among them that break careless arithmetic."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.mechanisms.sensitivity.rows import Domain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

__all__ = ["Interval"]


@dataclass(frozen=True)
class Interval(Domain):
    """The floats between two ends."""

    lower: float
    upper: float

    @property
    def size(self) -> None:
        """None: there is no list of all."""

    @property
    def corners(self) -> tuple[float, ...]:
        """The two ends."""
        return tuple(dict.fromkeys((self.lower, self.upper)))

    def landmarks(self) -> Iterator[float]:
        """Go through the ends, their neighbours, and magnitudes of every kind."""
        tried = (*self.corners, *_inner_ends(self.lower, self.upper), *_MAGNITUDES)
        return iter(dict.fromkeys(each for each in tried if self.lower <= each <= self.upper))

    def draw(self, random: Random) -> float:
        """Return a landmark, an even draw, one even in magnitude, or a short decimal."""
        kind = random.randrange(4)
        if kind == 0:
            return random.choice(list(self.landmarks()))
        if kind == 1:
            return self._clip(random.choice((-1, 1)) * 2.0 ** random.uniform(-60, 60))
        even = self._between(random.random())
        return even if kind == 2 else self._clip(round(even, random.randrange(3)))

    def nudge(self, row: float, random: Random) -> float:
        """Return the next float, one at some distance of any magnitude, or a fresh draw."""
        kind = random.randrange(4)
        if kind == 0:
            return self._clip(math.nextafter(row, random.choice((-math.inf, math.inf))))
        if kind == 1:
            return self.draw(random)
        share = random.choice((-1, 1)) * 2.0 ** random.uniform(-30, 0)
        return self._clip(row + share * (self.upper / 2 - self.lower / 2))

    def _between(self, share: float) -> float:
        return self._clip(self.lower * (1 - share) + self.upper * share)

    def _clip(self, value: float) -> float:
        return min(max(value, self.lower), self.upper)


def _inner_ends(lower: float, upper: float) -> tuple[float, ...]:
    return (
        math.nextafter(lower, math.inf),
        math.nextafter(upper, -math.inf),
        lower / 2 + upper / 2,
        lower / 2,
        upper / 2,
        upper / 3,
    )


#: Zero, the smallest and the greatest floats, and where whole numbers and sums lose bits.
_MAGNITUDES = tuple(
    sign * size
    for size in (
        *(0.0, 1.0, 0.1, 0.3, 0.7, 1 / 3, 2.0, 10.0, 100.0),
        *(5e-324, sys.float_info.min, 1e-20, 2.0**-53, 1e-10),
        *(1e10, 2.0**53, 2.0**63, 1e100, sys.float_info.max),
    )
    for sign in (1, -1)
)
