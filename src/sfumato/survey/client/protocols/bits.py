"""Reports that are one bit for each choice, written as a text such as ``b0100``.

The letter in front keeps programs that guess at types from reading a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["are_bits", "bit", "written_bits"]

_MARK = "b"


def written_bits(bits: Iterable[bool]) -> str:
    """Return the text of some bits."""
    return _MARK + "".join("1" if each else "0" for each in bits)


def bit(text: object, place: int) -> bool:
    """Return one of the bits that a text writes."""
    return str(text)[1 + place] == "1"


def are_bits(text: object, count: int) -> bool:
    """Return whether this is a text of so many bits."""
    return (
        isinstance(text, str)
        and len(text) == count + 1
        and text[0] == _MARK
        and set(text[1:]) <= {"0", "1"}
    )
