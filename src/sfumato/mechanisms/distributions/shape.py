"""How the log-odds of whole-number noise run: rational, and piecewise linear but for a bend."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.mechanisms.distributions.whole_noise import WholeNoise

__all__ = ["NoiseShape"]


@dataclass(frozen=True)
class NoiseShape:
    """The log-odds of a whole number with noise.

    Attributes
    ----------
    noise
        The noise distribution.
    centre
        The number it is added to.
    """

    noise: WholeNoise
    centre: int

    @property
    def step(self) -> Fraction:
        """What outcomes are multiples of: 1."""
        return Fraction(1)

    @property
    def family(self) -> WholeNoise:
        """The noise: numbers with the same one have shifted distributions."""
        return self.noise

    @property
    def core(self) -> tuple[int, int]:
        """The centre, from which the odds go down in the same way for ever."""
        return self.centre, self.centre

    @property
    def period(self) -> int:
        """After how many steps outwards all odds have gone down by the same factor."""
        return self.noise.period

    @property
    def fall(self) -> Fraction:
        """By how much the log-odds go down in a period, from the centre."""
        return -self.noise.level(self.period)

    @property
    def bend(self) -> Fraction:
        """What the log-odds curve by, the same everywhere."""
        return self.noise.bend

    def level(self, k: int) -> Fraction:
        """Return the log-odds of a whole number against the centre."""
        return self.noise.level(abs(k - self.centre))

    def turns(self, low: int, high: int) -> Iterator[int]:
        """Yield where stretches of linear log-odds begin, above a number and up to another."""
        for turn in self.noise.turns(low - self.centre, high - self.centre):
            yield turn + self.centre
