"""From a profile that can be bounded at any epsilon to bounds on the epsilon of a delta."""

from __future__ import annotations

import math
from typing import Protocol

from sfumato.numeric import Enclosure

__all__ = ["DeltaCurve", "least_epsilon"]

_TRIES = 80
#: The longest first step away from a root, as a share of it.
_LONGEST = 1e-3


class DeltaCurve(Protocol):
    """What can be asked for delta, roughly and surely, from ``reach`` on."""

    reach: float

    def middle(self, epsilon: float) -> tuple[float, float]:
        """Return delta and its slope in epsilon, without bounds."""

    def delta(self, epsilon: float) -> Enclosure:
        """Return certified bounds on delta."""


def least_epsilon(curve: DeltaCurve, delta: Enclosure, most: float) -> Enclosure:
    """Return bounds on the least epsilon at a delta, of which ``most`` is known to be one.

    A rough root is found first; from there steps lead outwards until the bounds on delta prove
    the side.
    """
    least = max(curve.reach, 0.0)
    root, slope = _root(curve, delta.lower / 2 + delta.upper / 2, least, most)
    fall = max(-slope, 1e-300)
    upper = _proved_upper(curve, root, fall, delta.lower, most)
    return Enclosure(min(_proved_lower(curve, root, fall, delta.upper, least), upper), upper)


def _root(curve: DeltaCurve, delta: float, least: float, most: float) -> tuple[float, float]:
    """Solve middle(eps) = delta by Newton's steps on the logarithm, kept in a bracket."""
    low, high, point, slope = least, most, most, -1.0
    for _ in range(_TRIES):
        value, slope = curve.middle(point)
        low, high = (point, high) if value > delta else (low, point)
        step = math.inf
        if value > 0 > slope:
            step = (math.log(value) - math.log(delta)) * value / -slope
        moved = point + step if low < point + step < high else (low + high) / 2
        if abs(moved - point) <= 4e-16 * abs(point):
            break
        point = moved
    return point, slope


def _proved_upper(curve: DeltaCurve, root: float, fall: float, delta: float, most: float) -> float:
    """Step up from the root until delta there is certainly small enough."""
    point, stride = root, abs(root) * 1e-15
    for _ in range(_TRIES):
        if point >= most:
            break
        bound = curve.delta(point).upper
        if bound <= delta:
            return point
        stride = max(2 * stride, min(1.1 * (bound - delta) / fall, _LONGEST * root))
        point = root + stride
    return most


def _proved_lower(curve: DeltaCurve, root: float, fall: float, delta: float, least: float) -> float:
    """Step down from the root until delta there is certainly too great."""
    point, stride = root, abs(root) * 1e-15
    for _ in range(_TRIES):
        if point <= least:
            break
        bound = curve.delta(point).lower
        if bound >= delta:
            return point
        stride = max(2 * stride, min(1.1 * (delta - bound) / fall, _LONGEST * root))
        point = root - stride
    return least if curve.delta(least).lower >= delta else 0.0
