"""Bracketed search on monotone functions: the answer is a bracket, never a bare point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Bracket", "bracket_threshold"]


@dataclass(frozen=True)
class Bracket:
    """Two points with the threshold between them: false at ``low``, true at ``high``.

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
        message = f"the search needs two finite points in order, not {low} and {high}"
        raise InputError(message)
    if holds(low) or not holds(high):
        message = f"the condition must fail at {low} and hold at {high}; widen the bracket"
        raise InputError(message)
    while high - low > tolerance:
        middle = low / 2 + high / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return Bracket(low, high)
