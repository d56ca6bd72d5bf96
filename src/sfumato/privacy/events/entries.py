"""The fields of a JSON object: which there must be, and how numbers stand in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.numeric import shown
from sfumato.privacy.events.wording import plain
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["as_number", "check_fields", "check_version", "cut", "stored"]

_LONGEST_NAME = 60


def check_version(document: Any, version: int, form: str) -> None:
    """Refuse a document that says no version, or one that this program does not read."""
    if not isinstance(document, dict) or "version" not in document:
        raise InputError(
            "E-DOCUMENT-FORM", "the document does not say its version", "write {form}", form=form
        )
    given = document["version"]
    if type(given) is not int or given < 1:
        raise InputError(
            "E-FORMAT-VERSION",
            "version must be {version}, not {given}",
            "write {form}",
            version=version,
            given=shown(given),
            form=form,
        )
    if given > version:
        raise InputError(
            "E-FORMAT-VERSION",
            "this document is of version {given}, this program reads {version}",
            "install a newer sfumato",
            given=shown(given),
            version=version,
        )


def check_fields(
    entry: Mapping[Any, Any], wanted: Sequence[str], place: str, optional: Sequence[str] = ()
) -> None:
    """Refuse a field that is unknown, is missing or stood twice in the text."""
    twice = getattr(entry, "twice", None)
    if twice is not None:
        raise InputError(
            "E-DOCUMENT-FORM",
            "{place}: the field {twice!r} stands twice",
            "write it once",
            place=place,
            twice=cut(twice),
        )
    for name in entry:
        if name not in wanted and name not in optional:
            known = dict.fromkeys([*wanted, *optional])
            raise UnknownNameError(kind="field", name=cut(name), known=known, where=place)
    for name in wanted:
        if name not in entry:
            raise InputError(
                "E-DOCUMENT-FORM",
                "{place}: the field {name!r} is missing",
                "write all of {wanted}",
                place=place,
                name=name,
                wanted=", ".join(wanted),
            )


def stored(value: Any) -> Any:
    """Return a number, or pairs of them, as documents do: counts as they are, others as text."""
    if isinstance(value, tuple):
        return [stored(each) for each in value]
    return value if isinstance(value, int) else plain(value)


def as_number(value: Any, name: str) -> Any:
    """Return what stands for a number, or for pairs of them, unless it is an object."""
    if isinstance(value, dict):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a number, or pairs of them, not {value}",
            "write 1, say",
            name=Argument(name),
            value=shown(value),
        )
    return value


def cut(name: Any) -> str:
    """Return a name as a message can show it."""
    text = str(name)
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"
