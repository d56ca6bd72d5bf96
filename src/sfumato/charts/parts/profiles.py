"""Guarantees read as one (ε, δ) each, in words for a title."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.numeric import digits_above
from sfumato.privacy import Composition, events
from sfumato.privacy.events import kinds_within
from sfumato.privacy.guarantees import PointwiseGuarantee
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy import Guarantee


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


_MOST_SAID = 4


def is_nothing(epsilon: float) -> bool:
    """Tell whether an ε guarantees nothing."""
    return not math.isfinite(epsilon)


def of_relation(guarantees: Mapping[str, Guarantee]) -> str:
    """Return one guarantee in words; of several, between which tables they hold."""
    if len(guarantees) == 1:
        return "".join(map(str, guarantees.values()))
    said = {str(each.relation) for each in guarantees.values()}
    if len(said) == 1:
        return tr("neighbours: {pop}", pop=said.pop())
    listed = "; ".join(f"{name}: {each.relation}" for name, each in guarantees.items())
    return tr("neighbours: {pop}", pop=listed)


def common_delta(guarantees: Mapping[str, Guarantee]) -> float:
    """Return one δ at which to compare guarantees: the greatest that any of them is read at."""
    return max(map(delta_to_read, guarantees.values()))


def readings(
    guarantees: Mapping[str, Guarantee], delta: float | None
) -> dict[str, tuple[float, float]]:
    """Return (ε, δ) of each guarantee, at one δ for all."""
    at = common_delta(guarantees) if delta is None else float(delta)
    return {name: (each.epsilon(delta=at), at) for name, each in guarantees.items()}


def reading(guarantees: Mapping[str, Guarantee], delta: float | None) -> str:
    """Return what several guarantees say at one δ, in one sentence."""
    found = readings(guarantees, delta)
    at = digits_above(next(iter(found.values()))[1], 4)
    if len(found) > _MOST_SAID:
        levels = [level for level, _ in found.values()]
        return tr(
            "at δ = {at}: ε from {low} to {high}",
            at=at,
            low=_said(min(levels)),
            high=_said(max(levels)),
        )
    listed = ", ".join(
        tr("{level} for {name}", level=_said(level), name=name)
        for name, (level, _) in found.items()
    )
    return tr("at δ = {at}: ε = {listed}", at=at, listed=listed)


def _said(level: float) -> str:
    return "∞" if is_nothing(level) else digits_above(level, 4)
