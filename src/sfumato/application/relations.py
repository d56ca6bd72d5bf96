"""Neighbouring relations by the names that a person types."""

from __future__ import annotations

from sfumato.errors import UnknownNameError
from sfumato.privacy import AddRemove, Relation, Substitute

RELATIONS: dict[str, Relation] = {"add-remove": AddRemove(), "substitute": Substitute()}


def named_relation(relation: Relation | str | None, *others: str) -> Relation | None:
    """Return the relation that was named; what is no name is returned as it is.

    ``others`` are names that would have been understood as well.
    """
    if not isinstance(relation, str):
        return relation
    name = relation.replace("_", "-")
    if name not in RELATIONS:
        raise UnknownNameError(kind="relation", name=relation[:60], known=(*RELATIONS, *others))
    return RELATIONS[name]
