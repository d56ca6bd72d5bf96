"""Texts that are compared by their bytes and changed letter by letter, whatever the locale."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING

from sfumato.data.engines.longest import LONGEST_TEXT
from sfumato.data.engines.postgres.functions import call

if TYPE_CHECKING:
    from collections.abc import Callable

    import ibis.expr.types as ir

__all__ = ["as_bytes", "from_bytes", "lowered", "raised", "short_text"]


def as_bytes(text: ir.Value) -> ir.Value:
    """Return the bytes of a text, which are in the order of its characters."""
    return call("convert_to", "binary", text, "UTF8")


def from_bytes(content: ir.Value) -> ir.Value:
    """Return the text of some bytes."""
    return call("convert_from", "string", content, "UTF8")


def short_text(text: ir.Value) -> ir.Value:
    """Return a text, null where it is too long for some function of the server."""
    import ibis

    return ibis.cases((call("octet_length", "int64", text) <= LONGEST_TEXT, text))


def lowered(text: ir.Value) -> ir.Value:
    """Return a text in small letters, one for each."""
    return _mapped(text, "lower")


def raised(text: ir.Value) -> ir.Value:
    """Return a text in capital letters, one for each."""
    return _mapped(text, "upper")


def _mapped(text: ir.Value, method: str) -> ir.Value:
    """Change a text by a table of letters: first those of ASCII, then others if there are any."""
    import ibis

    ascii_, others = _letters(method)
    plain = call("translate", "string", text, *ascii_)
    has_others = call("octet_length", "int64", text) != text.length()
    return ibis.cases((has_others, call("translate", "string", plain, *others)), else_=plain)


@functools.cache
def _letters(method: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the letters of ASCII and all others that change, and what they become."""
    changed = {}
    for place in [*range(1, 0xD800), *range(0xE000, sys.maxunicode + 1)]:
        letter = chr(place)
        other = _CHANGES[method](letter)
        if other != letter:
            changed[letter] = other
    parts = [
        {k: v for k, v in changed.items() if k.isascii() is wanted} for wanted in (True, False)
    ]
    found = tuple(("".join(each), "".join(each.values())) for each in parts)
    return found[0], found[1]


def _lower(letter: str) -> str:
    return "i" if letter == "İ" else letter.lower()


def _upper(letter: str) -> str:
    if letter == "ß":
        return "ẞ"
    wanted = (each for each in (letter.upper(), letter.title()) if len(each) == 1)
    return next(wanted, letter)


_CHANGES: dict[str, Callable[[str], str]] = {"lower": _lower, "upper": _upper}
