"""Bracketed search: the answer is a bracket, never a bare point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Bracket:
    """Two points with the threshold, or the root, between them: false at ``low``, true at ``high``.

    Examples
    --------
    >>> from sfumato.numeric import Bracket
    >>> Bracket(low=1.0, high=2.0)
    Bracket(low=1.0, high=2.0)
    """

    low: float
    high: float


def bracket_threshold(
    holds: Callable[[float], bool], low: float, high: float, *, tolerance: float = 0.0
) -> Bracket:
    """Return where a condition that stays true once it is true begins to hold.

    Bisects until the bracket is no wider than ``tolerance``, or, with the default of zero,
    until its ends are neighbouring floats.  The safe end is the one the caller needs: the
    condition was *seen* to hold at ``high`` and to fail at ``low``.

    Parameters
    ----------
    holds
        A condition that is false below some threshold and true above it.
    low, high
        Finite points at which it fails and holds.
    tolerance
        The width to stop at.

    Examples
    --------
    >>> from sfumato.numeric import bracket_threshold
    >>> root = bracket_threshold(lambda x: x * x >= 2, 0.0, 2.0)
    >>> root.low, root.high
    (1.414213562373095, 1.4142135623730951)
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(
            "E-SEARCH-BRACKET",
            "the search needs two finite points in order, not {low} and {high}",
            low=low,
            high=high,
        )
    if holds(low) or not holds(high):
        raise InputError(
            "E-SEARCH-BRACKET",
            "the condition must fail at {low} and hold at {high}",
            "widen the bracket",
            low=low,
            high=high,
        )
    while high - low > tolerance:
        middle = low / 2 + high / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return Bracket(low, high)


def bracket_root(
    function: Callable[[float], float], low: float, high: float, *, tolerance: float = 0.0
) -> Bracket:
    """Return where a continuous function changes its sign, in far fewer steps than by halving.

    A step goes by the inverse parabola through the last three points where that is monotone, and
    halves the bracket elsewhere :cite:p:`chandrupatla1997`.

    Parameters
    ----------
    function
        A function that is below 0 at one end and above 0 at the other, or 0 at one.
    low, high
        Finite points.
    tolerance
        Half the width to stop at, as a share of the root; by default ends are neighbouring floats.

    Examples
    --------
    >>> from sfumato.numeric import bracket_root
    >>> root = bracket_root(lambda x: x * x - 2, 0.0, 2.0)
    >>> root.low, root.high
    (1.414213562373095, 1.4142135623730951)
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(
            "E-SEARCH-BRACKET",
            "the search needs two finite points in order, not {low} and {high}",
            low=low,
            high=high,
        )
    one, other = _Point(low, function(low)), _Point(high, function(high))
    if one.value and other.value and one.is_above == other.is_above:
        raise InputError(
            "E-SEARCH-BRACKET",
            "the function has the same sign at {low} and at {high}",
            "widen the bracket",
            low=low,
            high=high,
        )
    share = 0.5
    while True:
        best = min(one, other, key=lambda each: abs(each.value))
        width = abs(other.place - one.place)
        least = max(tolerance * abs(best.place), math.ulp(best.place) / 2) / width
        if not best.value or least >= 0.5:
            break
        place = one.place + min(max(share, least), 1 - least) * (other.place - one.place)
        found = _Point(place, function(place))
        last, other = (one, other) if found.is_above == one.is_above else (other, one)
        one = found
        share = _interpolated(one, other, last)
    ends = (one, other) if best.value else (best, best)
    return Bracket(min(each.place for each in ends), max(each.place for each in ends))


class _Point(NamedTuple):
    place: float
    value: float

    @property
    def is_above(self) -> bool:
        return self.value > 0


def _interpolated(one: _Point, other: _Point, last: _Point) -> float:
    """Return which share of the way to the other end the root is."""
    along = (one.place - other.place) / (last.place - other.place)
    risen = (one.value - other.value) / (last.value - other.value)
    if not (risen**2 < along and (1 - risen) ** 2 < 1 - along):
        return 0.5
    straight = one.value / (other.value - one.value) * last.value / (other.value - last.value)
    bent = one.value / (last.value - one.value) * other.value / (last.value - other.value)
    return straight + (last.place - one.place) / (other.place - one.place) * bent
