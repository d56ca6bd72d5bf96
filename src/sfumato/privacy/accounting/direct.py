"""Privacy profiles of single steps in closed form, as balls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import Enclosure, as_ball
from sfumato.privacy import events as ev
from sfumato.privacy.events.amplified import sample_of
from sfumato.privacy.loss import Direction
from sfumato.privacy.theorems.certified import crossing_above_zero, enclosed, log_ratio
from sfumato.privacy.theorems.gaussian import gaussian_profile

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sfumato.privacy.events import Event
    from sfumato.privacy.parameters import Epsilon

    #: From epsilon and delta's argument to delta, at the precision in force.
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
