"""Log densities as single analytic formulas, with their slopes and their tails.

A distribution is cut into pieces; on each, the logarithm of the density is one formula that ball
arithmetic can evaluate over a whole cell, real or complex, and bound all the way to infinity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from flint import acb, arb, fmpq


@dataclass(frozen=True)
class Curve:
    """The function ``start - fall * s - bend * s**2 / 2`` of the distance ``s >= 0``.

    ``fall`` and ``bend`` are rationals, so that growth and decay are decided exactly.
    """

    start: arb
    fall: fmpq
    bend: fmpq

    def weighted(self, own: fmpq, other: Curve, others: fmpq) -> Curve:
        """Return ``own * self + others * other``."""
        return Curve(
            own * self.start + others * other.start,
            own * self.fall + others * other.fall,
            own * self.bend + others * other.bend,
        )

    def minus(self, other: Curve) -> Curve:
        """Return the difference of two curves."""
        return self.weighted(fmpq(1), other, fmpq(-1))

    def greatest(self) -> arb:
        """Return the supremum over ``s >= 0``, infinity where there is no bound."""
        if self.bend < 0 or (self.bend == 0 and self.fall < 0):
            return arb.pos_inf()
        if self.fall >= 0:
            return self.start
        return self.start + self.fall * self.fall / (2 * self.bend)

    def least(self) -> arb:
        """Return the infimum over ``s >= 0``."""
        return -Curve(-self.start, -self.fall, -self.bend).greatest()

    @property
    def decays(self) -> bool:
        """Whether ``exp`` of the curve has an integral bounded by ``exp(start) / fall``."""
        return bool(self.bend >= 0 and self.fall > 0)

    @property
    def diverges(self) -> bool:
        """Whether ``exp`` of the curve has an infinite integral."""
        return bool(self.bend < 0 or (self.bend == 0 and self.fall <= 0))


@dataclass(frozen=True)
class Envelope:
    """Two curves between which a log density runs, from a point to infinity."""

    lower: Curve
    upper: Curve


class Piece(Protocol):
    """One analytic formula for a log density."""

    def log_density(self, x: acb, *, analytic: bool = False) -> acb:
        """Return the log density over a ball; not finite where it may not be analytic."""

    def slope(self, x: arb) -> arb:
        """Return the derivative of the log density over a narrow real ball."""

    def curvature(self, x: arb) -> arb:
        """Return the second derivative of the log density over a real ball."""

    def tail(self, at: fmpq, direction: int) -> Envelope:
        """Return the envelope from ``at`` towards plus or minus infinity."""


@dataclass(frozen=True)
class QuadraticPiece:
    """``log_peak - fall * u - bend * u**2 / 2`` with ``u = x - origin``."""

    log_peak: arb
    origin: fmpq
    fall: fmpq
    bend: fmpq

    def log_density(self, x: acb, *, analytic: bool = False) -> acb:  # noqa: ARG002 - entire
        """See ``Piece``; a polynomial is analytic everywhere."""
        u = x - self.origin
        return self.log_peak - u * (self.fall + u * self.bend / 2)

    def slope(self, x: arb) -> arb:
        """See ``Piece``."""
        return -(self.fall + self.bend * (x - self.origin))

    def curvature(self, x: arb) -> arb:  # noqa: ARG002 - the same everywhere
        """See ``Piece``."""
        return -arb(self.bend)

    def tail(self, at: fmpq, direction: int) -> Envelope:
        """See ``Piece``; the envelope is the formula itself."""
        u = at - self.origin
        start = self.log_peak - u * (self.fall + u * self.bend / 2)
        curve = Curve(start, direction * (self.fall + self.bend * u), self.bend)
        return Envelope(curve, curve)


@dataclass(frozen=True)
class LogisticPiece:
    """The logistic log density, ``-z - 2 log(1 + exp(-z)) - log scale``, even in ``z``."""

    mean: fmpq
    scale: fmpq

    def log_density(self, x: acb, *, analytic: bool = False) -> acb:
        """See ``Piece``; written on the side where the exponential is small."""
        z = (x - self.mean) / self.scale
        z = -z if z.real.mid() < 0 else z
        return -z - 2 * (1 + (-z).exp()).log(analytic=analytic) - arb(self.scale).log()

    def slope(self, x: arb) -> arb:
        """See ``Piece``."""
        return -((x - self.mean) / (2 * self.scale)).tanh() / self.scale

    def curvature(self, x: arb) -> arb:
        """See ``Piece``."""
        z = (x - self.mean) / (2 * self.scale)
        hump = z.abs_lower().sech().union(z.abs_upper().sech())
        return -hump * hump / (2 * self.scale * self.scale)

    def tail(self, at: fmpq, direction: int) -> Envelope:
        """See ``Piece``; the term with the logarithm rises to zero, which brackets it."""
        z = direction * (at - self.mean) / self.scale
        above = -z - arb(self.scale).log()
        below = above - 2 * (-arb(z)).exp().log1p()
        fall = 1 / self.scale
        return Envelope(Curve(below, fall, fmpq(0)), Curve(above, fall, fmpq(0)))


def slope_gap(p: Piece, q: Piece, x: arb) -> arb:
    """Return the derivative of ``log p/q`` over a ball, by the mean value theorem.

    What the two slopes share cancels before the ball is wide.
    """
    centre = x.mid()
    bend = p.curvature(x) - q.curvature(x)
    return p.slope(centre) - q.slope(centre) + bend * (x - centre)
