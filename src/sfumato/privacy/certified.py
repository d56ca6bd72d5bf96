"""The text of a certificate: one document, one text, and what is signed of it."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "KIND",
    "MOST_CHARACTERS",
    "VERSION",
    "certificate_pieces",
    "certificate_text",
    "question_digits",
    "signed_message",
]

#: What a certificate says that it is, and the form that this program writes and reads.
KIND, VERSION = "sfumato certificate", 1
#: No certificate is longer than this.
MOST_CHARACTERS = 20_000_000

_SALT = f"{KIND} {VERSION}\n"
_DIGITS = 32


def certificate_text(document: dict[str, Any]) -> str:
    r"""Return the one text of a certificate: keys in order, two spaces a level, plain ASCII.

    Nothing invisible can stand in it: what is not ASCII is written as its code.

    Examples
    --------
    >>> from sfumato.privacy.certified import certificate_text
    >>> certificate_text({"b": 1, "a": "ε"})
    '{\n  "a": "\\u03b5",\n  "b": 1\n}\n'
    """
    return "".join(certificate_pieces(document))


def certificate_pieces(document: dict[str, Any]) -> Iterator[str]:
    r"""Yield the one text of a certificate, piece by piece.

    Examples
    --------
    >>> from sfumato.privacy.certified import certificate_pieces
    >>> "".join(certificate_pieces({"version": 1}))
    '{\n  "version": 1\n}\n'
    """
    yield from json.JSONEncoder(indent=2, sort_keys=True, allow_nan=False).iterencode(document)
    yield "\n"


def question_digits(query: dict[str, Any], policy: dict[str, Any]) -> str:
    """Return digits of what is asked and declared, by which a charge is known to be for it.

    Parameters
    ----------
    query, policy
        The fields of these names of a certificate.

    Examples
    --------
    >>> from sfumato.privacy.certified import question_digits
    >>> question_digits({"keys": ["sex"]}, {}) == question_digits({"keys": []}, {})
    False
    """
    written = json.dumps([query, policy], sort_keys=True, separators=(",", ":"))
    return sha256(written.encode("ascii")).hexdigest()[:_DIGITS]


def signed_message(document: dict[str, Any]) -> bytes:
    r"""Return what is signed of a certificate: its text without the signature, under a name.

    Examples
    --------
    >>> from sfumato.privacy.certified import signed_message
    >>> signed_message({"kind": "sfumato certificate", "signature": "0f"})
    b'sfumato certificate 1\n{\n  "kind": "sfumato certificate"\n}\n'
    """
    signed = {name: each for name, each in document.items() if name != "signature"}
    return (_SALT + certificate_text(signed)).encode("ascii")
