"""Which values count as numbers: by their type alone."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any, TypeGuard

import numpy as np

from sfumato.errors import InputError

__all__ = ["exactly", "is_number", "is_whole", "refuse_masked"]

#: What Python and NumPy count among the whole numbers, and is none.
_NO_NUMBERS = (bool, np.timedelta64)


def is_whole(value: object) -> TypeGuard[Integral]:
    """Tell whether a value is a whole number: Python's or NumPy's, no truth value, no duration."""
    return isinstance(value, Integral) and not isinstance(value, _NO_NUMBERS)


def is_number(value: object) -> bool:
    """Tell whether a value is a whole number, a Fraction or a float of any length."""
    return is_whole(value) or isinstance(value, (float, np.floating, Fraction))


def exactly(number: Any) -> Fraction | float:
    """Return a number exactly; NaN, and what is beyond all floats, as the float it is."""
    if isinstance(number, Rational):  # NumPy's integers are such, and overflow
        return Fraction(int(number.numerator), int(number.denominator))
    near = float(number)
    return Fraction(*number.as_integer_ratio()) if math.isfinite(near) else near


def refuse_masked(value: Any) -> None:
    """Refuse a masked array, of which NumPy would read what is masked as if it were not."""
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(value, masked.MaskedArray):
        raise InputError(
            "E-COLUMN-TYPE",
            "a masked array is not taken, since what it hides would be read",
            "write array.filled(0), or another public number for what is hidden",
        )
