"""Numbers with so many places after the point, rounded in a stated direction."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["as_written", "to_places"]


def as_written(value: float) -> Fraction:
    """Return the number that is written where a float is printed."""
    return Fraction(value) if isinstance(value, int) else Fraction(str(value))


def to_places(value: Fraction, places: int, rounding: Callable[[Fraction], int] = round) -> Decimal:
    """Return a number with so many places after the point.

    Parameters
    ----------
    value
        The number.
    places
        How many places it gets.
    rounding
        ``round``, ``math.floor`` or ``math.ceil``.
    """
    whole = rounding(value * 10**places)
    return Decimal(f"{whole:d}e-{places}")
