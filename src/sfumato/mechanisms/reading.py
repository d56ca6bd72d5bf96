"""Reading what mechanisms have in common: relations, confidences, choices between two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy import AddRemove, Relation, Row, Substitute, written
from sfumato.privacy.events import fields as event_fields
from sfumato.privacy.relation import read_relation
from sfumato.refusal import Argument, any_of

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "ONE_ROW",
    "ONE_SUBSTITUTED",
    "read_confidence",
    "read_monotone",
    "read_positive_delta",
    "read_row_relation",
]

#: The relation of a mechanism that names none.
ONE_ROW: Relation = AddRemove()
#: The relation of a mechanism for which the number of rows is public.
ONE_SUBSTITUTED: Relation = Substitute()


def read_confidence(confidence: Any) -> Fraction:
    """Return a probability strictly between 0 and 1, exactly."""
    number = written(confidence, "confidence")
    if not 0 < number < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must lie between 0 and 1, not be {confidence}",
            "write 0.95",
            confidence=shown(confidence),
            argument=Argument("confidence"),
        )
    return number


def read_monotone(monotone: Any) -> bool:
    """Return whether one change moves all utilities the same way."""
    if not isinstance(monotone, bool):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "monotone must be True or False, not {monotone}",
            "write monotone=True",
            monotone=shown(monotone),
        )
    return monotone


def read_positive_delta(delta: Any) -> Fraction:
    """Return a probability above 0 and below 1, exactly."""
    number = event_fields.delta(delta)
    if number == 0:
        raise InputError(
            "E-DELTA-MISSING",
            "{argument} must be above 0 here, not {delta}",
            "write 1e-6, say",
            delta=shown(delta),
            argument=Argument("delta"),
        )
    return number


def read_row_relation(relation: Any, *kinds: type[Relation]) -> Relation:
    """Return a relation of one row, of a kind for which the mechanism is proved."""
    found = read_relation(relation)
    if not isinstance(found, kinds or (Relation,)) or found.count > 1 or found.unit != Row():
        allowed = any_of(f"{kind.__name__}()" for kind in kinds or (AddRemove,))
        raise InputError(
            "E-RELATION-OTHER",
            "this mechanism is proved for a change of one row, not for “{found}”",
            "write relation={allowed} and give each person one row",
            found=found,
            allowed=allowed,
        )
    return found
