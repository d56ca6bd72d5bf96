"""The likeliest way to keep a group of people that guarantees (ε, δ) to each of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import Exponentials, as_ball, fraction_below, working_precision
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

__all__ = ["KeepRule"]

_FIRST_BITS = 128
#: The exact probability for more people is not told.
_MOST_TERMS = 512


@dataclass(frozen=True)
class KeepRule:
    """π(n), the greatest probabilities with π(0) = 0 that one person's presence cannot show.

    The optimum of :cite:p:`desfontaines2022partition`: π(n+1) is the least of e^ε π(n) + δ,
    1 - e^{-ε}(1 - π(n) - δ) and 1.  The first is the least while π(n) ≤ (1-δ)/(1+e^ε), and solves
    to π(n) = κ(e^{nε} - 1) with κ = δ/(e^ε - 1); from there on 1 - π(n) + κ falls by e^{-ε} at
    each step, until π(n) would exceed 1.  So no step is ever taken.

    Parameters
    ----------
    epsilon
        Above 0, and rational: then e^ε is transcendental, and the turn is never a tie.
    delta
        Above 0 and below 1.
    """

    epsilon: Fraction
    delta: Fraction

    def probability(self, count: int) -> arb:
        """Return a ball around π of a number of people, at the precision in force."""
        if count <= 0 or count >= self.end:
            return arb(1 if count > 0 else 0)
        return self._rising(count) if count <= self.turn else 1 - self._falling(count)

    def exact_probability(self, count: int) -> Exponentials | None:
        """Return π as a sum of exponentials, None for so many people that it is too long.

        The quotients of the closed forms are finite geometric sums.
        """
        if count <= 0 or count >= self.end:
            return Exponentials(1 if count > 0 else 0)
        if count > _MOST_TERMS:
            return None
        if count <= self.turn:
            return self._powers(0, count)
        gone = count - self.turn
        left = (1 - self._powers(0, self.turn)) * Exponentials.exp(-gone * self.epsilon)
        return 1 - left + self._powers(-gone, 0)

    def _powers(self, first: int, after: int) -> Exponentials:
        """Return δ times the sum of e^{jε} from one j on and before another."""
        return Exponentials({j * self.epsilon: self.delta for j in range(first, after)})

    @cached_property
    def turn(self) -> int:
        """The first number of people for which π is above (1-δ)/(1+e^ε)."""
        return _whole_part(self._crossing) + 1

    @cached_property
    def end(self) -> int:
        """A number of people from which on π is 1: the first, but for at most one."""
        with working_precision(_FIRST_BITS + self.turn.bit_length()):
            left = 1 - self._rising(self.turn)
            steps = (left / self._kappa()).log1p() / as_ball(self.epsilon)
            return self.turn + math.ceil(-fraction_below(-steps))

    def _kappa(self) -> arb:
        return as_ball(self.delta) / as_ball(self.epsilon).expm1()

    def _crossing(self) -> arb:
        """Return the real n at which κ(e^{nε} - 1) = (1-δ)/(1+e^ε)."""
        level = as_ball(1 - self.delta) / (1 + as_ball(self.epsilon).exp())
        return (level / self._kappa()).log1p() / as_ball(self.epsilon)

    def _rising(self, count: int) -> arb:
        return self._kappa() * as_ball(count * self.epsilon).expm1()

    def _falling(self, count: int) -> arb:
        """Return 1 - π(count) beyond the turn."""
        gone = as_ball(-(count - self.turn) * self.epsilon)
        left = 1 - self._rising(self.turn)
        return (left * gone.exp() + self._kappa() * gone.expm1()).max(arb(0))


def _whole_part(number: Callable[[], arb]) -> int:
    """Return the greatest integer below a number that is none itself, by ever finer balls."""
    bits, found = _FIRST_BITS, None
    while found is None:
        with working_precision(bits):
            found = number().floor().unique_fmpz()
        bits *= 2
    return int(found)
