"""Sums of exponentials of rationals, held exactly: signs and ties are decided, never guessed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import total_ordering
from numbers import Integral, Rational
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric.exact import as_fmpq, exact, shown
from sfumato.numeric.precision import decide_sign, nearest_float
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable


@total_ordering
class Exponentials:
    """A finite sum of c·e^r with rational c and r, held exactly.

    The powers e^r of distinct rationals r are linearly independent over the rationals, by the
    theorem of Lindemann and Weierstrass :cite:p:`baker1975transcendental`.  So such a sum is zero
    only if it has no terms, and comparisons are decided, ties included.

    Parameters
    ----------
    terms
        A mapping from exponents to coefficients, or one rational number; a float is the rational
        that it stores.

    Examples
    --------
    >>> from sfumato.numeric import Exponentials
    >>> e = Exponentials.exp(1)
    >>> (e + 1) * (e - 1) == Exponentials.exp(2) - 1
    True
    >>> e > 2, float(e)
    (True, 2.718281828459045)
    """

    __slots__ = ("_terms",)

    _terms: dict[Fraction, Fraction]

    def __init__(self, terms: Mapping[Any, Any] | Rational | int = 0) -> None:
        given = terms if isinstance(terms, Mapping) else {0: terms}
        read = [
            (exact(r, mark("an exponent")), exact(c, "a coefficient")) for r, c in given.items()
        ]
        self._terms = _gathered(read)

    @classmethod
    def exp(cls, exponent: Any) -> Exponentials:
        """Return e to a rational power.

        Examples
        --------
        >>> from sfumato.numeric import Exponentials
        >>> Exponentials.exp("1/2")
        Exponentials({1/2: 1})
        """
        return cls({exponent: 1})

    @classmethod
    def sum(cls, values: Iterable[Exponentials | Rational | int]) -> Exponentials:
        """Return the sum of many, in one go.

        Examples
        --------
        >>> from sfumato.numeric import Exponentials
        >>> Exponentials.sum([1, Exponentials.exp(1), 2])
        Exponentials({0: 3, 1: 1})
        """
        return _made(_gathered(item for each in values for item in _terms_of(each).items()))

    @property
    def terms(self) -> dict[Fraction, Fraction]:
        """The coefficient of each exponent, the least exponent first.

        Examples
        --------
        >>> from sfumato.numeric import Exponentials
        >>> (Exponentials.exp(1) - 2).terms
        {Fraction(0, 1): Fraction(-2, 1), Fraction(1, 1): Fraction(1, 1)}
        """
        return dict(sorted(self._terms.items()))

    @property
    def rational(self) -> Fraction | None:
        """The number itself where it is rational, else None.

        Examples
        --------
        >>> from sfumato.numeric import Exponentials
        >>> Exponentials(3).rational, Exponentials.exp(1).rational
        (Fraction(3, 1), None)
        """
        if not self._terms:
            return Fraction(0)
        return self._terms.get(Fraction(0)) if len(self._terms) == 1 else None

    def ball(self) -> arb:
        """Return a ball around the value at the precision in force.

        Examples
        --------
        >>> from sfumato.numeric import Exponentials
        >>> Exponentials(2).ball()
        2.00000000000000
        """
        parts = (arb(as_fmpq(c)) * arb(as_fmpq(r)).exp() for r, c in self._terms.items())
        return sum(parts, arb(0))

    def sign(self) -> int:
        """Return -1, 0 or 1, decided exactly.

        Examples
        --------
        >>> from sfumato.numeric import Exponentials
        >>> (Exponentials.exp(1) - 3).sign(), (Exponentials.exp(1) * 0).sign()
        (-1, 0)
        """
        if not self._terms:
            return 0
        signs = {1 if c > 0 else -1 for c in self._terms.values()}
        return signs.pop() if len(signs) == 1 else decide_sign(self._shifted()[1].ball)

    def log(self) -> arb:
        """Return a ball around the logarithm of a positive sum, also where the sum is vast.

        Examples
        --------
        >>> from sfumato.numeric import Exponentials
        >>> Exponentials.exp(1024).log()
        1024.00000000000
        """
        greatest, rest = self._shifted()
        return arb(as_fmpq(greatest)) + rest.ball().log()

    def _shifted(self) -> tuple[Fraction, Exponentials]:
        """Return the greatest exponent r, and the sum divided by e^r."""
        greatest = max(self._terms, default=Fraction(0))
        return greatest, _made({r - greatest: c for r, c in self._terms.items()})

    def multiple_of(self, other: Exponentials) -> tuple[Fraction, Fraction] | None:
        """Return c and r where this is c·e^r times another sum, None where it is not.

        Examples
        --------
        >>> from sfumato.numeric import Exponentials
        >>> e = Exponentials.exp(1)
        >>> (2 * e + 2 * e * e).multiple_of(1 + e)
        (Fraction(2, 1), Fraction(1, 1))
        >>> e.multiple_of(1 + e) is None
        True
        """
        if len(self._terms) != len(other._terms) or not self._terms:
            return None
        ours, theirs = max(self._terms), max(other._terms)
        coefficient = self._terms[ours] / other._terms[theirs]
        factor = _made({ours - theirs: coefficient})
        return (coefficient, ours - theirs) if other * factor == self else None

    def __float__(self) -> float:
        value = self.rational
        return nearest_float(self.ball) if value is None else float(value)

    def __bool__(self) -> bool:
        return bool(self._terms)

    def __add__(self, other: object) -> Exponentials:
        if not isinstance(other, (Exponentials, Rational)):
            return NotImplemented
        return Exponentials.sum([self, other])

    __radd__ = __add__

    def __neg__(self) -> Exponentials:
        return _made({r: -c for r, c in self._terms.items()})

    def __sub__(self, other: object) -> Exponentials:
        if not isinstance(other, (Exponentials, Rational)):
            return NotImplemented
        return Exponentials.sum([self, _made({r: -c for r, c in _terms_of(other).items()})])

    def __rsub__(self, other: object) -> Exponentials:
        return -self + other

    def __mul__(self, other: object) -> Exponentials:
        if not isinstance(other, (Exponentials, Rational)):
            return NotImplemented
        ours, theirs = self._terms.items(), _terms_of(other).items()
        return _made(_gathered((r + s, c * d) for r, c in ours for s, d in theirs))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Exponentials:
        """Divide by a rational or by a single c·e^r; no other quotient is such a sum for sure."""
        if not isinstance(other, (Exponentials, Rational)):
            return NotImplemented
        divisor = _terms_of(other)
        if len(divisor) != 1:
            raise InputError(
                "E-NUMBER-FORM",
                "a sum of exponentials is divided by one term c·e^r, not by none or several",
            )
        ((exponent, coefficient),) = divisor.items()
        return _made({r - exponent: c / coefficient for r, c in self._terms.items()})

    def __rtruediv__(self, other: object) -> Exponentials:
        return Exponentials(other) / self if isinstance(other, Rational) else NotImplemented

    def __pow__(self, power: int) -> Exponentials:
        if not isinstance(power, Integral) or power < 0:
            return NotImplemented
        result = Exponentials(1)
        for _ in range(int(power)):
            result = result * self
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Exponentials, Rational)):
            return NotImplemented
        return self._terms == _terms_of(other)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, (Exponentials, Rational)):
            return NotImplemented
        return (self - other).sign() < 0

    def __hash__(self) -> int:
        value = self.rational
        return hash(frozenset(self._terms.items())) if value is None else hash(value)

    def __repr__(self) -> str:
        listed = ", ".join(f"{shown(r)}: {shown(c)}" for r, c in self.terms.items())
        return f"Exponentials({{{listed}}})"


def _gathered(items: Iterable[tuple[Fraction, Fraction]]) -> dict[Fraction, Fraction]:
    """Return the terms with equal exponents added up and zeros dropped."""
    terms: dict[Fraction, Fraction] = {}
    for exponent, coefficient in items:
        terms[exponent] = terms[exponent] + coefficient if exponent in terms else coefficient
    return {exponent: each for exponent, each in terms.items() if each}


def _made(terms: dict[Fraction, Fraction]) -> Exponentials:
    """Return the sum of terms that are gathered already."""
    made = Exponentials.__new__(Exponentials)
    made._terms = terms  # noqa: SLF001 - its own class
    return made


def _terms_of(value: object) -> dict[Fraction, Fraction]:
    if isinstance(value, Exponentials):
        return value._terms  # noqa: SLF001 - its own class
    return _gathered([(Fraction(0), exact(value, "a coefficient"))])
