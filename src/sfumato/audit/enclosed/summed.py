"""Two laws on whole numbers of which nothing else is known: by sums and their tails."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flint import arb, ctx

from sfumato.audit.comparison import Interval, Least
from sfumato.audit.enclosed.bounds import between
from sfumato.audit.enclosed.candidates import Candidate, union
from sfumato.audit.enclosed.enclosed import EnclosedComparison
from sfumato.audit.enclosed.masses import event_of
from sfumato.numeric import Enclosure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from sfumato.audit.enclosed.forms import Atomic

__all__ = ["SummedComparison"]

#: The window has so many outcomes at most, and all but so little of the probability if it can.
_MOST_OUTCOMES = 1 << 12
_LEFT_OUT = 2.0**-70
#: More bits would not tell more, since the tails are bounded no better.
_MOST_BITS = 256


class SummedComparison(EnclosedComparison):
    """What the probabilities of a window of outcomes say, and those of what lies outside.

    Parameters
    ----------
    p, q
        The laws.
    step
        Outcomes are looked at that are multiples of it; others count as outside.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.audit.enclosed.summed import SummedComparison
    >>> from sfumato.mechanisms import DiscreteGaussian
    >>> p, q = DiscreteGaussian(sigma=1).law(0), DiscreteGaussian(sigma=2).law(0)
    >>> found = SummedComparison(p, q, Fraction(1), effort=128).least_delta(Fraction(0))
    >>> round(found.bounds.upper, 6) == round(found.bounds.lower, 6)
    True
    """

    def __init__(self, p: Atomic, q: Atomic, step: Fraction, *, effort: int) -> None:
        super().__init__(effort=min(effort, _MOST_BITS))
        self._laws, self._step = (p, q), step
        self._windows: dict[int, list[Candidate]] = {}

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``: nothing bounds the ratio far outside."""
        seen = ((each.p / each.q).log() for each in self._window() if each.p > 0)
        known = (ratio for ratio in seen if not ratio.is_nan())
        return max(known, key=float, default=arb.neg_inf()), arb.pos_inf()

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        window = self._window()
        inside = sum((each.excess(level).max(0) for each in window), arb(0))
        outside = (1 - sum((each.p for each in window), arb(0))).max(0)
        return between(inside, inside + outside)

    def events(self, level: arb) -> Iterator[Candidate]:
        """See ``EnclosedComparison``: a half line, an outcome, and all that are likelier."""
        likelier = [each for each in self._window() if each.excess(level) > 0]
        if likelier:
            first, last = self._window_ends()
            yield event_of(*self._laws, Interval(None, first))
            yield event_of(*self._laws, Interval(last, None))
            yield max(likelier, key=lambda each: float(each.excess(level)))
            yield union(likelier)

    def event(self, interval: Interval) -> Candidate:
        """See ``EnclosedComparison``."""
        return event_of(*self._laws, interval)

    def renyi(self, order: Fraction) -> Least:  # noqa: ARG002 - nothing bounds the tails
        """See ``Comparison``."""
        return Least(Enclosure(0.0, math.inf))

    def _window(self) -> list[Candidate]:
        """Return the outcomes around the middle of both laws, one by one."""
        if ctx.prec not in self._windows:
            first, last = self._ends()
            outcomes = (k * self._step for k in range(first, last + 1))
            p, q = self._laws
            found = [Candidate((each,), p.ball(each), q.ball(each)) for each in outcomes]
            self._windows[ctx.prec] = found
        return self._windows[ctx.prec]

    def _window_ends(self) -> tuple[Fraction, Fraction]:
        first, last = self._ends()
        return first * self._step, last * self._step

    def _ends(self) -> tuple[int, int]:
        middles = [self._middle(law) for law in self._laws]
        low, high, reach = min(middles), max(middles), 1
        while not self._covers(low - reach, high + reach):
            if high - low + 4 * reach > _MOST_OUTCOMES:
                break
            reach *= 2
        return low - reach, high + reach

    def _covers(self, first: int, last: int) -> bool:
        inside = self.event(Interval(first * self._step, last * self._step))
        return bool(inside.p > 1 - _LEFT_OUT)

    def _middle(self, law: Atomic) -> int:
        """Return a number near the median, by doubling and halving."""
        low, high = -1, 1
        while law.cumulative(low * self._step) > 0.5:
            low *= 2
        while law.cumulative(high * self._step) < 0.5:
            high *= 2
        while high - low > 1:
            middle = (low + high) // 2
            below = law.cumulative(middle * self._step) < 0.5
            low, high = (middle, high) if below else (low, middle)
        return high
