"""How neighbours in one relation are reached by steps of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.privacy.relation import AddRemove, Substitute

if TYPE_CHECKING:
    from sfumato.privacy.relation import Relation

__all__ = ["steps_between"]


def steps_between(have: Relation, want: Relation) -> int:
    """Return how many steps of one relation lead to any neighbour in another.

    A relation of ``count`` units joins tables that so many single changes, or fewer, lead between.
    Substituting a unit is two changes, a removal and an addition; no number of substitutions adds
    a unit.
    """
    if have.unit != want.unit:
        raise InputError(
            "E-RELATION-OTHER",
            "a guarantee for each {unit} says nothing for each {other_unit}, since a person may "
            "own many rows",
            "bound the rows per person and use group(rows)",
            unit=have.unit,
            other_unit=want.unit,
        )
    if isinstance(have, Substitute) and isinstance(want, AddRemove):
        raise InputError(
            "E-RELATION-OTHER",
            "a guarantee for “{have}” does not protect the size of the table, so it says "
            "nothing for “{want}”",
            "account for the mechanism under AddRemove()",
            have=have,
            want=want,
        )
    each = 1 if type(have) is type(want) else 2
    return -(-each * want.count // have.count)
