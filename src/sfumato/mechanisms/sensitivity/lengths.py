"""The lengths of a vector in both norms, by their squares, which are rational."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.mechanisms.sensitivity.cells import total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanisms.sensitivity.declared import Norm

__all__ = ["Lengths"]


@dataclass(frozen=True)
class Lengths:
    """The squared lengths of a vector, or the greatest of several, in L1 and L2."""

    l1_squared: Fraction = Fraction(0)
    l2_squared: Fraction = Fraction(0)

    @classmethod
    def of(cls, vector: Sequence[Fraction | int]) -> Lengths:
        """Return the lengths of one vector."""
        first = total([max(each, -each) for each in vector]) ** 2
        return cls(first, first if len(vector) == 1 else total([each**2 for each in vector]))

    def squared(self, norm: Norm) -> Fraction:
        """Return the square of the length in a norm."""
        return self.l1_squared if norm == "l1" else self.l2_squared

    def longest(self, other: Lengths) -> Lengths:
        """Return the greater length in each norm."""
        return Lengths(
            max(self.l1_squared, other.l1_squared), max(self.l2_squared, other.l2_squared)
        )
