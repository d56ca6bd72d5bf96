"""Exact weights, rationals and sums of exponentials: sums, signs, quotients and logarithms."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.comparison import FIRST_BITS, Least, known_least
from sfumato.errors import InternalError
from sfumato.numeric import Enclosure, Exponentials, Ln, any_float, as_ball, working_precision
from sfumato.privacy import Epsilon, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flint import arb
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: A number whose comparisons are decided exactly.
Exact = int | Fraction | Exponentials

#: Far above the relative error of the logarithms that `logarithms` returns.
SURE = 1e-12
#: How well a logarithm is known before it is rounded to a float.
_KNOWN = 1e-20
#: Floats as small as this lose digits, so that their logarithm is taken of the exact number.
_SMALLEST_PLAIN = 1e-290
#: Holds the exact sum of any floats from 0 to 1 and more; an inexact sum would raise.
_EXACT_DECIMALS = Context(prec=4000, Emin=-(10**6), Emax=10**6, traps=[Inexact])
INFINITE = Least(Enclosure(math.inf, math.inf))
_BITS = 192
#: Products with more terms than this are not expanded only to find a name for a number.
_MOST_TERMS = 20_000


def exactly(value: Any) -> Exact:
    """Return a checked number exactly: a float is the decimal that was written."""
    return value if isinstance(value, (int, Fraction, Exponentials)) else written(value)


def rational(value: Exact) -> Fraction:
    """Return a number that is known to be rational."""
    found = value.rational if isinstance(value, Exponentials) else Fraction(value)
    if found is None:
        raise InternalError("E-ARGUMENT-TYPE", "a rational number was expected")
    return found


def exponential(epsilon: Epsilon) -> Exact:
    """Return e^ε."""
    if isinstance(epsilon, Ln):
        return epsilon.argument
    return Exponentials.exp(epsilon) if epsilon else Fraction(1)


def ball_of(value: Exact) -> arb:
    """Return a ball around an exact number, at the precision in force."""
    return value.ball() if isinstance(value, Exponentials) else as_ball(value)


def log_of(value: Exact) -> arb:
    """Return a ball around the logarithm of a positive exact number."""
    return value.log() if isinstance(value, Exponentials) else as_ball(value).log()


def exact_sum(values: Iterable[Any]) -> Exact:
    """Return the exact sum of checked numbers; floats are added as decimals, which is quick."""
    kinds: defaultdict[type, list[Any]] = defaultdict(list)
    for each in values:
        kinds[type(each)].append(each)
    parts = [_sum_of_kind(kind, held) for kind, held in kinds.items()]
    if any(isinstance(part, Exponentials) for part in parts):
        return Exponentials.sum(parts)
    return sum(parts, 0)


def _sum_of_kind(kind: type, values: list[Any]) -> Exact:
    if kind is int:
        return int(sum(values))
    if kind is float:
        with localcontext(_EXACT_DECIMALS):
            return Fraction(sum(map(Decimal, map(repr, values)), Decimal(0)))
    if kind is Exponentials:
        return Exponentials.sum(values)
    return _sum_of_fractions([exactly(each) for each in values])


def _sum_of_fractions(values: Sequence[Any]) -> Fraction:
    """Return the sum, with the numerators over one denominator added first."""
    numerators: defaultdict[int, int] = defaultdict(int)
    for each in values:
        numerators[each.denominator] += each.numerator
    return sum((Fraction(top, bottom) for bottom, top in numerators.items()), Fraction(0))


def sign_of_difference(left: tuple[Exact, Exact], right: tuple[Exact, Exact]) -> int:
    """Return the sign of a·b - c·d: by balls where they tell, else by expanding exactly."""
    (a, b), (c, d) = left, right
    if any(isinstance(each, Exponentials) for each in (a, b, c, d)):
        with working_precision(FIRST_BITS):
            gap = ball_of(a) * ball_of(b) - ball_of(c) * ball_of(d)
        if gap > 0 or gap < 0:
            return 1 if gap > 0 else -1
    difference = a * b - c * d
    if isinstance(difference, Exponentials):
        return difference.sign()
    return (difference > 0) - (difference < 0)


def logarithms(values: Sequence[Any]) -> Floats:
    """Return the logarithms of checked numbers within SURE/100 · (1 + |log|); -∞ of 0."""
    plain = _plain_floats(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs: Floats = np.log(plain)
    for place in np.flatnonzero(np.isnan(plain)).tolist():
        logs[place] = _careful_logarithm(exactly(values[place]))
    return logs


def _plain_floats(values: Sequence[Any]) -> Floats:
    """Return the numbers as floats that are right to the last digit; NaN where one is not."""
    if set(map(type, values)) == {float}:
        plain: Floats = np.array(values)
    else:
        plain = np.array([_nearest(each) for each in values])
    doubtful = plain <= _SMALLEST_PLAIN
    doubtful[doubtful] = [bool(values[i]) for i in np.flatnonzero(doubtful).tolist()]
    plain[doubtful] = np.nan
    return plain


def _nearest(value: Any) -> float:
    if isinstance(value, Exponentials):
        return math.nan if value else 0.0
    near = any_float(value)
    return near if math.isfinite(near) else math.nan


def _careful_logarithm(value: Exact) -> float:
    if isinstance(value, Exponentials):
        return _logarithm_of_sum(value)
    number = Fraction(value)
    shift = number.numerator.bit_length() - number.denominator.bit_length()
    return math.log(float(number / Fraction(2) ** shift)) + shift * math.log(2)


def _logarithm_of_sum(value: Exponentials) -> float:
    bits = FIRST_BITS
    while True:
        with working_precision(bits):
            log = value.log()
            if log.rad() < _KNOWN:
                return float(log.mid())
        bits *= 2


@dataclass(frozen=True)
class Ratio:
    """(a·b) / (c·d) of exact numbers, the last two positive."""

    top: tuple[Exact, Exact]
    bottom: tuple[Exact, Exact]

    def against(self, factor: Exact) -> int:
        """Return the sign of this ratio minus a factor."""
        c, d = self.bottom
        return sign_of_difference(self.top, (c * factor, d))

    def exceeds(self, other: Ratio) -> bool:
        """Tell whether this ratio is the greater, for two with a common last factor each."""
        (a, _), (c, _) = self.top, self.bottom
        (e, _), (g, _) = other.top, other.bottom
        return sign_of_difference((a, g), (e, c)) > 0

    @property
    def exact_parts(self) -> tuple[Fraction, Fraction] | None:
        """The c and r with which this is c·e^r; None where it has no such form, or it is dear."""
        (a, b), (c, d) = self.top, self.bottom
        if not any(isinstance(each, Exponentials) for each in (a, b, c, d)):
            return rational(a * b) / rational(c * d), Fraction(0)
        if max(_terms(a, b), _terms(c, d)) > _MOST_TERMS:
            return None
        return Exponentials.sum([a * b]).multiple_of(Exponentials.sum([c * d]))

    def least_logarithm(self) -> Least:
        """Return the logarithm of a positive ratio, and 0 at least."""
        if self.against(1) <= 0:
            return known_least(Fraction(0))
        factor, exponent = self.exact_parts or (None, None)
        if factor == 1 and exponent is not None:
            return known_least(exponent)
        if factor is not None and not exponent:
            return known_least(Ln(factor))
        with working_precision(_BITS):
            return Least(Enclosure.of_ball(self._log()))

    def _log(self) -> arb:
        (a, b), (c, d) = self.top, self.bottom
        return log_of(a) + log_of(b) - log_of(c) - log_of(d)


def _terms(*factors: Exact) -> int:
    sizes = [len(each.terms) for each in factors if isinstance(each, Exponentials)]
    return math.prod(sizes)


def quotient(top: Exact, bottom: Exact) -> Fraction | Enclosure:
    """Return a quotient of exact numbers: a Fraction where it is rational, else bounds."""
    if not top:
        return Fraction(0)
    factor, exponent = Ratio((top, 1), (bottom, 1)).exact_parts or (None, None)
    if factor is not None and not exponent:
        return factor
    with working_precision(_BITS):
        return Enclosure.of_ball(ball_of(top) / ball_of(bottom))
