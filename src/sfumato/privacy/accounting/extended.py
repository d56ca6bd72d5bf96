"""The event that a group of units sees: the same one, with what each guarantee says of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.privacy import events as ev
from sfumato.privacy.theorems.group import approximate_group, renyi_group

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.privacy.events import Event


def extended(event: Event, size: int) -> Event | None:
    """Return the event as a group of ``size`` units sees it; None where there is no such event.

    Additive noise is tightest: a group moves the value by so many sensitivities.
    """

    def combine(each: Event, inner: Sequence[Event | None]) -> Event | None:
        found = [one for one in inner if one is not None]
        if len(found) < len(inner) or type(each) not in _KINDS:
            return None
        return _KINDS[type(each)](each, size, found)

    return ev.base.fold(event, combine)


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
