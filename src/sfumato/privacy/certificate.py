"""The text of a certificate: one document, one text, and what is signed of it."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


#: What a certificate says that it is, and the form that this program writes and reads.
KIND, VERSION = "sfumato certificate", 1
#: No certificate is longer than this.
MOST_CHARACTERS = 20_000_000

_SALT = f"{KIND} {VERSION}\n"
_DIGITS = 32


def certificate_text(document: dict[str, Any]) -> str:
    """Return the one text of a certificate: keys in order, two spaces a level, plain ASCII.

    Nothing invisible can stand in it: what is not ASCII is written as its code.
    """
    return "".join(certificate_pieces(document))


def certificate_pieces(document: dict[str, Any]) -> Iterator[str]:
    """Yield the one text of a certificate, piece by piece."""
    yield from json.JSONEncoder(indent=2, sort_keys=True, allow_nan=False).iterencode(document)
    yield "\n"


def question_digits(query: dict[str, Any], policy: dict[str, Any]) -> str:
    """Return digits of what is asked and declared, by which a charge is known to be for it.

    Parameters
    ----------
    query, policy
        The fields of these names of a certificate.
    """
    written = json.dumps([query, policy], sort_keys=True, separators=(",", ":"))
    return sha256(written.encode("ascii")).hexdigest()[:_DIGITS]


def signed_message(document: dict[str, Any]) -> bytes:
    """Return what is signed of a certificate: its text without the signature, under a name."""
    signed = {name: each for name, each in document.items() if name != "signature"}
    return (_SALT + certificate_text(signed)).encode("ascii")
