"""The least level at which the hockey-stick divergence is at most a given probability."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import float_below

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["least_level"]

_GREATEST_LEVEL = 4096.0
_RELATIVE_WIDTH = 1e-13


class _Search:
    """The greatest level shown not to lie above the threshold, and the least not below.

    No excess is below ``1 - exp(level)``, so that ``log(1 - delta)`` is a bound to start with.
    """

    def __init__(self, excess: Callable[[arb], arb], delta: arb) -> None:
        self.excess, self.delta = excess, delta
        self.below, self.above = float_below((-delta).log1p()), math.inf

    def look(self, level: float) -> bool:
        """Move a bound to the level, or say that the level is not decided."""
        ball = self.excess(arb(level))
        if ball > self.delta:
            self.below = max(self.below, level)
        elif ball <= self.delta:
            self.above = min(self.above, level)
        return self.below == level or self.above == level

    def enclose(self) -> None:
        """Walk up until there is a bound above, or the level is out of range."""
        level = 1.0
        while self.above == math.inf and level <= _GREATEST_LEVEL:
            self.look(level)
            level = 2 * level

    def narrow(self) -> None:
        """Halve the bracket; from a level that is not decided on, each of its sides alone."""
        width = _RELATIVE_WIDTH * max(1.0, abs(self.above))
        while self.above - self.below > width:
            middle = self.below / 2 + self.above / 2
            if not self.look(middle):
                self.lower_the_upper(middle, width)
                self.raise_the_lower(middle, width)
                break

    def lower_the_upper(self, undecided: float, width: float) -> None:
        while self.above - undecided > width:
            middle = undecided / 2 + self.above / 2
            self.look(middle)
            undecided = undecided if self.above == middle else middle

    def raise_the_lower(self, undecided: float, width: float) -> None:
        while undecided - self.below > width:
            middle = self.below / 2 + undecided / 2
            self.look(middle)
            undecided = undecided if self.below == middle else middle


def least_level(excess: Callable[[arb], arb], delta: arb) -> tuple[arb, arb]:
    """Return a lower and an upper bound of ``inf {level : excess(level) <= delta}``.

    ``excess`` falls as the level rises; its limit at infinity is the mass no level removes.
    The upper bound is infinite where no level up to 4096 is shown to be one.
    """
    if delta >= 1:
        return arb.neg_inf(), arb.neg_inf()
    if excess(arb.pos_inf()) > delta:
        return arb.pos_inf(), arb.pos_inf()
    search = _Search(excess, delta)
    search.enclose()
    if math.isfinite(search.below) and math.isfinite(search.above):
        search.narrow()
    elif math.isfinite(search.below):
        search.raise_the_lower(_GREATEST_LEVEL, _RELATIVE_WIDTH * _GREATEST_LEVEL)
    return arb(search.below), arb(search.above)
