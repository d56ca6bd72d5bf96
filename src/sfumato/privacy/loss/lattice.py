"""Losses that are whole multiples of a step, up to an offset."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

from sfumato.numeric import Ln

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class LossLattice:
    """The points ``(offset + k step) unit`` for whole k; the unit is 1 or a logarithm."""

    step: Fraction
    offset: Fraction
    unit: Ln | None = None

    @classmethod
    def along(cls, epsilon: Fraction | Ln, step: int, offset: int) -> LossLattice:
        """Return the points ``(offset + k step) epsilon``; 0 lies on every lattice."""
        if epsilon == 0:
            return cls(Fraction(1), Fraction(0))
        if isinstance(epsilon, Ln):
            return cls(Fraction(step), Fraction(offset), epsilon)
        return cls(step * epsilon, offset * epsilon)

    def repeated(self, count: int) -> LossLattice:
        """Return the lattice of the sum of so many losses."""
        return LossLattice(self.step, self.offset * count, self.unit)

    def plus(self, other: LossLattice) -> LossLattice | None:
        """Return the lattice of the sum of a loss of each, or None where there is none."""
        if self.unit != other.unit:
            return None
        step = _common_step(self.step, other.step)
        return LossLattice(step, (self.offset + other.offset) % step, self.unit)


def common_lattice(lattices: Iterable[LossLattice | None]) -> LossLattice | None:
    """Return the lattice of a sum of losses, one on each; None where there is none."""
    total: LossLattice | None = None
    for lattice in lattices:
        total = lattice if total is None or lattice is None else total.plus(lattice)
        if total is None:
            return None
    return total


def _common_step(a: Fraction, b: Fraction) -> Fraction:
    denominator = lcm(a.denominator, b.denominator)
    return Fraction(gcd(int(a * denominator), int(b * denominator)), denominator)
