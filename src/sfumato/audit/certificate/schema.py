"""The published form of a certificate, as a JSON Schema."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from sfumato.privacy.certified import VERSION

__all__ = ["certificate_schema"]


def certificate_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the certificates that this program writes.

    Examples
    --------
    >>> from sfumato.audit.certificate import certificate_schema
    >>> certificate_schema()["title"]
    'sfumato certificate, version 1'
    """
    file = files(__package__).joinpath(f"certificate-{VERSION}.schema.json")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
