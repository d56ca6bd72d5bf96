"""Letters whose capital is several letters to Spark, and one or none to the other engines."""

from __future__ import annotations

import functools
import sys
from typing import NamedTuple

__all__ = ["SMALL", "Letters", "several_capitals"]


class Letters(NamedTuple):
    """Letters, and what each of them becomes."""

    these: str
    become: str


#: Small letters that depend on the place in the word, or are two.
SMALL = Letters("İΣ", "iσ")
_SURROGATES = range(0xD800, 0xE000)


@functools.cache
def several_capitals() -> Letters:
    """Return the letters with several capitals, and the one that stands for them."""
    places = (place for place in range(sys.maxunicode) if place not in _SURROGATES)
    these = [letter for letter in map(chr, places) if len(letter.upper()) > 1]
    return Letters("".join(these), "".join(map(_capital, these)))


def _capital(letter: str) -> str:
    if letter == "ß":
        return "ẞ"
    return letter.title() if len(letter.title()) == 1 else letter
