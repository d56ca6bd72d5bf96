"""Ours: events and their composition are built anew for each answer."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from benchmarks.peers.method import Answer, Method

if TYPE_CHECKING:
    from collections.abc import Callable

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


def made(case: Case) -> list[Any]:
    """Return the events of a case."""
    from sfumato.privacy import events

    return [event(events, part) for part in case.parts]


#: The same, made once for all rounds.
given = cache(made)


def compose(case: Case, events_of: Callable[[Case], list[Any]] = made) -> Answer:
    """Return both certified ends."""
    import sfumato as sf

    bounds = sf.compose(*events_of(case)).bounds(delta=case.delta)
    return Answer(lower=bounds.lower, upper=bounds.upper)


METHODS = (
    Method("bounds", compose),
    Method("bounds, events given", partial(compose, events_of=given)),
)
