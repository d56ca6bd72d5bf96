"""Events made of events: one after another, many times, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.events import fields
from sfumato.privacy.events.base import Event, walk
from sfumato.privacy.relation import AddRemove
from sfumato.translation import mark

__all__ = ["Composed", "EventGroup", "Parallel", "Repeated", "Structure", "Wrapper", "checked"]


class Structure(Event):
    """An event made of others; compared and hashed without recursion, however deep it is."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return _said(self) == _said(other)

    def __hash__(self) -> int:
        return hash(tuple(_said(self)))


class Wrapper(Structure):
    """An event that says something of one other event."""

    event: Event

    @property
    def inner(self) -> tuple[Event, ...]:
        """The one event inside."""
        return (self.event,)


class EventGroup(Structure):
    """An event made of one or more others."""

    events: tuple[Event, ...]

    def __init__(self, *events: Event) -> None:
        owner = type(self).__name__
        if not events:
            raise InputError(
                "E-ARGUMENT-EMPTY",
                "{owner} needs at least one event",
                "write {owner}(Laplace(scale=10)), say",
                owner=owner,
            )
        self._keep(events=tuple(checked(each, owner) for each in events))

    @property
    def inner(self) -> tuple[Event, ...]:
        """The events inside, in order."""
        return self.events


@dataclass(frozen=True, repr=False, eq=False, init=False)
class Composed(EventGroup):
    """All of these were done, each possibly chosen after the results before it were seen.

    Parameters
    ----------
    events
        One or more, in order.

    Examples
    --------
    >>> from sfumato.privacy.events import Composed, Gaussian, Laplace
    >>> print(Composed(Laplace(scale=10), Gaussian(sigma=4)))
    Laplace noise of scale 10 on sensitivity 1, then Gaussian noise of sigma 4 on sensitivity 1
    """

    events: tuple[Event, ...]

    name = "composed"
    wording = "{inner}"
    separator = ", then "

    @property
    def steps(self) -> tuple[tuple[Event, int], ...]:
        """The events, each once.

        Examples
        --------
        >>> from sfumato.privacy.events import Composed, Laplace
        >>> Composed(Laplace(scale=10)).steps
        ((Laplace(scale=10, sensitivity=1), 1),)
        """
        return tuple((each, 1) for each in self.events)


@dataclass(frozen=True, repr=False, eq=False)
class Repeated(Wrapper):
    """The same was done many times, with fresh randomness each time.

    Parameters
    ----------
    event
        What was done.
    count
        How often.

    Examples
    --------
    >>> from sfumato.privacy.events import Laplace, Repeated
    >>> print(Repeated(Laplace(scale=10), count=1000))
    1,000 × (Laplace noise of scale 10 on sensitivity 1)
    """

    event: Event
    count: int

    name = "repeated"
    wording = "{count} × ({inner})"

    def __init__(self, event: Event, *, count: int) -> None:
        self._keep(event=checked(event, "Repeated"), count=fields.count(count, "count"))

    @property
    def steps(self) -> tuple[tuple[Event, int], ...]:
        """The event, with how often it was repeated.

        Examples
        --------
        >>> from sfumato.privacy.events import Laplace, Repeated
        >>> Repeated(Laplace(scale=10), count=3).steps
        ((Laplace(scale=10, sensitivity=1), 3),)
        """
        return ((self.event, self.count),)


@dataclass(frozen=True, repr=False, eq=False, init=False)
class Parallel(EventGroup):
    """Each of these was done to its own group of units; no unit is in two groups.

    It holds for adding or removing units.  Substituting one could move it between two groups.

    Parameters
    ----------
    events
        One or more, one a group.

    Examples
    --------
    >>> from sfumato.privacy.events import Laplace, Parallel
    >>> print(Parallel(Laplace(scale=10), Laplace(scale=20)))
    on disjoint groups (Laplace noise of scale 10 on sensitivity 1; \
Laplace noise of scale 20 on sensitivity 1)
    """

    events: tuple[Event, ...]

    name = "parallel"
    wording = mark("on disjoint groups ({inner})")
    separator = "; "
    own_relations = (AddRemove,)


def checked(event: Any, owner: str) -> Event:
    """Return what was given if it is an event."""
    if isinstance(event, Event):
        return event
    hint = f"{owner}(Laplace(scale=10), …)"
    if isinstance(event, (list, tuple)):
        hint = f"{owner}(*events)"
    elif isinstance(getattr(event, "event", None), Event):
        hint = f"{owner}(….event)"
    raise InputError(
        "E-ARGUMENT-TYPE",
        "{owner} takes events, not {event}",
        "write {hint}",
        owner=owner,
        event=shown(event),
        hint=hint,
    )


def _said(event: Event) -> list[tuple[Any, ...]]:
    """Return all that an event says, flat: each event's kind, size and parameters in order."""
    return [(type(each), len(each.inner), *each.parameters.values()) for each in walk(event)]
