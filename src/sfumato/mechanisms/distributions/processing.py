"""What is done to an exact number before it leaves: the same for every private value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sfumato.sampling.reals import nearest_finite

__all__ = ["ClampedRounding", "FloatRounding", "StepRounding"]

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class FloatRounding:
    """A whole number of steps leaves as the nearest float."""

    grid: Fraction

    def __call__(self, steps: Fraction) -> Fraction:
        """Return the output for a number of steps."""
        return Fraction(nearest_finite(steps * self.grid))


@dataclass(frozen=True)
class StepRounding:
    """A real leaves as the float nearest to the nearest multiple of a grid."""

    grid: Fraction

    def __call__(self, number: Fraction) -> Fraction:
        """Return the output for a real."""
        return FloatRounding(self.grid)(Fraction(math.floor(number / self.grid + _HALF)))


@dataclass(frozen=True)
class ClampedRounding:
    """A real leaves as the nearest multiple of a step between two of them, None for no bound."""

    step: Fraction
    low: int | None
    high: int | None

    def __call__(self, number: Fraction) -> Fraction:
        """Return the output for a real."""
        steps = math.floor(number / self.step + _HALF)
        steps = steps if self.low is None else max(steps, self.low)
        return (steps if self.high is None else min(steps, self.high)) * self.step
