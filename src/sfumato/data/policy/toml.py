"""Names and text as TOML writes them."""

from __future__ import annotations

import re

__all__ = ["toml_key", "toml_number", "toml_text"]

#: The first character whose code does not fit the short escape.
_LONG = 0x10000
_NUMBER = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_key(name: str) -> str:
    """Return the name of a column as a key, in quotes where it needs them."""
    return name if _BARE.fullmatch(name) else toml_text(name)


def toml_text(text: str) -> str:
    """Return text in quotes, on one line whatever is in it."""
    return f'"{"".join(map(_escaped, text))}"'


def toml_number(text: str) -> str:
    """Return a number as TOML has it; one that TOML cannot write becomes text."""
    return text if _NUMBER.fullmatch(text) else toml_text(text)


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04X}" if code < _LONG else f"\\U{code:08X}"
