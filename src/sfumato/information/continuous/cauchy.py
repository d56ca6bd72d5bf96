"""Cauchy distributions: too heavy in the tail for envelopes, and with closed forms of their own.

The density of Q over that of P is a quotient of two quadratics.  Its greatest value over all x is
the greater root of μ² - 2cμ + 1 with c = (d² + s² + t²)/(2st), for scales s and t and centres d
apart: the max divergence is arcosh c, both ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from flint import arb

from sfumato.information.continuous.distributions import (
    Number,
    check_positive,
    keep_exact,
    rational,
)
from sfumato.numeric import Ln, as_ball, exact


@dataclass(frozen=True)
class Cauchy:
    """The distribution of a quotient of two centred normal variables.

    Parameters
    ----------
    mean, scale
        Its centre, and the distance from it at which the density is half of the greatest.
    """

    mean: Number
    scale: Number

    def __post_init__(self) -> None:
        keep_exact(self, "mean", "scale")
        check_positive(self.scale, "scale")

    def cdf(self, x: arb) -> arb:
        """Return the probability of a value at most ``x``."""
        return arb.atan2(arb(1), -self._standard(x)) / arb.pi()

    def survival(self, x: arb) -> arb:
        """Return the probability of a value above ``x``."""
        return arb.atan2(arb(1), self._standard(x)) / arb.pi()

    def _standard(self, x: arb) -> arb:
        return (x - rational(self.mean)) / rational(self.scale)


def cauchy_maximum(p: Cauchy, q: Cauchy) -> arb:
    """Return a ball around the max divergence."""
    return as_ball(_hyperbolic_cosine(p, q)).acosh()


def exact_cauchy_maximum(p: Cauchy, q: Cauchy) -> Ln | None:
    """Return the max divergence where it is the logarithm of a rational.

    Elsewhere e to it is an irrational root of a quadratic: no rational, and no e to a rational.
    """
    cosine = _hyperbolic_cosine(p, q)
    sine = _root(cosine * cosine - 1)
    return None if sine is None else Ln(cosine + sine)


def cauchy_region(p: Cauchy, q: Cauchy, level: arb) -> list[tuple[arb, arb]] | None:
    """Return the intervals on which p exceeds e^level q, with balls for ends; None if not known."""
    m, s, n, t = (rational(each) for each in (p.mean, p.scale, q.mean, q.scale))
    factor = level.exp()
    square = s - factor * t
    half = factor * t * m - s * n
    constant = s * (n * n + t * t) - factor * t * (m * m + s * s)
    return _where_positive(square, half, constant)


def _where_positive(square: arb, half: arb, constant: arb) -> list[tuple[arb, arb]] | None:
    """Return where square·x² + 2·half·x + constant is above 0."""
    left, right = arb.neg_inf(), arb.pos_inf()
    if square.is_zero() and not half.contains(0):
        root = -constant / (2 * half)
        return [(root, right)] if half > 0 else [(left, root)]
    quarter = half * half - square * constant
    if quarter < 0 and not square.contains(0):
        return [(left, right)] if square > 0 else []
    if square.contains(0) or not quarter > 0:
        return None
    reach = quarter.sqrt() / abs(square)
    low, high = -half / square - reach, -half / square + reach
    return [(left, low), (high, right)] if square > 0 else [(low, high)]


def _hyperbolic_cosine(p: Cauchy, q: Cauchy) -> Fraction:
    s, t = exact(p.scale), exact(q.scale)
    return ((exact(p.mean) - exact(q.mean)) ** 2 + s * s + t * t) / (2 * s * t)


def _root(square: Fraction) -> Fraction | None:
    above, below = isqrt(square.numerator), isqrt(square.denominator)
    return Fraction(above, below) if Fraction(above, below) ** 2 == square else None
