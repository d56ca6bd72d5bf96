"""Reading what mechanisms have in common: relations, confidences, choices between two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy import AddRemove, Relation, Row, Substitute, written
from sfumato.privacy.events import fields as event_fields

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "ONE_ROW",
    "ONE_SUBSTITUTED",
    "read_confidence",
    "read_monotone",
    "read_positive_delta",
    "read_relation",
    "read_row_relation",
]

#: The relation of a mechanism that names none.
ONE_ROW: Relation = AddRemove()
#: The relation of a mechanism for which the number of rows is public.
ONE_SUBSTITUTED: Relation = Substitute()


def read_relation(relation: Any) -> Relation:
    """Return a neighbouring relation, or refuse what is none."""
    if not isinstance(relation, Relation):
        message = (
            f"relation must be AddRemove() or Substitute(), not {shown(relation)}; "
            "write relation=sf.AddRemove()"
        )
        raise InputError(message)
    return relation


def read_confidence(confidence: Any) -> Fraction:
    """Return a probability strictly between 0 and 1, exactly."""
    number = written(confidence, "confidence")
    if not 0 < number < 1:
        message = f"confidence must lie between 0 and 1, not be {shown(confidence)}; write 0.95"
        raise InputError(message)
    return number


def read_monotone(monotone: Any) -> bool:
    """Return whether one change moves all utilities the same way."""
    if not isinstance(monotone, bool):
        message = f"monotone must be True or False, not {shown(monotone)}; write monotone=True"
        raise InputError(message)
    return monotone


def read_positive_delta(delta: Any) -> Fraction:
    """Return a probability above 0 and below 1, exactly."""
    number = event_fields.delta(delta)
    if number == 0:
        message = f"delta must be above 0 here, not {shown(delta)}; write 1e-6, say"
        raise InputError(message)
    return number


def read_row_relation(relation: Any, *kinds: type[Relation]) -> Relation:
    """Return a relation of one row, of a kind for which the mechanism is proved."""
    found = read_relation(relation)
    if not isinstance(found, kinds or (Relation,)) or found.count > 1 or found.unit != Row():
        allowed = " or ".join(f"{kind.__name__}()" for kind in kinds) or "AddRemove()"
        message = (
            f"this mechanism is proved for a change of one row, not for “{found}”; write "
            f"relation={allowed} and give each person one row"
        )
        raise InputError(message)
    return found
