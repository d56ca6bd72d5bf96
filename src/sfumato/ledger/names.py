"""Names of datasets, of analysts and of requests."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import text

if TYPE_CHECKING:
    from sfumato.refusal import Given

__all__ = ["read_name"]

_MOST_CHARACTERS = 200


def read_name(value: Any, what: str) -> str:
    """Return a name in Unicode's composed form, so that what looks the same is the same.

    Parameters
    ----------
    value
        Text of 1 to 200 printable characters that neither begins nor ends with a space.
    what
        What it names: "analyst", "dataset".
    """
    name = unicodedata.normalize("NFC", value) if isinstance(value, str) else ""
    if not name.isprintable() or name != name.strip() or not 1 <= len(name) <= _MOST_CHARACTERS:
        raise InputError(
            "E-TEXT-FORM",
            "{what} must be text of 1 to {most_characters} printable characters with no "
            "space at either end, not {value}",
            "write 'north-2', say",
            what=what,
            most_characters=_MOST_CHARACTERS,
            value=_shown(value),
        )
    return str(name)


def _shown(value: Any) -> Given:
    if not isinstance(value, str):
        return type(value).__name__
    if len(value) <= _MOST_CHARACTERS:
        return repr(value)
    return text("{count:,} characters", count=len(value))
