"""What a filter is asked to charge: events, and mechanisms for their events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.events import Event
from sfumato.privacy.events.base import event_of
from sfumato.privacy.events.structure import checked

if TYPE_CHECKING:
    from sfumato.privacy.relation import Relation

__all__ = ["charged", "listed"]


def charged(given: Any, relation: Relation, owner: str) -> Event:
    """Return what is charged: an event, or that of a mechanism for the budget's relation."""
    if isinstance(given, Event):
        return given
    own = getattr(getattr(given, "guarantee", None), "relation", relation)
    if own != relation:
        raise InputError(
            "E-RELATION-OTHER",
            "the budget is for “{relation}” and what is charged for “{own}”",
            "give one of them the relation= of the other",
            relation=relation,
            own=own,
        )
    return checked(event_of(given) or given, owner)


def listed(events: Any) -> Iterable[Any]:
    """Return what can be gone through, which one event alone cannot."""
    if isinstance(events, Event) or not isinstance(events, Iterable):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "replay takes a list of events, not {events}",
            "write replay([event])",
            events=shown(events),
        )
    return events
