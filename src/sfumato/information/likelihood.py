"""Two finite distributions side by side, and the outcomes likelier under the first by a factor."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from flint import arb

from sfumato.numeric import Ln, as_ball, as_fmpq, exact, nearest_float
from sfumato.numeric.exact import rational_exponential

if TYPE_CHECKING:
    from decimal import Decimal

    from numpy.typing import NDArray

    from sfumato.information.distribution import Distribution
    from sfumato.information.intake import Floats

    Number = float | Fraction | Decimal
    Mask = NDArray[np.bool_]

__all__ = ["ExactPair", "Pair", "pair_of"]

_LARGEST_EXPONENT = 700.0
#: Far above the relative error of a float logarithm, and of rounding ε to a float.
_SURE = 1e-12


class Pair(Protocol):
    """Two distributions in one arithmetic; what an event is, only the pair knows."""

    def number(self, value: Number) -> Any:
        """Return a number in the arithmetic of this pair."""

    def above(self, ratio: Any) -> Any:
        """Return the event p > ratio · q."""

    def beyond(self, epsilon: Number | Ln) -> Any:
        """Return the event p > e^ε q."""

    def masses(self, event: Any) -> tuple[Any, Any]:
        """Return P(event) and Q(event)."""

    def positions(self, event: Any) -> list[int]:
        """Return the positions of the outcomes in an event."""

    def greatest_excess(self, epsilon: Number | Ln) -> Fraction | float:
        """Return the greatest P(S) - e^ε Q(S): a Fraction where exact, else the nearest float."""


def pair_of(p: Distribution, q: Distribution) -> Pair:
    """Return the pair in exact arithmetic if both are exact, and in floats otherwise."""
    if p.is_exact and q.is_exact:
        return ExactPair(p.integers, q.integers)
    return FloatPair(p.probabilities, q.probabilities)


class ExactPair:
    """Two lists of integers, each over its sum; an event is a list of positions."""

    def __init__(self, p: tuple[list[int], int], q: tuple[list[int], int]) -> None:
        (left, self._left_total), (right, self._right_total) = p, q
        self._pairs = list(zip(left, right, strict=True))

    @staticmethod
    def number(value: Number) -> Fraction:
        """Return a number in the arithmetic of this pair."""
        return exact(value)

    def above(self, ratio: Fraction) -> list[int]:
        """Return where p > ratio · q."""
        left = ratio.denominator * self._right_total
        right = ratio.numerator * self._left_total
        return [i for i, (a, b) in enumerate(self._pairs) if a * left > b * right]

    def beyond(self, epsilon: Number | Ln) -> list[int]:
        """Return where p > e^ε q, decided exactly."""
        if math.isinf(epsilon):
            return [i for i, (a, b) in enumerate(self._pairs) if a and (b == 0 or epsilon < 0)]
        if (rational := rational_exponential(epsilon)) is not None:
            return self.above(rational)
        return [i for i, (a, b) in enumerate(self._pairs) if a and self._exceeds(a, b, epsilon)]

    def greatest_excess(self, epsilon: Number | Ln) -> Fraction | float:
        """Return the greatest P(S) - e^ε Q(S): a Fraction if e^ε is rational, else a float."""
        mass_p, mass_q = self.masses(self.beyond(epsilon))
        if math.isinf(epsilon):
            return mass_p
        if (rational := rational_exponential(epsilon)) is not None:
            return mass_p - rational * mass_q
        if mass_q == 0:
            return float(mass_p)
        left, right = as_fmpq(mass_p), as_fmpq(mass_q)
        return nearest_float(lambda: arb(left) - as_ball(epsilon).exp() * arb(right))

    def masses(self, event: list[int]) -> tuple[Fraction, Fraction]:
        """Return P(event) and Q(event)."""
        chosen = [self._pairs[i] for i in event]
        left, right = sum(a for a, _ in chosen), sum(b for _, b in chosen)
        return Fraction(left, self._left_total), Fraction(right, self._right_total)

    @staticmethod
    def positions(event: list[int]) -> list[int]:
        """Return the positions in an event."""
        return event

    def _exceeds(self, a: int, b: int, epsilon: Number | Ln) -> bool:
        """Decide p > e^ε q by floats where they are surely far enough apart, else exactly."""
        if b == 0:
            return True
        logs = math.log(a * self._right_total), math.log(b * self._left_total), float(epsilon)
        gap = logs[0] - logs[1] - logs[2]
        if abs(gap) > _SURE * (1 + sum(map(abs, logs))):
            return gap > 0
        return Ln(Fraction(a * self._right_total, b * self._left_total)) > epsilon


class FloatPair:
    """Two arrays of floats; an event is a mask over the positions."""

    def __init__(self, p: Floats, q: Floats) -> None:
        self._p, self._q = p, q

    @staticmethod
    def number(value: Number) -> float:
        """Return a number in the arithmetic of this pair."""
        return float(value)

    def above(self, ratio: float) -> Mask:
        """Return where p > ratio · q."""
        return self._p > ratio * self._q

    def beyond(self, epsilon: Number | Ln) -> Mask:
        """Return where p > e^ε q."""
        return self._p > self._scaled(float(epsilon))

    def greatest_excess(self, epsilon: Number | Ln) -> float:
        """Return the greatest P(S) - e^ε Q(S)."""
        excess = float(np.maximum(self._p - self._scaled(float(epsilon)), 0.0).sum())
        return min(excess, 1.0)

    def masses(self, event: Mask) -> tuple[float, float]:
        """Return P(event) and Q(event)."""
        return float(self._p[event].sum()), float(self._q[event].sum())

    @staticmethod
    def positions(event: Mask) -> list[int]:
        """Return the positions in an event."""
        positions: list[int] = np.flatnonzero(event).tolist()
        return positions

    def _scaled(self, epsilon: float) -> Floats:
        """Return e^ε q, infinite where that overflows and 0 where q is."""
        if epsilon <= _LARGEST_EXPONENT:
            return math.exp(epsilon) * self._q
        scaled = np.zeros_like(self._q)
        with np.errstate(over="ignore"):
            scaled[self._q > 0] = np.exp(epsilon + np.log(self._q[self._q > 0]))
        return scaled
