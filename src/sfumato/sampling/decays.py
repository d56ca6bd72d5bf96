"""How the weight of a magnitude falls: the shapes from which integer noise is drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import accumulate, repeat
from operator import mul
from typing import TYPE_CHECKING, Any

from flint import arb, ctx

from sfumato.numeric import as_ball, working_precision
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Decay", "ExponentialDecay", "GaussianCells", "GaussianDecay"]

_TERMS_AT_ONCE = 64


class Decay(ABC):
    """Weights of the magnitudes 0, 1, 2, …, falling, and by ever greater or equal ratios.

    Attributes
    ----------
    scale
        The magnitude over which the weight falls by a factor of about e.
    reach
        How many scales hold all but 2^-32 of the weight.
    """

    scale: Fraction
    reach: int

    @cached_property
    def _near(self) -> float:
        return float(self.scale)

    @abstractmethod
    def weight(self, at: int) -> arb:
        """Return a ball around the weight of a magnitude, at the precision in force."""

    def weights(self, start: int, step: int, count: int) -> list[arb]:
        """Return the weights of so many magnitudes in equal steps."""
        return [self.weight(start + index * step) for index in range(count)]

    @abstractmethod
    def drop(self, start: Any, distance: Any) -> Any:
        """Return ln(weight(start) / weight(start + distance)) in floats, to a relative 2^-44.

        Takes floats, or arrays of them.
        """

    def beyond(self, start: int, step: int) -> arb:
        """Return a ball around the sum of the weights in equal steps, without end.

        The terms are added until a geometric series bounds the rest below the precision in force.
        """
        total, count = arb(0), _TERMS_AT_ONCE
        while True:
            *terms, last, following = self.weights(start, step, count + 1)
            total += sum(terms, arb(0))
            rest = last / (1 - following / last)
            if rest < total * arb(2) ** -ctx.prec:
                return total + rest.union(arb(0))
            start, total = start + count * step, total + last


@dataclass(frozen=True)
class ExponentialDecay(Decay):
    """The weight exp(-a/scale)."""

    scale: Fraction
    reach = 23

    def weight(self, at: int) -> arb:
        """Return exp(-at/scale)."""
        return (-as_ball(at / self.scale)).exp()

    def weights(self, start: int, step: int, count: int) -> list[arb]:
        """Return the weights as powers of one ratio."""
        ratio = self.weight(step)
        return list(accumulate(repeat(ratio, count - 1), mul, initial=self.weight(start)))

    def drop(self, start: Any, distance: Any) -> Any:  # noqa: ARG002 - the same everywhere
        """Return distance/scale."""
        return distance / self._near

    def beyond(self, start: int, step: int) -> arb:
        """Return the geometric series in closed form."""
        return self.weight(start) / -(-as_ball(step / self.scale)).expm1()


@dataclass(frozen=True)
class GaussianDecay(Decay):
    """The weight exp(-a²/(2 scale²))."""

    scale: Fraction
    reach = 7

    def weight(self, at: int) -> arb:
        """Return exp(-at²/(2 scale²))."""
        return self.weights(at, 1, 1)[0]

    def weights(self, start: int, step: int, count: int) -> list[arb]:
        """Return the weights, with the scale read once."""
        rate = as_ball(-1 / (2 * self.scale**2))
        return [(rate * at**2).exp() for at in range(start, start + count * step, step)]

    def drop(self, start: Any, distance: Any) -> Any:
        """Return distance (2 start + distance) / (2 scale²)."""
        return (distance / self._near) * ((2 * start + distance) / self._near) / 2


@dataclass(frozen=True)
class GaussianCells(Decay):
    """The probability that a Gaussian of deviation ``scale`` has a magnitude in [a, a+1).

    The scale is at least 2^40, so that a weight differs from the density in the middle of its
    cell by less than a relative 2^-70.
    """

    scale: Fraction
    reach = 7

    def weight(self, at: int) -> arb:
        """Return erfc(at/(√2 scale)) - erfc((at+1)/(√2 scale))."""
        with working_precision(ctx.prec + 2 * int(self.scale).bit_length()):
            root = as_ball(self.scale) * arb(2).sqrt()
            return (at / root).erfc() - ((at + 1) / root).erfc()

    def drop(self, start: Any, distance: Any) -> Any:
        """Return distance (2 start + 1 + distance) / (2 scale²): between the cells' middles."""
        return (distance / self._near) * ((2 * start + 1 + distance) / self._near) / 2
