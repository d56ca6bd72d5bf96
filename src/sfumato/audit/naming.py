"""Exact numbers by their names, as they were written."""

from __future__ import annotations

import math
from fractions import Fraction

from sfumato.numeric import Ln, any_float, shown

__all__ = ["name_of", "plain"]

#: A fraction is written as one up to here, and as a decimal beyond.
_LARGEST_DENOMINATOR = 1000


def name_of(value: Fraction | Ln) -> str:
    """Return an exact number by its name."""
    return f"ln({value.argument})" if isinstance(value, Ln) else str(value)


def plain(value: Fraction | Ln) -> str:
    """Return a claimed number as it was written, with no more digits than it has."""
    if isinstance(value, Ln):
        return name_of(value)
    if math.isinf(any_float(value)):
        return shown(value)
    for digits in (f"{float(value):g}", repr(float(value))):
        if Fraction(digits) == value:
            return digits
    return str(value) if value.denominator <= _LARGEST_DENOMINATOR else repr(float(value))
