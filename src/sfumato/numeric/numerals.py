"""What a written number is: a sign, the digits 0 to 9, a point and an exponent, or a fraction a/b.

Python reads more as a number: the digits of every script, and underscores between digits.  Two
texts that look different, or one that looks like another number, would then be one ε; so here is
the one place that decides.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from string import whitespace

__all__ = ["has_great_exponent", "meant", "rational", "whole"]

_WHOLE = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?([0-9]+))?")
_RATIO = re.compile(r"[+-]?[0-9]+/[0-9]+")
#: Longer exponents make numbers that would fill the memory.
_EXPONENT_DIGITS = 6


def rational(text: str) -> Fraction | None:
    """Return the number that a text writes, exactly; None where it writes none."""
    numeral = text.strip(whitespace)
    is_decimal = _DECIMAL.fullmatch(numeral) and not has_great_exponent(numeral)
    if not is_decimal and not _RATIO.fullmatch(numeral):
        return None
    try:
        return Fraction(numeral)
    except (ValueError, ZeroDivisionError):  # thousands of digits are none to Python
        return None


def whole(text: str) -> int | None:
    """Return the whole number that a text writes; None where it writes none."""
    numeral = text.strip(whitespace)
    try:
        return int(numeral) if _WHOLE.fullmatch(numeral) else None
    except ValueError:
        return None


def has_great_exponent(text: str) -> bool:
    """Tell whether a text writes a number with an exponent of more than six digits."""
    found = _DECIMAL.fullmatch(text.strip(whitespace))
    return found is not None and len(found[1] or "") > _EXPONENT_DIGITS


def meant(text: str) -> str | None:
    """Return the numeral that stands for other digits, or for one with underscores, if any does."""
    usual = unicodedata.normalize("NFKC", text).replace("_", "")
    digits = [str(unicodedata.decimal(each, each)) for each in usual]
    numeral = "".join(digits).strip()
    return numeral if rational(text) is None and rational(numeral) is not None else None
