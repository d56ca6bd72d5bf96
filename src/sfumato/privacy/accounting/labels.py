"""A guarantee as an event: something was done of which only this is known."""

from __future__ import annotations

from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy import events as ev
from sfumato.privacy.events.base import event_of
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from sfumato.translation import mark


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
