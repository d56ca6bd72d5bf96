"""The least level at which the hockey-stick divergence is at most a given probability."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import bracket_threshold

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["least_level"]

_GREATEST_LEVEL = 4096.0
_RELATIVE_WIDTH = 1e-13


def least_level(excess: Callable[[arb], arb], delta: arb) -> tuple[arb, arb]:
    """Return a lower and an upper bound of ``inf {level : excess(level) <= delta}``.

    ``excess`` falls as the level rises; its limit at infinity is the mass no level removes.
    A bound is infinite where no level between -4096 and 4096 is shown to be one.

    Examples
    --------
    >>> low, high = least_level(lambda level: 1 / (1 + level.exp()), arb(0.5))
    >>> low <= 0 <= high
    True
    """
    if delta >= 1:
        return arb.neg_inf(), arb.neg_inf()
    if excess(arb.pos_inf()) > delta:
        return arb.pos_inf(), arb.pos_inf()
    sure = _level_below(excess, delta)
    low, high = sure, 1.0
    while high < _GREATEST_LEVEL and not excess(arb(high)) <= delta:
        low, high = high, 2 * high
    width = _RELATIVE_WIDTH * max(1.0, high)
    if sure < -_GREATEST_LEVEL:
        return arb.neg_inf(), arb(high) if high < _GREATEST_LEVEL else arb.pos_inf()
    if high == _GREATEST_LEVEL:
        return arb(_greatest_above(excess, delta, (sure, high), width)), arb.pos_inf()
    found = bracket_threshold(lambda e: bool(excess(arb(e)) <= delta), low, high, tolerance=width)
    return arb(_greatest_above(excess, delta, (sure, found.low), width)), arb(found.high)


def _level_below(excess: Callable[[arb], arb], delta: arb) -> float:
    """Walk down from zero until the excess is surely above delta, or the level out of range."""
    level = 0.0
    while level >= -_GREATEST_LEVEL and not excess(arb(level)) > delta:
        level = 2 * level - 1
    return level


def _greatest_above(
    excess: Callable[[arb], arb], delta: arb, levels: tuple[float, float], width: float
) -> float:
    """Return the greatest level found at which the excess is surely above delta."""
    low, high = levels
    if excess(arb(high)) > delta:
        return high
    return bracket_threshold(lambda e: not excess(arb(e)) > delta, low, high, tolerance=width).low
