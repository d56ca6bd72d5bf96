"""Names and text as TOML writes them."""

from __future__ import annotations

import re

__all__ = ["toml_key", "toml_text"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')


def toml_key(name: str) -> str:
    """Return the name of a column as a key, in quotes where it needs them."""
    return name if _BARE.fullmatch(name) else toml_text(name)


def toml_text(text: str) -> str:
    """Return text in quotes, on one line whatever is in it."""
    return f'"{_ESCAPED.sub(_escaped, text)}"'


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04X}"
