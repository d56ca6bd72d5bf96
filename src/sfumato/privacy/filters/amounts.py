"""Amounts of privacy that add up exactly, in bounded work."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import total_ordering
from typing import TYPE_CHECKING

from flint import arb, fmpq

from sfumato.numeric import Ln, as_fmpq, fraction_below, working_precision

if TYPE_CHECKING:
    from sfumato.privacy.parameters import Epsilon


#: Numbers longer than so many bits are not written down.
_MOST_BITS = 3200
_DIGITS = 12
#: Sums of multiples of 1 over this stay short.
GRID = 10**18


def on_grid(value: arb | Fraction) -> Fraction:
    """Return the least multiple of 10^-18 that is not below a number: sums of such stay short."""
    return Fraction(math.ceil(GRID * _fraction_above(value)), GRID)


def decimal_above(value: arb | Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not below a number."""
    return -decimal_below(-value)


def decimal_below(value: arb | Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not above a number."""
    exact = value if isinstance(value, Fraction) else fraction_below(value)
    unit = _unit(_magnitude(exact))
    return math.floor(exact / unit) * unit


def short_below(value: Fraction) -> Fraction:
    """Return a number that can be written down: itself, or a decimal just below a very long one."""
    longest = max(value.numerator.bit_length(), value.denominator.bit_length())
    return value if longest <= _MOST_BITS else decimal_below(value)


def root_above(square: Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not below the root of a number."""
    root = root_below(square)
    return root if root**2 == square else root + _unit(_magnitude(square) / 2)


def root_below(square: Fraction) -> Fraction:
    """Return a decimal of twelve digits that is not above the root of a number."""
    unit = _unit(_magnitude(square) / 2)
    return math.isqrt(math.floor(square / unit**2)) * unit


def _magnitude(number: Fraction) -> float:
    """Return the decimal logarithm of a number, roughly; of 0 it may be anything."""
    return (number.numerator.bit_length() - number.denominator.bit_length()) * math.log10(2)


def _unit(magnitude: float) -> Fraction:
    return Fraction(10) ** (math.ceil(magnitude) - _DIGITS)


def _fraction_above(value: arb | Fraction) -> Fraction:
    return value if isinstance(value, Fraction) else -fraction_below(-value)


_BITS = 256
#: How many bits of a share are computed before it is rounded up.
_SHARE_BITS = 64
#: Numbers longer than so many bits are rounded up, to as many.
_NUMBER = "[0-9]{1,4000}(?:/[1-9][0-9]{0,3999})?"
_WRITTEN = re.compile(
    rf"(?P<alone>{_NUMBER})|(?:(?P<rational>{_NUMBER})\+)?ln\((?P<argument>{_NUMBER})\)"
)
_ZERO, _ONE, _FINEST = fmpq(0), fmpq(1), fmpq(1, 2**_MOST_BITS)
#: More than any budget that can be written down, and not too long to be written down itself.
_GREATEST = fmpq(2**8192)


@total_ordering
class Amount:
    """A sum of rationals and of logarithms of rationals, compared exactly.

    It stays exact as long as its numbers are of a length that a computer adds up at once, which
    is hundreds of digits; beyond that it is rounded up, by next to nothing.  An amount that no
    budget holds is infinite.

    Parameters
    ----------
    rational
        The sum of the rationals, or infinity.
    argument
        The number, 1 or more, whose logarithm is the sum of the logarithms.
    """

    __slots__ = ("_product", "_sum")

    def __init__(
        self, rational: Fraction | float = Fraction(0), argument: Fraction = Fraction(1)
    ) -> None:
        self._sum = None if rational == math.inf else as_fmpq(Fraction(rational))
        self._product = _ONE if argument == 1 else as_fmpq(argument)

    @classmethod
    def of(cls, value: Epsilon) -> Amount:
        """Return an amount of one number."""
        return cls(argument=value.argument) if isinstance(value, Ln) else cls(value)

    @classmethod
    def from_text(cls, text: str) -> Amount | None:
        """Return the amount that a text says, as ``str`` writes it; None if it says none."""
        if text == "inf":
            return UNBOUNDED
        found = _WRITTEN.fullmatch(text)
        if found is None:
            return None
        total = _number(found["alone"] or found["rational"] or "0")
        product = _number(found["argument"]) if found["argument"] else _ONE
        return cls._kept(total, product) if product >= _ONE else None

    @classmethod
    def _kept(cls, total: fmpq, product: fmpq) -> Amount:
        """Return an amount of numbers that are not too long, rounded up where they are."""
        if product is not _ONE and product.height_bits() > _MOST_BITS:
            total, product = total + _logarithm_above(product), _ONE
        if total.height_bits() > _MOST_BITS:
            if total.q.bit_length() > _MOST_BITS:
                total = (total / _FINEST).ceil() * _FINEST
            if total > _GREATEST:
                return UNBOUNDED
        made = cls.__new__(cls)
        made._sum, made._product = total, product  # noqa: SLF001 - of the same kind
        return made

    @property
    def rational(self) -> Fraction | float:
        """The sum of the rationals, or infinity."""
        return math.inf if self._sum is None else _fraction(self._sum)

    @property
    def argument(self) -> Fraction:
        """The number whose logarithm is the sum of the logarithms; 1 where there is none."""
        return _fraction(self._product)

    @property
    def is_negative(self) -> bool:
        """Whether it is less than nothing."""
        if self._sum is not None and self._product is _ONE:
            return bool(self._sum.p < 0)
        return self < _NOTHING

    def ball(self) -> arb:
        """Return a ball around the amount at the precision in force."""
        rational = arb(math.inf if self._sum is None else self._sum)
        return rational if self._product == _ONE else rational + arb(self._product).log()

    def over(self, other: Amount) -> fmpq | None:
        """Return the ratio to another amount where both are finite rationals; None otherwise."""
        if self._sum is None or other._sum is None or not self._product == other._product == _ONE:
            return None
        return self._sum / other._sum

    def epsilon(self) -> Epsilon:
        """Return the amount as one number, rounded up where it is both kinds together."""
        if self._product == _ONE:
            return Fraction(self.rational)
        if self._sum == _ZERO:
            return Ln(self.argument)
        with working_precision(_BITS):
            return decimal_above(self.ball())

    def __float__(self) -> float:
        if self._sum is None:
            return math.inf
        if self._product is not _ONE and self._product != _ONE:
            with working_precision(_BITS):
                return float(self.ball())
        try:
            return int(self._sum.p) / int(self._sum.q)
        except OverflowError:
            return math.inf

    def __add__(self, other: Amount) -> Amount:
        if self._sum is None or other._sum is None:
            return UNBOUNDED
        product = other._product if self._product is _ONE else self._product * other._product
        return self._kept(self._sum + other._sum, product)

    def __mul__(self, times: int) -> Amount:
        if self._sum is None:
            return UNBOUNDED
        if self._product == _ONE:
            return self._kept(self._sum * times, _ONE)
        if self._product.height_bits() * times > _MOST_BITS:
            return self._kept((self._sum + _logarithm_above(self._product)) * times, _ONE)
        return self._kept(self._sum * times, self._product**times)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Amount):
            return NotImplemented
        return self._sum == other._sum and self._product == other._product

    def __lt__(self, other: Amount) -> bool:
        if self._sum is None or other._sum is None:
            return self._sum is not None
        if self._product is other._product or self._product == other._product:
            return self._sum < other._sum
        if self._sum == other._sum:
            return self._product < other._product
        return Ln(_fraction(self._product / other._product)) < _fraction(other._sum - self._sum)

    def __le__(self, other: Amount) -> bool:
        return not other < self

    def __hash__(self) -> int:
        return hash((self._sum, self._product))

    def __str__(self) -> str:
        if self._sum is None:
            return "inf"
        if self._product is _ONE or self._product == _ONE:
            return _text(self._sum)
        logarithm = f"ln({_text(self._product)})"
        return logarithm if self._sum == _ZERO else f"{_text(self._sum)}+{logarithm}"

    def __repr__(self) -> str:
        return f"<Amount of {self}>"


#: More than any budget, and nothing at all.
UNBOUNDED, _NOTHING = Amount(math.inf), Amount()


def share_above(amount: Amount, limit: Amount) -> Fraction:
    """Return which share of a limit an amount is, rounded up to a multiple of 10^-18.

    Exactly 1 where they are equal, at most 1 where the amount is within the limit, and 0 where
    there is none.
    """
    if amount == _NOTHING:
        return Fraction(0)
    if (exact := amount.over(limit)) is not None:
        return Fraction(int((exact * GRID).ceil()), GRID)
    share = on_grid(_ratio(amount, limit))
    return min(share, Fraction(1)) if amount <= limit else share


def _ratio(amount: Amount, limit: Amount) -> Fraction:
    """Return the ratio of two amounts above 0, rounded up, as finely as it takes."""
    bits = _BITS
    while True:
        with working_precision(bits):
            ratio = amount.ball() / limit.ball()
            if ratio.rel_accuracy_bits() >= _SHARE_BITS:
                return -fraction_below(-ratio)
        bits *= 2


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def _number(text: str) -> fmpq:
    above, _, below = text.partition("/")
    return fmpq(int(above), int(below or 1))


def _text(number: fmpq) -> str:
    below = int(number.q)
    return f"{int(number.p)}" if below == 1 else f"{int(number.p)}/{below}"


def _logarithm_above(argument: fmpq) -> fmpq:
    with working_precision(_BITS):
        return as_fmpq(-fraction_below(-arb(argument).log()))
