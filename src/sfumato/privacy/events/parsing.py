"""JSON text to plain values, as all documents are read."""

from __future__ import annotations

from sfumato.documents import read_json as parsed

__all__ = ["parsed"]
