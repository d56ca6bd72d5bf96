"""Exact numbers: rationals, and logarithms of rationals.

Python reads more as a number: the digits of every script, and underscores between digits.  Two
texts that look different, or one that looks like another number, would then be one ε; so here is
the one place that decides.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import total_ordering
from numbers import Integral, Rational, Real
from string import whitespace
from typing import TYPE_CHECKING, Any

from flint import arb, fmpq

from sfumato.errors import InputError
from sfumato.numeric.precision import decide_sign, nearest_float
from sfumato.numeric.rounding import any_float
from sfumato.refusal import Argument
from sfumato.translation import TOO_LONG, mark, tr

if TYPE_CHECKING:
    from sfumato.refusal import Given


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


_LONGEST_SHOWN = 60


def exact(value: Any, name: Given = "value") -> Fraction:
    """Return the rational that ``value`` denotes, exactly; a float is the rational it stores.

    What a text denotes is decided by ``sfumato.numeric.exact``.

    Examples
    --------
    >>> from sfumato.numeric import exact
    >>> exact("0.1"), exact(0.5)
    (Fraction(1, 10), Fraction(1, 2))
    """
    if type(value) is Fraction:
        return value
    if isinstance(value, (str, Decimal)) and has_great_exponent(str(value)):
        raise InputError(
            "E-NUMBER-FORM",
            "{name} has too great an exponent",
            "write one of at most six digits",
            name=Argument(name),
        )
    number = rational(value) if isinstance(value, str) else _stored(value)
    if number is None:
        raise InputError(
            "E-NUMBER-NOT-FINITE",
            "{name} is not a finite number",
            "give an integer, a float or a Fraction",
            name=Argument(name),
        )
    return number


def _stored(value: Any) -> Fraction | None:
    """Return the rational that a number stores; None for what is none, or is not finite."""
    try:
        if isinstance(value, (int, Fraction, float, Decimal)):
            return Fraction(value)
        if isinstance(value, Rational):  # NumPy's integers are such, and overflow
            return Fraction(int(value.numerator), int(value.denominator))
        return Fraction(*value.as_integer_ratio())
    except (ValueError, ArithmeticError, AttributeError, TypeError):
        return None


def is_exact(value: object) -> bool:
    """Tell whether a number is held exactly: an integer, a Fraction or a Decimal.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.numeric import is_exact
    >>> is_exact(Fraction(1, 3)), is_exact(1 / 3)
    (True, False)
    """
    return isinstance(value, (Rational, Decimal))


def shown(value: object) -> str:
    """Return a value as a message can show it: cut where it is long, said in words where too long.

    Arrays, columns and tables may hold data, of which no message shows a cell.

    Examples
    --------
    >>> from sfumato.numeric import shown
    >>> shown(0.5), shown(10**5000)
    ('0.5', 'a number of thousands of digits')
    """
    if hasattr(value, "__array__") and getattr(value, "ndim", 1) != 0:
        return tr("a value of type {name}", name=type(value).__name__)
    try:
        text = str(value) if is_exact(value) else repr(value)
    except ValueError:
        return TOO_LONG
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def as_fmpq(value: Fraction) -> fmpq:
    """Return a Fraction as a rational of the ball-arithmetic library.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.numeric import as_fmpq
    >>> as_fmpq(Fraction(1, 3))
    1/3
    """
    return fmpq(value.numerator, value.denominator)


@total_ordering
@dataclass(frozen=True, eq=False)
class Ln:
    """The natural logarithm of a positive rational, held exactly.

    Give it wherever an ``epsilon`` is taken: ``Ln(2)`` is ln 2 itself, not the float near it,
    so that comparisons at the boundary are decided exactly.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> Ln(2)
    Ln(2)
    >>> float(Ln(2))
    0.6931471805599453
    >>> Ln(2) + Ln("3/2") == Ln(3)
    True
    >>> Ln(2) > 0.6931471805599453  # the float lies below ln 2
    True
    """

    argument: Fraction

    def __init__(self, argument: str | float | Fraction | Decimal) -> None:
        value = exact(argument, mark("the argument of Ln"))
        if value <= 0:
            raise InputError(
                "E-ARGUMENT-RANGE",
                "Ln takes a positive number, not {value}",
                "write Ln(2) for ln 2",
                value=shown(value),
            )
        object.__setattr__(self, "argument", value)

    def ball(self) -> arb:
        """Return a ball around the value at the precision in force.

        Examples
        --------
        >>> from sfumato.numeric import Ln
        >>> Ln(1).ball()
        0
        """
        return arb(as_fmpq(self.argument)).log()

    def __float__(self) -> float:
        return nearest_float(self.ball)

    def __add__(self, other: Ln) -> Ln:
        if not isinstance(other, Ln):
            return NotImplemented
        return Ln(self.argument * other.argument)

    def __neg__(self) -> Ln:
        return Ln(1 / self.argument)

    def __sub__(self, other: Ln) -> Ln:
        if not isinstance(other, Ln):
            return NotImplemented
        return Ln(self.argument / other.argument)

    def __mul__(self, times: int) -> Ln:
        if not isinstance(times, Integral):
            return NotImplemented
        return Ln(self.argument ** int(times))

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Ln):
            return self.argument == other.argument
        # ln of a rational is rational only at 1 (Lindemann), so no other number equals it.
        return isinstance(other, (Real, Decimal)) and self.argument == 1 and other == 0

    def __lt__(self, other: object) -> bool:
        if isinstance(other, Ln):
            return self.argument < other.argument
        if not isinstance(other, (Real, Decimal)):
            return NotImplemented
        return self != other and _log_below(self, other)

    def __hash__(self) -> int:
        return hash(("Ln", self.argument)) if self.argument != 1 else hash(0)

    def __repr__(self) -> str:
        return f"Ln({shown(self.argument)})"


def rational_exponential(epsilon: float | Fraction | Decimal | Ln) -> Fraction | None:
    """Return e^ε where it is rational, else None: by Lindemann's theorem only at 0 and at Ln."""
    if isinstance(epsilon, Ln):
        return epsilon.argument
    return Fraction(1) if epsilon == 0 else None


def _log_below(logarithm: Ln, bound: Real | Decimal) -> bool:
    """Decide ``ln r < bound`` for a bound that is not equal to it, by ever finer balls."""
    near = any_float(bound)
    if math.isinf(near):
        return near > 0
    rational = as_fmpq(exact(bound))
    return decide_sign(lambda: logarithm.ball() - arb(rational)) < 0
