"""Reading what guarantees are made of."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import Enclosure, Ln, shown
from sfumato.privacy.parameters import Epsilon, above, written
from sfumato.privacy.theorems.certified import rounded_up
from sfumato.refusal import Argument

__all__ = ["holds_as_printed", "multiple", "read_share"]

_MOST_BITS = 3000


def read_share(value: Any, name: str) -> Fraction:
    """Return a number from 0 to 1, exactly."""
    number = written(value, name)
    if not 0 <= number <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must lie between 0 and 1, not {value}",
            "it is a probability",
            name=Argument(name),
            value=shown(value),
        )
    return number


def multiple(epsilon: Epsilon, size: int) -> Epsilon:
    """Return ``size`` times an ε: exact, or rounded up where the exact one is too long to keep."""
    if not isinstance(epsilon, Ln):
        return epsilon * size
    bits = max(epsilon.argument.numerator.bit_length(), epsilon.argument.denominator.bit_length())
    return epsilon * size if bits * size <= _MOST_BITS else Fraction(above(epsilon)) * size


def holds_as_printed(enclosure: Enclosure) -> Enclosure:
    """Return an enclosure whose upper end is an upper bound as a decimal, too.

    A float that is given as a parameter is read as its shortest decimal, which may be less.
    """
    if math.isinf(enclosure.upper):
        return enclosure
    return Enclosure(enclosure.lower, rounded_up(Fraction(enclosure.upper)))
