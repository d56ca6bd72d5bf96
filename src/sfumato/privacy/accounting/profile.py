"""The profile of many events for one change of the table, between two sums of losses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from flint import arb

from sfumato.numeric import Disc, Enclosure, as_ball, cached_property
from sfumato.privacy import events as ev
from sfumato.privacy.accounting.collect import collect, greatest_of, worst_groups
from sfumato.privacy.accounting.pairs import pair_profile, pair_within
from sfumato.privacy.events import Exponential, FixedSizeSubsampled, Parallel, Subsampled
from sfumato.privacy.events.structure import sample_of
from sfumato.privacy.inversion import LossProfile
from sfumato.privacy.loss import (
    Direction,
    LossBracket,
    TabulatedLosses,
    TotalLosses,
    profile_bracket,
)
from sfumato.privacy.parameters import above, below
from sfumato.privacy.theorems.bounded_range import bounded_range_epsilon
from sfumato.privacy.theorems.certified import crossing_above_zero, enclosed, log_ratio
from sfumato.privacy.theorems.gaussian import gaussian_profile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.privacy.accounting.pairs import DensityProfile, FiniteProfile
    from sfumato.privacy.events import Event
    from sfumato.privacy.loss import PrivacyLosses
    from sfumato.privacy.parameters import Epsilon

    StepsProfile: TypeAlias = "DirectedProfile | WorstProfile | FiniteProfile | DensityProfile"
    Profile = Callable[[arb], arb]


class DirectProfile:
    """A profile that is a formula."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def delta(self, epsilon: Epsilon) -> Enclosure:
        """Return the tightest floats around delta at an epsilon."""
        return enclosed(lambda: self._profile(as_ball(epsilon)), most=1.0)

    def epsilon(self, delta: Fraction, most: float) -> Enclosure:
        """Return the tightest floats around the least epsilon at a delta, known to be ``most``."""

        def excess(level: float) -> arb:
            return log_ratio(self._profile(arb(level)), as_ball(delta))

        return crossing_above_zero(excess, most * (1 + 1e-9))


def direct_profile(event: Event, change: Direction) -> DirectProfile | None:
    """Return the profile of a single step, where it has a formula."""
    profile = _profile(event, change)
    return DirectProfile(profile) if profile is not None else None


def _profile(event: Event, change: Direction) -> Profile | None:
    if isinstance(event, ev.Gaussian):
        return lambda level: gaussian_profile(level, as_ball(event.sensitivity / event.sigma))
    if isinstance(event, ev.Laplace):
        return lambda level: _laplace(level, as_ball(event.sensitivity / event.scale))
    if isinstance(event, ev.Exponential):
        return lambda level: _bounded_range(level, as_ball(event.epsilon))
    if isinstance(event, (ev.Subsampled, ev.FixedSizeSubsampled)):
        return _sampled(event, change)
    return None


def _sampled(event: ev.Subsampled | ev.FixedSizeSubsampled, change: Direction) -> Profile | None:
    inside, rate = sample_of(event)
    inner = _profile(inside, change)
    if inner is None:
        return None
    if change is Direction.ADDED and isinstance(event, ev.Subsampled):
        return lambda level: _added(inner, level, as_ball(rate))
    return lambda level: _removed(inner, level, as_ball(rate))


def _laplace(level: arb, greatest: arb) -> arb:
    return (-((level - greatest) / 2).expm1()).max(arb(0))


def _bounded_range(level: arb, greatest: arb) -> arb:
    """Return (e^(g/2) - e^(y/2))^2 / (e^g - 1): the worst bounded range g at a threshold y."""
    gap = (greatest - level).max(arb(0))
    return level.exp() * (gap / 2).expm1() ** 2 / greatest.expm1()


def _removed(inner: Profile, level: arb, rate: arb) -> arb:
    """Return the profile of (1-q) Q + q P against Q: that of P farther out, times q."""
    return rate * inner((level.expm1() / rate).log1p())


def _added(inner: Profile, level: arb, rate: arb) -> arb:
    """Return the profile of Q against (1-q) Q + q P.

    With t = (1-q) e^level it is that of Q at ln(q e^level/(1-t)), times 1 - t; from t = 1 on it
    is 0.
    """
    left = 1 - (1 - rate) * level.exp()
    if left <= 0:
        return arb(0)
    return left * inner((rate * level.exp() / left).log())


_TABLE_CELLS = 1 << 12
#: Where the table stops: beyond, so much is counted as lost.
_NEGLIGIBLE = Fraction(1, 10**13)
_FARTHEST = 1e3


def tabulated_step(event: Event, change: Direction) -> LossBracket | None:
    """Return losses on a lattice around that of a step; None where it has no formula."""
    there, back = direct_profile(event, change), direct_profile(event, change.opposite)
    if there is None or back is None:
        return None
    ends = [each.epsilon(_NEGLIGIBLE, _FARTHEST).upper for each in (there, back)]
    return profile_bracket(
        lambda x: there.delta(Fraction(x)),
        lambda x: back.delta(Fraction(x)),
        greatest=max(ends),
        cells=_TABLE_CELLS,
    )


#: From what relative width on another way is tried.
_WIDE = 1e-4
#: Of more choices the optimum among those fixed in advance takes too long.
_FEW_CHOICES = 100


def directed_profile(parts: Sequence[tuple[Event, int]], change: Direction) -> StepsProfile:
    """Return the profile of single steps, each so many times, for one change of the table."""
    event, count = parts[0]
    single = len(parts) == 1 and count == 1
    if single and pair_within(event) is not None:
        return pair_profile(event, change)
    if single and isinstance(event, Parallel):
        groups = worst_groups(event)
        return WorstProfile([directed_profile(tuple(each.parts()), change) for each in groups])
    return DirectedProfile(parts, change)


class WorstProfile:
    """The greatest of several profiles: that of disjoint groups, with nothing beside."""

    def __init__(self, profiles: Sequence[StepsProfile]) -> None:
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
        self._upper = _directed(losses.upper)
        self._also = _directed(losses.also_upper)
        self._lower = self._upper if losses.lower is losses.upper else _directed(losses.lower)
        self._moments = losses.moments
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
        least, most = below(epsilon), above(epsilon)
        if self._upper is not None and self._lower is self._upper and least == most:
            return self._upper.delta(least)
        upper = self._upper.delta(least).upper if self._upper else 0.0
        if self._also is not None:
            upper = min(upper, self._also.delta(least).upper)
        lower = self._lower.delta(most).lower if self._lower else 0.0
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
        bounds = [each for each in (self._losses, self._moments) if each is not None]
        return min(renyi_bound(each, order) for each in bounds)


@np.errstate(invalid="ignore")
def renyi_bound(losses: PrivacyLosses, order: Fraction) -> float:
    """Return an upper bound on ln E[e^((order - 1) L)] / (order - 1)."""
    if losses.log_finite() is not None or float(order) - 1 > losses.ceiling:
        return math.inf
    point = Disc.of(order - 1)
    logs = losses.log_moment(Disc(np.atleast_1d(point.mid), np.atleast_1d(point.rad)))
    bound = Disc(logs.mid.real, logs.rad) / point
    most = float((bound.mid + bound.rad)[0])
    return losses.greatest if math.isnan(most) else min(most, losses.greatest)


def _narrower(found: Enclosure, least: float, most: float) -> Enclosure:
    """Return what two pairs of bounds say together."""
    upper = min(found.upper, most)
    return Enclosure(min(max(found.lower, least), upper), upper)


def _directed(losses: PrivacyLosses | None) -> LossProfile | None:
    return LossProfile(losses) if losses is not None else None
