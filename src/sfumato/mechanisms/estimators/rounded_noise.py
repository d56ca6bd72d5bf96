"""Real noise around a value, rounded to a grid: drawn exactly, with its exact distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from flint import arb, fmpz

from sfumato.information.continuous import Cauchy, Laplace
from sfumato.mechanisms.distributions.integers import read_outcome
from sfumato.mechanisms.distributions.output import ClampedRounding, OutputDistribution
from sfumato.mechanisms.estimators.public_grid import FIRST_BITS, power_of_two, settled
from sfumato.numeric import as_ball, float_above, working_precision

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.sampling import BitSource


_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Noise:
    """A symmetric distribution of scale 1, by its tail.

    Parameters
    ----------
    tail
        The probability of z or more, for z ≥ 0.
    point
        The z of a tail in (0, 1/2]: the inverse of ``tail``.
    family
        The distribution on the line, of a centre and a scale.
    """

    tail: Callable[[arb], arb]
    point: Callable[[arb], arb]
    family: Callable[[Fraction, Fraction], Any]


LAPLACE = Noise(tail=lambda z: (-z).exp() / 2, point=lambda p: -(2 * p).log(), family=Laplace)
CAUCHY = Noise(
    tail=lambda z: arb.atan2(arb(1), z) / arb.pi(), point=lambda p: p.cot_pi(), family=Cauchy
)


@dataclass(frozen=True)
class RoundedNoise(OutputDistribution[Any]):
    """The distribution of a value plus real noise, rounded to the nearest multiple of 2^exponent.

    The sum is that of real numbers: a uniform number is drawn to as many bits as settle which
    multiple is nearest, so that what comes out is a function of the textbook's output alone.

    Parameters
    ----------
    centre, scale
        The value, and what the noise of scale 1 is multiplied by; exact.
    exponent
        A step of the grid is 2 to this power.
    noise
        The noise distribution.
    low, high
        Outputs below or above these steps become them.
    """

    centre: Fraction
    scale: Fraction
    exponent: int
    noise: Noise = LAPLACE
    low: int | None = None
    high: int | None = None

    def draw(self, source: BitSource) -> int:
        """Return one draw, in steps of the grid."""
        sign = 1 - 2 * source.integer(1)
        return self._allowed(settled(source, partial(self._settled, sign)))

    def _settled(self, sign: int, prefix: int, bits: int) -> int | None:
        """Return the nearest step if it is the same wherever the uniform number may lie."""
        with working_precision(bits + FIRST_BITS):
            ends = [self._step(sign, arb(fmpz(prefix + i)) / arb(2) ** (bits + 1)) for i in (0, 1)]
        return ends[0] if ends[0] == ends[1] else None

    def _step(self, sign: int, tail: arb) -> int | None:
        if tail == 0:
            return None
        moved = as_ball(self.centre) + sign * as_ball(self.scale) * self.noise.point(tail)
        found = (moved / as_ball(power_of_two(self.exponent)) + arb(0.5)).floor().unique_fmpz()
        return None if found is None else int(found)

    def _allowed(self, step: int) -> int:
        step = step if self.low is None else max(step, self.low)
        return step if self.high is None else min(step, self.high)

    def ball(self, outcome: Any) -> arb:
        """Return a ball around the probability of an output; 0 off the grid."""
        step = read_outcome(outcome) / power_of_two(self.exponent)
        if step.denominator > 1 or self._allowed(int(step)) != step:
            return arb(0)
        below = None if step == self.low else self._standard(step - _HALF)
        above = None if step == self.high else self._standard(step + _HALF)
        return self._between(below, above)

    def cumulative(self, outcome: Any) -> arb:
        """Return a ball around the probability of an output not above a number."""
        step = math.floor(read_outcome(outcome) / power_of_two(self.exponent))
        if self.low is not None and step < self.low:
            return arb(0)
        above = self.high is not None and step >= self.high
        return self._between(None, None if above else self._standard(step + _HALF))

    @property
    def source(self) -> Any:
        """The distribution before it is rounded and cut at the bounds."""
        return self.noise.family(self.centre, self.scale)

    @property
    def processing(self) -> ClampedRounding:
        """What is done to the source: rounding to the grid between the bounds."""
        return ClampedRounding(power_of_two(self.exponent), self.low, self.high)

    def bound(self, confidence: Fraction) -> float:
        """Return what an output's distance from the value exceeds with 1 - confidence at most."""
        with working_precision(FIRST_BITS):
            noise = self.noise.point(as_ball((1 - confidence) / 2)) * as_ball(self.scale)
            return float_above(noise + as_ball(power_of_two(self.exponent - 1)))

    def _standard(self, steps: Fraction) -> Fraction:
        """Return where a point lies, seen from the value and in units of the scale."""
        return (steps * power_of_two(self.exponent) - self.centre) / self.scale

    def _between(self, below: Fraction | None, above: Fraction | None) -> arb:
        """Return the probability between two points, from the tails that are nearer."""
        if below is not None and below >= 0:
            mirrored = None if above is None else -above
            return self._between(mirrored, -below)
        return self._up_to(above) - self._up_to(below, outside=0)

    def _up_to(self, point: Fraction | None, outside: int = 1) -> arb:
        if point is None:
            return arb(outside)
        tail = self.noise.tail(as_ball(abs(point)))
        return tail if point <= 0 else 1 - tail
