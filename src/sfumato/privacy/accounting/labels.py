"""A guarantee as an event: something was done of which only this is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy import events as ev
from sfumato.privacy.events.base import event_of
from sfumato.privacy.events.pair import without_known_pairs
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from sfumato.privacy.theorems.group import approximate_group, renyi_group
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.privacy.events import Event


def as_event(given: Any) -> ev.Event:
    """Return an event itself, or that of a mechanism, release, composition or guarantee."""
    if (found := event_of(given)) is not None:
        return found
    if isinstance(given, Guarantee):
        return _labelled(given)
    example = mark("write sf.privacy.events.Laplace(scale=10), say")
    several = mark("write compose(*events) for a list of them")
    raise InputError(
        "E-ARGUMENT-TYPE",
        "compose takes events, mechanisms, releases and guarantees, not {given}",
        "{advice}",
        given=shown(given),
        advice=several if isinstance(given, (list, tuple)) else example,
    )


def _labelled(guarantee: Guarantee) -> ev.Event:
    if isinstance(guarantee, PureDP):
        return ev.Pure(epsilon=guarantee.exact_epsilon)
    if isinstance(guarantee, ApproxDP):
        return ev.Approximate(epsilon=guarantee.exact_epsilon, delta=guarantee.exact_delta)
    if isinstance(guarantee, ZeroConcentratedDP):
        return ev.ZeroConcentrated(rho=guarantee.exact_rho)
    if isinstance(guarantee, GaussianDP):
        mu = guarantee.exact_mu
        return ev.Gaussian(sigma=1 / mu) if mu > 0 else ev.Pure(epsilon=0)
    if isinstance(guarantee, RenyiDP) and not callable(guarantee.curve):
        return ev.Renyi(guarantee.curve)
    raise InputError(
        "E-GUARANTEE-NOT-COMPOSED",
        "a {kind} cannot be composed further",
        "compose its events instead",
        kind=type(guarantee).__name__,
    )


def extended(event: Event, size: int) -> Event | None:
    """Return the event as a group of ``size`` units sees it; None where there is no such event.

    Additive noise is tightest: a group moves the value by so many sensitivities.
    """

    def combine(each: Event, inner: Sequence[Event | None]) -> Event | None:
        found = [one for one in inner if one is not None]
        if len(found) < len(inner) or type(each) not in _KINDS:
            return None
        return _KINDS[type(each)](each, size, found)

    return ev.base.fold(without_known_pairs(event), combine)


def _approximate(event: ev.Approximate, size: int) -> Event | None:
    if event.delta == 0:
        return ev.Approximate(epsilon=event.epsilon * size, delta=0)
    bound = approximate_group(epsilon=event.epsilon, delta=event.delta, size=size)
    if bound.delta >= 1:
        return None
    return ev.Approximate(epsilon=event.epsilon * size, delta=bound.delta)


def _renyi(event: ev.Renyi, size: int) -> Event | None:
    steps = (size - 1).bit_length()
    kept = [(order, bound) for order, bound in event.curve if order >= 2 ** (steps + 1)]
    if not kept:
        return None
    bounds = [renyi_group(order=order, epsilon=bound, size=size) for order, bound in kept]
    return ev.Renyi([(each.order, each.epsilon) for each in bounds])


_KINDS: dict[type[Event], Callable[[Any, int, Sequence[Event]], Event | None]] = {
    ev.Laplace: lambda e, k, _: ev.Laplace(scale=e.scale, sensitivity=e.sensitivity * k),
    ev.Gaussian: lambda e, k, _: ev.Gaussian(sigma=e.sigma, sensitivity=e.sensitivity * k),
    ev.DiscreteLaplace: lambda e, k, _: ev.DiscreteLaplace(
        scale=e.scale, sensitivity=e.sensitivity * k
    ),
    ev.DiscreteGaussian: lambda e, k, _: ev.DiscreteGaussian(
        sigma=e.sigma, sensitivity=e.sensitivity * k
    ),
    ev.RandomizedResponse: lambda e, k, _: ev.Pure(epsilon=e.epsilon * k),
    ev.Exponential: lambda e, k, _: ev.Exponential(epsilon=e.epsilon * k),
    ev.PermuteAndFlip: lambda e, k, _: ev.PermuteAndFlip(epsilon=e.epsilon * k),
    ev.SparseVector: lambda e, k, _: ev.SparseVector(
        threshold_epsilon=e.threshold_epsilon * k,
        answers_epsilon=e.answers_epsilon * k,
        positives=e.positives,
    ),
    ev.Pure: lambda e, k, _: ev.Pure(epsilon=e.epsilon * k),
    ev.Approximate: lambda e, k, _: _approximate(e, k),
    ev.ZeroConcentrated: lambda e, k, _: ev.ZeroConcentrated(rho=e.rho * k * k),
    ev.Renyi: lambda e, k, _: _renyi(e, k),
    ev.Composed: lambda _, __, inner: ev.Composed(*inner),
    ev.Repeated: lambda e, _, inner: ev.Repeated(inner[0], count=e.count),
}
