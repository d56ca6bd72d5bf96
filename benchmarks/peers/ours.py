"""Ours: events and their composition are built anew for each answer."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.peers.method import Answer, Method

if TYPE_CHECKING:
    from benchmarks.peers.cases import Case, Part


def event(events: Any, part: Part) -> Any:
    """Return a part as one of our events."""
    make = {
        "gaussian": lambda: events.Gaussian(sigma=part.parameter),
        "laplace": lambda: events.Laplace(scale=part.parameter),
        "randomized response": lambda: events.RandomizedResponse(epsilon=part.parameter),
    }
    once = make[part.mechanism]()
    sampled = once if part.rate == 1 else events.Subsampled(once, rate=part.rate)
    return sampled if part.count == 1 else events.Repeated(sampled, count=part.count)


def compose(case: Case) -> Answer:
    """Return both certified ends."""
    package = import_module("sfumato")
    events = [event(package.events, part) for part in case.parts]
    bounds = package.compose(*events).bounds(delta=case.delta)
    return Answer(lower=bounds.lower, upper=bounds.upper)


METHODS = (Method("bounds", compose),)
