"""Amounts of privacy that add up exactly, in bounded work."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from typing import TYPE_CHECKING

from sfumato.numeric import Ln, as_ball, fraction_below, working_precision

if TYPE_CHECKING:
    from flint import arb

    from sfumato.privacy.parameters import Epsilon

__all__ = [
    "UNBOUNDED",
    "Amount",
    "decimal_above",
    "decimal_below",
    "on_grid",
    "root_above",
    "root_below",
    "short_below",
]

_BITS = 256
#: Numbers longer than so many bits are rounded up, to as many.
_MOST_BITS = 3200
_DIGITS = 12
_GRID = 10**18


@total_ordering
@dataclass(frozen=True, eq=False)
class Amount:
    """A sum of rationals and of logarithms of rationals, compared exactly.

    It stays exact as long as its numbers are of a length that a computer adds up at once, which
    is hundreds of digits; beyond that it is rounded up, by next to nothing.

    Attributes
    ----------
    rational
        The sum of the rationals, or infinity.
    argument
        The number, 1 or more, whose logarithm is the sum of the logarithms.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato import Ln
    >>> from sfumato.privacy.filters.amounts import Amount
    >>> Amount.of(Fraction(1, 10)) * 10 == Amount.of(Fraction(1))
    True
    >>> Amount.of(Ln(2)) * 2 + Amount.of(Fraction(1)) > Amount.of(Ln(4))
    True
    """

    rational: Fraction | float = Fraction(0)
    argument: Fraction = Fraction(1)

    @classmethod
    def of(cls, value: Epsilon) -> Amount:
        """Return an amount of one number.

        Examples
        --------
        >>> from sfumato import Ln
        >>> from sfumato.privacy.filters.amounts import Amount
        >>> Amount.of(Ln(2)).argument
        Fraction(2, 1)
        """
        return cls(argument=value.argument) if isinstance(value, Ln) else cls(value)

    def ball(self) -> arb:
        """Return a ball around the amount at the precision in force.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.privacy.filters.amounts import Amount
        >>> Amount(Fraction(1, 2)).ball()
        0.500000000000000
        """
        rational = as_ball(self.rational)
        return rational if self.argument == 1 else rational + Ln(self.argument).ball()

    def epsilon(self) -> Epsilon:
        """Return the amount as one number, rounded up where it is both kinds together.

        Examples
        --------
        >>> from sfumato import Ln
        >>> from sfumato.privacy.filters.amounts import Amount
        >>> (Amount.of(Ln(2)) + Amount.of(Ln(2))).epsilon()
        Ln(4)
        """
        if self.argument == 1:
            return Fraction(self.rational)
        if self.rational == 0:
            return Ln(self.argument)
        with working_precision(_BITS):
            return decimal_above(self.ball())

    def __add__(self, other: Amount) -> Amount:
        if math.inf in (self.rational, other.rational):
            return UNBOUNDED
        return _kept(self.rational + other.rational, self.argument * other.argument)

    def __mul__(self, times: int) -> Amount:
        if self.rational == math.inf:
            return UNBOUNDED
        if _length(self.argument) * times > _MOST_BITS:
            return _kept(times * (self.rational + _logarithm_above(self.argument)), Fraction(1))
        return _kept(self.rational * times, self.argument**times)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Amount):
            return NotImplemented
        return self.rational == other.rational and self.argument == other.argument

    def __lt__(self, other: Amount) -> bool:
        if self.argument == other.argument or math.inf in (self.rational, other.rational):
            return self.rational < other.rational
        if self.rational == other.rational:
            return self.argument < other.argument
        return Ln(self.argument / other.argument) < other.rational - self.rational

    def __hash__(self) -> int:
        return hash((self.rational, self.argument))


#: More than any budget.
UNBOUNDED = Amount(math.inf)


def on_grid(value: arb | Fraction) -> Fraction:
    """Return the least multiple of 10^-18 that is not below a number: sums of such stay short.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.privacy.filters.amounts import on_grid
    >>> on_grid(Fraction(1, 10)), on_grid(Fraction(1, 3)) > Fraction(1, 3)
    (Fraction(1, 10), True)
    """
    return Fraction(math.ceil(_GRID * _fraction_above(value)), _GRID)


def decimal_above(value: arb | Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not below a number.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.privacy.filters.amounts import decimal_above
    >>> float(decimal_above(Fraction(1, 3)))
    0.333333333334
    """
    return -decimal_below(-value)


def decimal_below(value: arb | Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not above a number.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.privacy.filters.amounts import decimal_below
    >>> float(decimal_below(Fraction(2, 3)))
    0.666666666666
    """
    exact = value if isinstance(value, Fraction) else fraction_below(value)
    unit = _unit(_magnitude(exact))
    return math.floor(exact / unit) * unit


def short_below(value: Fraction) -> Fraction:
    """Return a number that can be written down: itself, or a decimal just below a very long one.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.privacy.filters.amounts import short_below
    >>> short_below(Fraction(1, 3)), short_below(Fraction(2**9999, 2**10000 + 1)) < Fraction(1, 2)
    (Fraction(1, 3), True)
    """
    return value if _length(value) <= _MOST_BITS else decimal_below(value)


def root_above(square: Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not below the root of a number.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.privacy.filters.amounts import root_above
    >>> float(root_above(Fraction(2))), float(root_above(Fraction(9, 25)))
    (1.41421356238, 0.6)
    """
    root = root_below(square)
    return root if root**2 == square else root + _unit(_magnitude(square) / 2)


def root_below(square: Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not above the root of a number.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.privacy.filters.amounts import root_below
    >>> float(root_below(Fraction(2))), float(root_below(Fraction(9, 25)))
    (1.41421356237, 0.6)
    """
    unit = _unit(_magnitude(square) / 2)
    return math.isqrt(math.floor(square / unit**2)) * unit


def _magnitude(number: Fraction) -> float:
    """Return the decimal logarithm of a number, roughly; of 0 it may be anything."""
    return (number.numerator.bit_length() - number.denominator.bit_length()) * math.log10(2)


def _unit(magnitude: float) -> Fraction:
    return Fraction(10) ** (math.ceil(magnitude) - _DIGITS)


def _fraction_above(value: arb | Fraction) -> Fraction:
    return value if isinstance(value, Fraction) else -fraction_below(-value)


def _logarithm_above(argument: Fraction) -> Fraction:
    with working_precision(_BITS):
        return -fraction_below(-as_ball(argument).log())


def _length(number: Fraction) -> int:
    """Return how many bits a rational takes; none for 1."""
    return 0 if number == 1 else max(number.numerator.bit_length(), number.denominator.bit_length())


def _kept(rational: Fraction | float, argument: Fraction) -> Amount:
    """Return an amount of numbers that are not too long, rounded up where they are."""
    if _length(argument) > _MOST_BITS:
        rational, argument = rational + _logarithm_above(argument), Fraction(1)
    if isinstance(rational, Fraction) and rational.denominator.bit_length() > _MOST_BITS:
        rational = Fraction(math.ceil(rational * 2**_MOST_BITS), 2**_MOST_BITS)
    return Amount(rational, argument)
