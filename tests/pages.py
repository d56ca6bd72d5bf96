"""The pictures of a page."""

from __future__ import annotations

import re
from base64 import b64decode

__all__ = ["pictures"]

_PICTURE = re.compile(r'<img src="data:image/svg\+xml;base64,([^"]*)" alt="[^"]')


def pictures(page: str) -> list[str]:
    """Return the drawings that are in a page, each of which says what it shows."""
    found = _PICTURE.findall(page)
    assert len(found) == page.count("<img")
    return [b64decode(each).decode() for each in found]
