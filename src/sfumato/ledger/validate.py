"""What a ledger can write down: names, words, numbers of a sane size."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import Any

from sfumato.errors import InputError
from sfumato.refusal import Argument, Given, text
from sfumato.translation import mark

_MOST_CHARACTERS = 200
_MOST_WORDS = 10_000
_MOST_BYTES = 64 * 2**20
_MOST_WAIT = 86_400
#: What no store can write: halves of characters, and the end of a string in C.
_IMPROPER = re.compile("[\ud800-\udfff\0]")
#: How many digits a number may have before the point, or zeros after it.
MOST_DIGITS = 100
_LIMIT = 10**MOST_DIGITS
_MOST_BITS = 32 * MOST_DIGITS


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


def is_of_sane_size(number: Fraction) -> bool:
    """Tell whether a number is neither next to nothing nor beyond all bounds, nor endless."""
    long = max(number.numerator.bit_length(), number.denominator.bit_length())
    return Fraction(1, _LIMIT) <= abs(number) <= _LIMIT and long <= _MOST_BITS


def read_content(content: Any) -> bytes:
    """Return what is released, as bytes that can be kept."""
    if not isinstance(content, bytes):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "what is released must be bytes, not {kind}",
            "write json.dumps(answer).encode()",
            kind=type(content).__name__,
        )
    if len(content) > _MOST_BYTES:
        raise InputError(
            "E-TOO-LARGE",
            "what is released has {count:,} bytes, and a ledger keeps at most {most_bytes:,}",
            "release less at a time",
            count=len(content),
            most_bytes=_MOST_BYTES,
        )
    return content


def read_words(words: Any, name: str) -> str:
    """Return a text that says something, and is not endless."""
    if not isinstance(words, str) or not words.strip():
        given = mark("an empty text") if isinstance(words, str) else type(words).__name__
        raise InputError(
            "E-TEXT-FORM",
            "{name} must be words, not {given}",
            "write 'patients by sex', say",
            name=Argument(name),
            given=given,
        )
    if len(words) > _MOST_WORDS:
        raise InputError(
            "E-TOO-LARGE",
            "{name} must be text of at most {most_words:,} characters, not {count:,}",
            "write it shorter",
            name=Argument(name),
            most_words=_MOST_WORDS,
            count=len(words),
        )
    if improper := _IMPROPER.search(words):
        raise InputError(
            "E-TEXT-FORM",
            "{name} must be proper text, and its character {improper:,}, {letter!r}, is not",
            "leave it out",
            name=Argument(name),
            improper=improper.end(),
            letter=improper[0],
        )
    return words


def read_wait(wait: Any) -> float:
    """Return for how many seconds to wait: 0 or more, and not for ever."""
    if isinstance(wait, bool) or not isinstance(wait, (int, float)) or not 0 <= wait <= _MOST_WAIT:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "wait must be a number of seconds from 0 to {most_wait:,}",
            "write wait=30, say",
            most_wait=_MOST_WAIT,
        )
    return float(wait)


def read_place_after(after: Any) -> int:
    """Return the place in a book after which to read: 0 or more."""
    if isinstance(after, bool) or not isinstance(after, int) or not 0 <= after < 2**63:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "after must be the number of an entry, or 0 for all",
            "write after=10, say",
        )
    return after
