"""Reading what promises are made of."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import Enclosure, Ln, shown
from sfumato.privacy.parameters import Epsilon, above, written
from sfumato.privacy.relation import AddRemove, Relation, Substitute
from sfumato.privacy.theorems.certified import rounded_up

__all__ = ["holds_as_printed", "multiple", "read_relation", "read_share"]

_MOST_BITS = 3000


def read_relation(relation: Any) -> Relation:
    """Return a relation, or say in one sentence what to write.

    Examples
    --------
    >>> from sfumato.privacy import AddRemove
    >>> from sfumato.privacy.guarantees.reading import read_relation
    >>> print(read_relation(AddRemove()))
    add or remove one row
    """
    if not isinstance(relation, (AddRemove, Substitute)):
        message = (
            f"relation must be AddRemove() or Substitute(), not {shown(relation)}; "
            "write relation=AddRemove(), say"
        )
        raise InputError(message)
    return relation


def read_share(value: Any, name: str) -> Fraction:
    """Return a number from 0 to 1, exactly.

    Examples
    --------
    >>> from sfumato.privacy.guarantees.reading import read_share
    >>> read_share(0.25, "prior")
    Fraction(1, 4)
    """
    number = written(value, name)
    if not 0 <= number <= 1:
        message = f"{name} must lie between 0 and 1, not {shown(value)}; it is a probability"
        raise InputError(message)
    return number


def multiple(epsilon: Epsilon, size: int) -> Epsilon:
    """Return ``size`` times an ε: exact, or rounded up where the exact one is too long to keep.

    Examples
    --------
    >>> from sfumato import Ln
    >>> from sfumato.privacy.guarantees.reading import multiple
    >>> multiple(Ln(2), 3)
    Ln(8)
    """
    if not isinstance(epsilon, Ln):
        return epsilon * size
    bits = max(epsilon.argument.numerator.bit_length(), epsilon.argument.denominator.bit_length())
    return epsilon * size if bits * size <= _MOST_BITS else Fraction(above(epsilon)) * size


def holds_as_printed(enclosure: Enclosure) -> Enclosure:
    """Return an enclosure whose upper end is an upper bound as a decimal, too.

    A float that is given as a parameter is read as its shortest decimal, which may be less.

    Examples
    --------
    >>> from sfumato import Enclosure
    >>> from sfumato.privacy.guarantees.reading import holds_as_printed
    >>> holds_as_printed(Enclosure(0.0, 0.1)).upper
    0.10000000000000002
    """
    if math.isinf(enclosure.upper):
        return enclosure
    return Enclosure(enclosure.lower, rounded_up(Fraction(enclosure.upper)))
