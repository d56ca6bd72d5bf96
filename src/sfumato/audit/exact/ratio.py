"""A quotient of exact numbers, and its logarithm: named where it has a name, else enclosed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.audit.comparison import Least
from sfumato.audit.exact.weights import Exact, ball_of, log_of, rational, sign_of_difference
from sfumato.numeric import (
    Enclosure,
    Exponentials,
    Ln,
    as_ball,
    float_above,
    float_below,
    working_precision,
)

if TYPE_CHECKING:
    from flint import arb

__all__ = ["INFINITE", "Ratio", "least_exact", "quotient", "share"]

INFINITE = Least(Enclosure(math.inf, math.inf))

_BITS = 192
#: Products with more terms than this are not expanded only to find a name for a number.
_MOST_TERMS = 20_000


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
            return least_exact(Fraction(0))
        factor, exponent = self.exact_parts or (None, None)
        if factor == 1 and exponent is not None:
            return least_exact(exponent)
        if factor is not None and not exponent:
            return least_exact(Ln(factor))
        with working_precision(_BITS):
            return Least(Enclosure.of_ball(self._log()))

    def _log(self) -> arb:
        (a, b), (c, d) = self.top, self.bottom
        return log_of(a) + log_of(b) - log_of(c) - log_of(d)


def _terms(*factors: Exact) -> int:
    sizes = [len(each.terms) for each in factors if isinstance(each, Exponentials)]
    return math.prod(sizes)


def least_exact(value: Fraction | Ln) -> Least:
    """Return a value that is known, with the floats around it."""
    if isinstance(value, Fraction):
        return Least(Enclosure(float_below(value), float_above(value)), value)
    with working_precision(_BITS):
        return Least(Enclosure.of_ball(as_ball(value)), value)


def quotient(top: Exact, bottom: Exact) -> Fraction | Enclosure:
    """Return a quotient of exact numbers: a Fraction where it is rational, else bounds."""
    if not top:
        return Fraction(0)
    factor, exponent = Ratio((top, 1), (bottom, 1)).exact_parts or (None, None)
    if factor is not None and not exponent:
        return factor
    with working_precision(_BITS):
        return Enclosure.of_ball(ball_of(top) / ball_of(bottom))


def share(ball: arb) -> Enclosure:
    """Return bounds on a probability that a ball holds."""
    found = Enclosure.of_ball(ball)
    return Enclosure(min(max(found.lower, 0.0), 1.0), max(min(found.upper, 1.0), 0.0))
