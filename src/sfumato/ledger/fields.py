"""The fields of an entry: which there are, of what type, and what is said of odd ones."""

from __future__ import annotations

import json
from types import NoneType
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.refusal import Given

__all__ = ["FIELDS", "PLACE", "SEE_VERIFY", "Fields", "is_of_type", "parsed", "read_fields"]

#: What to do about a ledger that does not hold what was written.
SEE_VERIFY = mark("see what sfumato ledger verify says")

#: What every entry says, what each kind says besides, and the type of each.
PLACE: dict[str, Any] = {
    "dataset": str,
    "kind": str,
    "ledger": str,
    "previous": str,
    "sequence": int,
    "version": int,
    "when": str,
}
_CHARGE = {
    "analyst": str,
    "event": dict,
    "purpose": str,
    "receipt": str,
    "request": (str, NoneType),
}
_SETTLING = {"charge": str, "receipt": str, "settles": int}
FIELDS: Mapping[str, Mapping[str, Any]] = {
    "opening": PLACE | {"rules": list, "signer": str},
    "charge": PLACE | _CHARGE,
    "spending": PLACE | _CHARGE | {"signer": str},
    "release": PLACE | _SETTLING | {"digest": str, "signer": str, "size": int},
    "closing": PLACE | _SETTLING | {"reason": str},
}
_TYPES = {name: wanted for fields in FIELDS.values() for name, wanted in fields.items()}


class Fields(dict[str, Any]):
    """The fields of one entry; one that is missing or odd says that the ledger is damaged."""

    def __getitem__(self, name: str) -> Any:
        said, wanted = self.get(name, ...), _TYPES.get(name, object)
        if type(said) is not wanted and not is_of_type(said, wanted):
            raise self.damage(
                text("its field {name!r} is missing, or not as sfumato writes it", name=name)
            )
        return said

    def damage(self, what: Given) -> InputError:
        """Return the error about an entry with something wrong, and what to do."""
        sequence, dataset = self.get("sequence"), self.get("dataset")
        is_placed = is_of_type(sequence, int) and isinstance(dataset, str)
        which: Given = mark("an entry")
        if is_placed:
            which = text("entry {sequence} of {dataset!r:.80}", sequence=sequence, dataset=dataset)
        return InputError(
            "E-LEDGER-DAMAGED",
            "{which} is damaged: {what}",
            "{see_verify}",
            which=which,
            what=what,
            see_verify=SEE_VERIFY,
        )


def is_of_type(said: Any, wanted: Any) -> bool:
    """Tell whether the value of a field is of a type; true and false are no numbers."""
    return said is not ... and isinstance(said, wanted) and not isinstance(said, bool)


def read_fields(text: Any) -> Fields:
    """Return the fields that the text of an entry says; refuse one that says none."""
    fields = parsed(text)
    if fields is None:
        raise Fields().damage(mark("it is not a JSON object"))
    return fields


def parsed(text: Any) -> Fields | None:
    """Return the fields that a text says; None if it is not a JSON object."""
    if not isinstance(text, str):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "an entry is text, not {kind}",
            "give what a ledger wrote",
            kind=type(text).__name__,
        )
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return Fields(body) if isinstance(body, dict) else None
