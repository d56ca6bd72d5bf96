"""Balls around numbers, and enclosures as pairs of floats."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric.exact import Ln, as_fmpq, exact
from sfumato.numeric.rounding import float_above, float_below

if TYPE_CHECKING:
    from fractions import Fraction


def as_ball(value: float | Fraction | Decimal | Ln | arb) -> arb:
    """Return a ball that holds the number: exact where it fits the precision in force.

    Examples
    --------
    >>> from sfumato.numeric import as_ball
    >>> as_ball(0.5)
    0.500000000000000
    """
    if isinstance(value, arb):
        return value
    if isinstance(value, Ln):
        return value.ball()
    if isinstance(value, float):
        return arb(value)
    return arb(as_fmpq(exact(value)))


@dataclass(frozen=True)
class Enclosure:
    """Two floats with the true value between them: ``lower`` rounded down, ``upper`` up.

    Examples
    --------
    >>> from flint import arb
    >>> from sfumato.numeric import Enclosure
    >>> third = Enclosure.of_ball(arb(1) / 3)
    >>> third.lower < third.upper
    True
    >>> 0.25 in third
    False
    """

    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise InputError(
                "E-BOUNDS-ORDER",
                "an enclosure has its ends in order, not {lower} and {upper}",
                lower=self.lower,
                upper=self.upper,
            )

    @classmethod
    def of_ball(cls, ball: arb) -> Enclosure:
        """Return the tightest pair of floats around a ball.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.numeric import Enclosure
        >>> Enclosure.of_ball(arb(2))
        Enclosure(lower=2.0, upper=2.0)
        """
        return cls(float_below(ball), float_above(ball))

    @property
    def width(self) -> float:
        """How far apart the ends are; zero for a value known exactly, infinity included.

        Examples
        --------
        >>> from sfumato.numeric import Enclosure
        >>> Enclosure(1.0, 1.5).width
        0.5
        """
        return 0.0 if self.lower == self.upper else self.upper - self.lower

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, (Real, Decimal, Ln)) or isinstance(value, bool):
            return False
        number: Any = value
        return bool(self.lower <= number <= self.upper)

    def __str__(self) -> str:
        if self.lower == self.upper:
            return f"{self.lower:.12g}"
        digits = _agreed_digits(self)
        return f"[{self.lower:.{digits}g}, {self.upper:.{digits}g}]"


def _agreed_digits(enclosure: Enclosure) -> int:
    """Return how many digits to print so that the two ends look different, at most 17."""
    size = max(abs(enclosure.lower), abs(enclosure.upper))
    if math.isinf(size) or enclosure.width == 0:
        return 12
    return min(17, max(2, 2 + math.ceil(math.log10(size / enclosure.width))))
