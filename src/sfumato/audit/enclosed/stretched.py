"""Two distributions on finitely many numbers, equally likely within stretches: decided exactly.

Within a stretch of both the ratio is the same, so that a whole stretch counts as one outcome.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.audit.comparison import Comparison, Interval, Judgement
from sfumato.audit.exact.finite import compare_finite
from sfumato.numeric import Exponentials

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.audit.claim import Claim
    from sfumato.audit.comparison import Least
    from sfumato.audit.enclosed.forms import Stretched
    from sfumato.privacy.parameters import Epsilon

__all__ = ["StretchedComparison"]


class StretchedComparison(Comparison):
    """The exact comparison of the stretches, with events told as intervals of numbers."""

    def __init__(self, p: Stretched, q: Stretched, *, effort: int) -> None:
        cuts = sorted({edge for one in (p, q) for a, b, _ in one.stretches for edge in (a, b + 1)})
        stretches = list(pairwise(cuts))
        names = [Interval(a * p.step, (b - 1) * p.step) for a, b in stretches]
        tables = [dict(zip(names, _weights(each, stretches), strict=True)) for each in (p, q)]
        self._finite = compare_finite(*tables, effort=effort)

    def least_epsilon(self, delta: Fraction) -> Least:
        """See ``Comparison``."""
        return self._finite.least_epsilon(delta)

    def least_delta(self, epsilon: Epsilon) -> Least:
        """See ``Comparison``."""
        return self._finite.least_delta(epsilon)

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        return self._finite.renyi(order)

    def judge(self, claim: Claim) -> Judgement:
        """See ``Comparison``."""
        return self._finite.judge(claim)


def _weights(distribution: Stretched, stretches: list[tuple[int, int]]) -> list[Exponentials]:
    """Return the odds of whole stretches, each within one of the distribution's or outside all."""
    firsts = [first for first, _, _ in distribution.stretches]
    found = []
    for start, after in stretches:
        place = bisect_right(firsts, start) - 1
        inside = place >= 0 and start <= distribution.stretches[place][1]
        odds = distribution.stretches[place][2] if inside else Exponentials(0)
        found.append((after - start) * odds)
    return found
