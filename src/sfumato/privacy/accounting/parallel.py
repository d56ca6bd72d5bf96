"""What disjoint groups cost together: as much as the worst of them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from sfumato.numeric import Enclosure
from sfumato.privacy import events as ev
from sfumato.privacy.loss import Direction, LossBracket, profile_bracket

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.privacy.events import Event
    from sfumato.privacy.parameters import Epsilon

#: How finely the profile of different groups is laid out when more is composed with it.
_CELLS = 512
#: Where it stops: beyond, so much is counted as lost.
_NEGLIGIBLE = Fraction(1, 10**15)


class Profile(Protocol):
    """What is known of some events for one change of the table."""

    def delta(self, epsilon: Epsilon) -> Enclosure:
        """Return bounds on delta at an epsilon."""

    def epsilon(self, delta: Fraction, tolerance: float) -> Enclosure:
        """Return bounds on the least epsilon at a delta."""


if TYPE_CHECKING:
    ProfileOf = Callable[[Sequence[tuple[Event, int]], Direction], Profile]


def worst_groups(event: ev.Parallel) -> list[Event]:
    """Return the groups that may be the worst: of steps of one kind only the strongest."""
    strongest: dict[object, Event] = {}
    for group in event.events:
        kind, strength = _strength(group)
        held = strongest.get(kind)
        if held is None or strength > _strength(held)[1]:
            strongest[kind] = group
    return list(strongest.values())


def _strength(event: Event) -> tuple[object, Epsilon]:
    """Return a kind within which events are ordered by a number, and that number."""
    if isinstance(event, ev.Laplace):
        return ev.Laplace, event.sensitivity / event.scale
    if isinstance(event, ev.Gaussian):
        return ev.Gaussian, event.sensitivity / event.sigma
    return event, Fraction(0)


def parallel_bracket(
    groups: Sequence[Event], change: Direction, profile_of: ProfileOf
) -> LossBracket:
    """Return distributions around the greatest of the profiles of several groups.

    Which group a unit is in may depend on results seen before, so in a composition the groups
    cost what a loss does whose profile is the greatest of theirs.
    """
    ways = (change, opposite(change))
    profiles = [[profile_of(tuple(each.parts()), way) for each in groups] for way in ways]
    all_profiles = [each for way in profiles for each in way]
    greatest = max(each.epsilon(_NEGLIGIBLE, 1e-3).upper for each in all_profiles)

    def worst(way: int) -> Callable[[float], Enclosure]:
        return lambda x: greatest_of([each.delta(Fraction(x)) for each in profiles[way]])

    return profile_bracket(worst(0), worst(1), greatest=greatest, cells=_CELLS)


def greatest_of(bounds: Sequence[Enclosure]) -> Enclosure:
    """Return bounds on the greatest of several numbers."""
    return Enclosure(max(each.lower for each in bounds), max(each.upper for each in bounds))


def opposite(change: Direction) -> Direction:
    """Return the change the other way round."""
    return {Direction.REMOVED: Direction.ADDED, Direction.ADDED: Direction.REMOVED}.get(
        change, change
    )
