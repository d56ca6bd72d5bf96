"""The text of a certificate: one document, one text, and what is signed of it."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["KIND", "VERSION", "certificate_text", "signed_message"]

#: What a certificate says that it is, and the form that this program writes and reads.
KIND, VERSION = "sfumato certificate", 1

_SALT = f"{KIND} {VERSION}\n"


def certificate_text(document: dict[str, Any]) -> str:
    r"""Return the one text of a certificate: keys in order, two spaces a level, plain ASCII.

    Nothing invisible can stand in it: what is not ASCII is written as its code.

    Examples
    --------
    >>> from sfumato.privacy.certified import certificate_text
    >>> certificate_text({"b": 1, "a": "ε"})
    '{\n  "a": "\\u03b5",\n  "b": 1\n}\n'
    """
    return json.dumps(document, indent=2, sort_keys=True, allow_nan=False) + "\n"


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
