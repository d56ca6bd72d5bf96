"""The profile of many events for one change of the table, between two sums of losses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc, Enclosure
from sfumato.numeric.cached import cached_property
from sfumato.privacy.accounting.collect import collect
from sfumato.privacy.accounting.direct import direct_profile
from sfumato.privacy.accounting.parallel import greatest_of, worst_groups
from sfumato.privacy.accounting.steps import tabulated_step
from sfumato.privacy.events import Exponential, FixedSizeSubsampled, Parallel, Subsampled
from sfumato.privacy.inversion import LossProfile
from sfumato.privacy.loss import TabulatedLosses, TotalLosses
from sfumato.privacy.parameters import above, below
from sfumato.privacy.theorems.bounded_range import bounded_range_epsilon

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.privacy.events import Event
    from sfumato.privacy.loss import Direction, PrivacyLosses
    from sfumato.privacy.parameters import Epsilon

#: From what relative width on another way is tried.
_WIDE = 1e-4
#: Of more choices the optimum among those fixed in advance takes too long.
_FEW_CHOICES = 100


def directed_profile(
    parts: Sequence[tuple[Event, int]], change: Direction
) -> DirectedProfile | WorstProfile:
    """Return the profile of single steps, each so many times, for one change of the table."""
    event, count = parts[0]
    if len(parts) == 1 and count == 1 and isinstance(event, Parallel):
        groups = worst_groups(event)
        return WorstProfile([directed_profile(tuple(each.parts()), change) for each in groups])
    return DirectedProfile(parts, change)


class WorstProfile:
    """The greatest of several profiles: that of disjoint groups, with nothing beside."""

    def __init__(self, profiles: Sequence[DirectedProfile | WorstProfile]) -> None:
        self._profiles = profiles

    def delta(self, epsilon: Epsilon) -> Enclosure:
        """Return bounds on delta at an epsilon."""
        return greatest_of([each.delta(epsilon) for each in self._profiles])

    def epsilon(self, delta: Fraction, tolerance: float) -> Enclosure:
        """Return bounds on the least epsilon at a delta above 0."""
        return greatest_of([each.epsilon(delta, tolerance) for each in self._profiles])

    def renyi(self, order: Fraction) -> float:
        """Return an upper bound on the Rényi divergence of an order above 1."""
        return max(each.renyi(order) for each in self._profiles)


class DirectedProfile:
    """Delta at an epsilon and epsilon at a delta when a unit is removed, added or exchanged."""

    def __init__(self, parts: Sequence[tuple[Event, int]], change: Direction) -> None:
        losses = collect(parts, change, directed_profile)
        self._parts, self._change = parts, change
        self._losses = losses.upper
        self._upper = _profile(losses.upper)
        self._also = _profile(losses.also_upper)
        self._lower = self._upper if losses.lower is losses.upper else _profile(losses.lower)
        single = len(parts) == 1 and parts[0][1] == 1
        self._direct = direct_profile(parts[0][0], change) if single else None

    def delta(self, epsilon: Epsilon) -> Enclosure:
        """Return bounds on delta at an epsilon."""
        if self._direct is not None:
            return self._direct.delta(epsilon)
        found = self._delta(epsilon)
        if found.width > _WIDE * found.upper and (table := self._table) is not None:
            lower, upper = table
            least, most = lower.delta(above(epsilon)).lower, upper.delta(below(epsilon)).upper
            return _narrower(found, least, most)
        return found

    def _delta(self, epsilon: Epsilon) -> Enclosure:
        upper = self._upper.delta(below(epsilon)).upper if self._upper else 0.0
        if self._also is not None:
            upper = min(upper, self._also.delta(below(epsilon)).upper)
        lower = self._lower.delta(above(epsilon)).lower if self._lower else 0.0
        return Enclosure(min(lower, upper), upper)

    def epsilon(self, delta: Fraction, tolerance: float) -> Enclosure:
        """Return bounds on the least epsilon at a delta above 0."""
        if self._upper is None:
            return Enclosure(0.0, 0.0)
        if self._direct is not None:
            most = self._upper.most(delta)
            if math.isfinite(most):
                return self._direct.epsilon(delta, most)
        found = self._epsilon(self._upper, delta, tolerance)
        if found.width > _WIDE * found.upper and (table := self._table) is not None:
            below_it, above_it = (each.epsilon(delta, tolerance) for each in table)
            return _narrower(found, below_it.lower, above_it.upper)
        return found

    def _epsilon(self, upper: LossProfile, delta: Fraction, tolerance: float) -> Enclosure:
        found = upper.epsilon(delta, tolerance)
        if self._lower is upper and found.lower < math.inf:
            return found
        least = self._lower.epsilon(delta, tolerance).lower if self._lower else 0.0
        least = max(least, self._fixed_choices(delta))
        most = min(found.upper, self._also.most(delta) if self._also else math.inf)
        return Enclosure(min(least, most), most)

    def _fixed_choices(self, delta: Fraction) -> float:
        """Return what equal choices cost when they are fixed in advance, which is no more."""
        event, count = self._parts[0]
        if len(self._parts) > 1 or not isinstance(event, Exponential) or event.epsilon == 0:
            return 0.0
        if count > _FEW_CHOICES:
            return 0.0
        return bounded_range_epsilon(epsilon=event.epsilon, count=count, total_delta=delta).lower

    @cached_property
    def _table(self) -> tuple[LossProfile, LossProfile] | None:
        """The profiles below and above that of a repeated sampled step, from its own formula."""
        event, count = self._parts[0]
        if len(self._parts) > 1 or not isinstance(event, (Subsampled, FixedSizeSubsampled)):
            return None
        laid = tabulated_step(event, self._change)
        if laid is None:
            return None
        lower, upper = (
            LossProfile(TotalLosses({TabulatedLosses(each): count}))
            for each in (laid.lower, laid.upper)
        )
        return lower, upper

    def renyi(self, order: Fraction) -> float:
        """Return an upper bound on the Rényi divergence of an order above 1."""
        if self._losses is None:
            return 0.0
        return renyi_bound(self._losses, order)


def renyi_bound(losses: PrivacyLosses, order: Fraction) -> float:
    """Return an upper bound on ln E[e^((order - 1) L)] / (order - 1)."""
    if losses.log_finite() is not None or float(order) - 1 > losses.ceiling:
        return math.inf
    point = Disc.of(order - 1)
    logs = losses.log_moment(Disc(np.atleast_1d(point.mid), np.atleast_1d(point.rad)))
    bound = Disc(logs.mid.real, logs.rad) / point
    return min(float((bound.mid + bound.rad)[0]), losses.greatest)


def _narrower(found: Enclosure, least: float, most: float) -> Enclosure:
    """Return what two pairs of bounds say together."""
    upper = min(found.upper, most)
    return Enclosure(min(max(found.lower, least), upper), upper)


def _profile(losses: PrivacyLosses | None) -> LossProfile | None:
    return LossProfile(losses) if losses is not None else None
