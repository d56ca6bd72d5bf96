"""A guarantee as points (ε, δ): as many as are quickly found, and what they guarantee together."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.privacy import Composition, events
from sfumato.privacy.events.base import kinds_within
from sfumato.privacy.guarantees.pointwise import PointwiseGuarantee

if TYPE_CHECKING:
    from sfumato.privacy import Guarantee

__all__ = ["LEAST", "Points", "delta_to_read", "falls_to_nothing", "filled", "profile_points"]

Points = list[tuple[float, float]]

#: A δ below this is not looked at.
LEAST = 1e-12
_EVENLY, _FEWER = 240, 24
#: As many points as a picture has places, so that steps are not seen.
_FILLED = 480
#: Where ε ends for a guarantee that no δ is small enough for.
_FAR = (500.0, 5e4)
_USUAL = 1e-6
_BEYOND = 1.15
#: Events whose losses take long to add up.
_SLOW = (events.Subsampled, events.FixedSizeSubsampled, events.Shuffled)


def profile_points(guarantee: Guarantee) -> Points:
    """Return what a guarantee allows, by rising ε: at each the least δ that is proved."""
    if isinstance(guarantee, Composition) and not falls_to_nothing(guarantee):
        return sorted(set(_few(guarantee)))
    end = _end(guarantee) * _BEYOND or 1.0
    steps = _FEWER if isinstance(guarantee, Composition) else _EVENLY
    levels = {end * step / steps for step in range(steps + 1)} | set(_kinks(guarantee))
    return [(level, guarantee.delta(epsilon=level)) for level in sorted(levels)]


def filled(points: Points) -> Points:
    """Return many points of a curve: between two that are guaranteed, what both guarantee together.

    δ is a convex function of e^ε, so a line between two points over e^ε is guaranteed too.
    """
    known = list(dict(reversed(points)).items())[::-1]
    end = known[-1][0]
    levels = [end * step / _FILLED for step in range(_FILLED + 1)]
    inner = (
        (level, _chord(left, right, level))
        for left, right in pairwise(known)
        for level in levels
        if left[0] < level < right[0]
    )
    return sorted([*known, *inner])


def _chord(left: tuple[float, float], right: tuple[float, float], level: float) -> float:
    (low, more), (high, less) = left, right
    share = math.expm1(level - high) / math.expm1(low - high)
    return share * more + (1 - share) * less


def delta_to_read(guarantee: Guarantee) -> float:
    """Return the δ at which a guarantee is best read: 0 of a pure one, its own of an (ε, δ)."""
    if isinstance(guarantee, PointwiseGuarantee):
        return float(min(delta for _, delta in guarantee.points))
    if not falls_to_nothing(guarantee):
        floor = _USUAL if math.isfinite(guarantee.epsilon(delta=_USUAL)) else _floor(guarantee)
        return floor if floor < 1 else 0.0
    return 0.0


def falls_to_nothing(guarantee: Guarantee) -> bool:
    """Tell whether an ε is soon reached that needs no δ: allowing one saves next to nothing."""
    return guarantee.epsilon(delta=0) <= 1.5 * guarantee.epsilon(delta=LEAST) < math.inf


def _few(guarantee: Composition) -> Points:
    """Return points of a guarantee that takes a while to find each: closer where δ is great."""
    slow = bool(set(_SLOW) & set(kinds_within(guarantee.event)))
    end, most = _end(guarantee), guarantee.delta(epsilon=0)
    decades = [10.0 ** (-half / 2) for half in range(2, 25, 4 if slow else 1)]
    small = [delta for delta in decades if delta < most / 2]
    tail = [(guarantee.epsilon(delta=delta), delta) for delta in [*small, LEAST]]
    known = [(level, delta) for level, delta in tail if math.isfinite(level)]
    first = min((level for level, _ in known), default=end)
    steps = 5 if slow else 12
    levels = [first * step / steps for step in range(1, steps)]
    flat = [(each, guarantee.delta(epsilon=each)) for each in [*levels, *_past(guarantee, end)]]
    return [(0.0, most), *flat, *known]


def _past(guarantee: Composition, end: float) -> list[float]:
    """Return a little more of ε where a least δ is reached at the end."""
    return [end, end * _BEYOND] if guarantee.epsilon(delta=LEAST) == math.inf else []


def _end(guarantee: Guarantee) -> float:
    """Return the ε from which on no less δ is guaranteed, or so little that nobody looks there."""
    found = guarantee.epsilon(delta=LEAST)
    if math.isfinite(found):
        return found
    if isinstance(guarantee, PointwiseGuarantee):
        return float(max(level for level, _ in guarantee.points))
    floor = _floor(guarantee)
    return guarantee.epsilon(delta=floor) if floor < 1 else 1.0


def _floor(guarantee: Guarantee) -> float:
    """Return the δ that no ε makes smaller."""
    return min(guarantee.delta(epsilon=far) for far in _FAR)


def _kinks(guarantee: Guarantee) -> list[float]:
    if isinstance(guarantee, PointwiseGuarantee):
        return [float(level) for level, _ in guarantee.points]
    pure = guarantee.epsilon(delta=0)
    return [pure] if falls_to_nothing(guarantee) else []
