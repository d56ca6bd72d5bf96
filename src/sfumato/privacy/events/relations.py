"""Which neighbouring relation an event can be accounted for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.privacy.events.base import kinds_within, walk
from sfumato.privacy.events.structure import checked
from sfumato.privacy.relation import Relation, read_relation
from sfumato.refusal import Argument, Bare, all_of, text

if TYPE_CHECKING:
    from sfumato.privacy.events.base import Event

__all__ = ["check_relation"]


def check_relation(event: Event, relation: Any) -> None:
    """Refuse an event that has no meaning, or no theorem, under a neighbouring relation.

    Parameters
    ----------
    event
        What was done.
    relation
        Which tables are neighbours.

    Examples
    --------
    >>> from sfumato.privacy import AddRemove, Substitute
    >>> from sfumato.privacy.events import Gaussian, Subsampled, check_relation
    >>> event = Subsampled(Gaussian(sigma=4), rate=0.01)
    >>> check_relation(event, AddRemove())
    >>> check_relation(event, Substitute())
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: Subsampled holds for add or remove only, not for substitute \
one row; write relation=sf.privacy.AddRemove()
    """
    read_relation(relation)
    if not isinstance(relation, checked(event, "check_relation").relations):
        raise _refusal(event, relation)
    if relation.count > 1 and (single := _for_one_unit(event)):
        raise InputError(
            "E-RELATION-OTHER",
            "{single} is accounted for one changed unit, not for {relation}",
            "account for one, and write .group({count}) for the group",
            single=single,
            relation=relation,
            count=relation.count,
        )


def _for_one_unit(event: Event) -> str:
    """Return an event inside whose theorem is about one unit alone; empty where there is none."""
    alone = {"Subsampled", "FixedSizeSubsampled", "Shuffled", "Parallel"}
    return next((kind.__name__ for kind in kinds_within(event) if kind.__name__ in alone), "")


def _refusal(event: Event, relation: Relation) -> InputError:
    if not event.relations:
        return _mixture(event)
    (valid,) = event.relations
    culprit = next(each for each in walk(event) if each.own_relations == (valid,))
    return InputError(
        "E-RELATION-OTHER",
        "{kind} holds for {verb} only, not for {relation}",
        "write {write}",
        kind=type(culprit).__name__,
        verb=valid.verb,
        relation=relation,
        write=Argument("relation", Bare(f"sf.privacy.{valid.__name__}()")),
    )


def _mixture(event: Event) -> InputError:
    """Name one event of each kind of those that go with one relation only."""
    bound = {each.own_relations[0]: each for each in walk(event) if len(each.own_relations) == 1}
    sides = (
        text("{kind} ({verb} only)", kind=type(each).__name__, verb=one.verb)
        for one, each in bound.items()
    )
    return InputError(
        "E-RELATION-OTHER",
        "the event mixes {sides}, so no relation suits all of it",
        "account for them apart",
        sides=all_of(sides),
    )
