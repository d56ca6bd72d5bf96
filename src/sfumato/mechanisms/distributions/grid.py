"""Exact distributions of noisy reals: multiples of a grid, each released as the nearest float."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from flint import arb

from sfumato.mechanisms.distributions.integers import IntegerDistribution, WholeNoise, read_outcome
from sfumato.mechanisms.distributions.output import FloatRounding, OutputDistribution, StepRounding
from sfumato.numeric import any_float, as_ball, float_below

if TYPE_CHECKING:
    from sfumato.information.continuous import Symmetric


@dataclass(frozen=True)
class GridDistribution(OutputDistribution[float | Fraction]):
    """A distribution on the multiples of a grid, which leave as floats.

    Where the grid is finer than the floats around an outcome, all multiples that are rounded to
    it count together.  What lies beyond the largest float leaves as the largest.

    Attributes
    ----------
    grid
        The step of the grid.
    centre
        The private value.
    """

    grid: Fraction
    centre: Fraction

    @abstractmethod
    def steps(self, first: int | None, last: int | None) -> arb:
        """Return a ball around the probability of the multiples from first to last; None is all."""

    def ball(self, outcome: float | Fraction) -> arb:
        """Return a ball around the probability of an outcome; 0 where it is never given out."""
        number = read_outcome(outcome)
        near = any_float(number)
        if near != number:
            return arb(0)
        last = self._last_at(near)
        before = self._last_at(math.nextafter(near, -math.inf))
        if last == before:
            return arb(0)
        return self.steps(None if before is None else before + 1, last)

    def cumulative(self, outcome: float | Fraction) -> arb:
        """Return a ball around the probability of an outcome or one below it."""
        below = float_below(read_outcome(outcome))
        if _is_infinite(below):
            return arb(0)
        return self.steps(None, self._last_at(below))

    def _last_at(self, output: float) -> int | None:
        """Return the last multiple that is rounded to a float or below it; None at the ends."""
        above = math.nextafter(output, math.inf)
        if _is_infinite(above) or _is_infinite(output):
            return None
        edge = (Fraction(output) + Fraction(above)) / 2 / self.grid
        last = math.floor(edge)
        # A multiple midway between two floats is rounded to the even one.
        return last - 1 if last == edge and float(edge * self.grid) == above else last


@dataclass(frozen=True)
class RoundedDistribution(GridDistribution):
    """A real with continuous noise, rounded to the nearest multiple of the grid.

    Attributes
    ----------
    noise
        The noise distribution, around 0.
    """

    noise: Symmetric

    def steps(self, first: int | None, last: int | None) -> arb:
        """Return the probability of the noise that leads there, from the side where it is small."""
        low = -math.inf if first is None else self._offset(2 * first - 1)
        high = math.inf if last is None else self._offset(2 * last + 1)
        if low > 0:
            return self._above(low) - self._above(high)
        return self._below(high) - self._below(low)

    @property
    def source(self) -> Symmetric:
        """The distribution before it is rounded."""
        moved: Any = replace(cast("Any", self.noise), mean=self.centre)
        return cast("Symmetric", moved)

    @property
    def processing(self) -> StepRounding:
        """What is done to the source: rounding to the grid, and to a float."""
        return StepRounding(self.grid)

    def _offset(self, halves: int) -> Fraction:
        return halves * self.grid / 2 - self.centre

    def _above(self, offset: Fraction | float) -> arb:
        return arb(offset < 0) if _is_infinite(offset) else self.noise.survival(as_ball(offset))

    def _below(self, offset: Fraction | float) -> arb:
        return arb(offset > 0) if _is_infinite(offset) else self.noise.cdf(as_ball(offset))


@dataclass(frozen=True)
class SteppedDistribution(GridDistribution):
    """A multiple of the grid with whole-number noise in steps of the grid.

    Attributes
    ----------
    noise
        The noise distribution, in steps.
    """

    noise: WholeNoise

    def steps(self, first: int | None, last: int | None) -> arb:
        """Return the probability of the noise that leads there."""
        start = self._start
        if last is None:
            return arb(1) if first is None else self.noise.cumulative(start - first)
        if first is None:
            return self.noise.cumulative(last - start)
        return self.noise.between(first - start, last - start)

    @property
    def source(self) -> IntegerDistribution:
        """The distribution in whole steps of the grid."""
        return IntegerDistribution(self.noise, self._start)

    @property
    def processing(self) -> FloatRounding:
        """What is done to the source: rounding a multiple of the grid to a float."""
        return FloatRounding(self.grid)

    @property
    def _start(self) -> int:
        return int(self.centre / self.grid)


def _is_infinite(number: Fraction | float) -> bool:
    """Tell so of a float; a Fraction may be beyond all floats and is finite."""
    return isinstance(number, float) and math.isinf(number)
