"""Quadratic bounds on a log density from a point all the way to infinity."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

__all__ = ["Curve", "Envelope"]


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
