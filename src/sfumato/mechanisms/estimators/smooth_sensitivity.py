"""How far the median can move near a table: local sensitivities, and a smooth bound on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import as_ball, fraction_below, working_precision
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["SortedColumn", "decays", "greatest_product"]

#: Weights are multiples of 2^-64, and never less than one.
_WEIGHT_BITS = 64
#: So many weights are made at a time: mostly the first are enough.
_STRETCH = 1024


@dataclass(frozen=True, eq=False)
class SortedColumn:
    """Whole numbers in order, and the ends of the range in which all of them lie.

    Neighbouring tables have as many numbers, of which one differs.

    Parameters
    ----------
    numbers
        At least one, sorted.
    low, high
        Public bounds on every number.
    """

    numbers: NDArray[np.int64]
    low: int
    high: int

    @property
    def median(self) -> int:
        """The middle number, the lower one of two."""
        return int(self.numbers[self._middle])

    def spread(self, distance: int) -> int:
        """Return the greatest local sensitivity of the median within so many changes.

        With x sorted, m the place of the median and everything beyond the ends at the bounds, it
        is the greatest x[m+t] - x[m+t-k-1] for t from 0 to k+1 :cite:p:`nissim2007smooth`.
        """
        reach = min(distance, len(self.numbers)) + 1
        median = len(self.numbers) + 1 + self._middle
        upper = self._padded[median : median + reach + 1]
        lower = self._padded[median - reach : median + 1]
        return int((upper - lower).max())

    def distance_to(self, bound: int) -> int | None:
        """Return after how many changes the local sensitivity can exceed a bound; or None."""
        low, high = 0, len(self.numbers)
        if self.spread(high) <= bound:
            return None
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.spread(middle) > bound else (middle + 1, high)
        return low

    def smooth_bound(self, beta: Fraction) -> Fraction:
        """Return the smooth sensitivity of the median: an exact β-smooth upper bound.

        It is the greatest c_k times ``spread(k)``, where the weights c_k are rationals next above
        e^{-βk} with c_k ≤ e^β c_{k+1}.  One change lets ``spread(k)`` of one table be at most
        ``spread(k + 1)`` of the other, so that the bound grows by at most e^β, exactly.
        """
        weights, last, span = decays(beta), len(self.numbers), self.high - self.low
        best = span
        for start in range(0, last + 1, _STRETCH):
            taken = list(islice(weights, min(_STRETCH, last + 1 - start)))
            best = greatest_product(taken, partial(self._spread_after, start), best)
            if taken[-1] * span <= best:
                break
        return Fraction(best, 1 << _WEIGHT_BITS)

    def _spread_after(self, start: int, distance: int) -> int:
        return self.spread(start + distance)

    @property
    def _middle(self) -> int:
        return (len(self.numbers) - 1) // 2

    @cached_property
    def _padded(self) -> NDArray[np.int64]:
        """The numbers between as many bounds, and one more, on either side."""
        ends = np.empty((2, len(self.numbers) + 1), dtype=self.numbers.dtype)
        ends[0], ends[1] = self.low, self.high
        return np.concatenate([ends[0], self.numbers, ends[1]])


def decays(beta: Fraction) -> Iterator[int]:
    """Yield the weights c_0, c_1, ... in units of 2^-64, without end.

    Each is the least that is not below a rational next above e^-β times the one before it; so
    c_k ≤ e^β c_{k+1} holds exactly, and c_k ≥ e^{-βk}.  No weight is less than one unit.

    Parameters
    ----------
    beta
        Above 0.
    """
    with working_precision(4 * _WEIGHT_BITS):
        factor = math.ceil(-fraction_below(-((-as_ball(beta)).exp() * 2**_WEIGHT_BITS)))
    weight = 1 << _WEIGHT_BITS
    while True:
        yield weight
        weight = -(-weight * factor >> _WEIGHT_BITS)


def greatest_product(weights: Sequence[int], grown: Callable[[int], int], least: int) -> int:
    """Return the greatest weights[k] · grown(k), or ``least`` where that is more.

    The weights must not grow and ``grown`` must not shrink: then the product is bounded on a
    stretch by the weight at its start, and stretches that cannot win are not looked at.
    """
    best, end = least, len(weights) - 1
    waiting = [(0, end, grown(end))]
    while waiting:
        first, last, most = waiting.pop()
        if first > last or weights[first] * most <= best:
            continue
        middle = (first + last) // 2
        found = grown(middle)
        best = max(best, weights[middle] * found)
        waiting += [(first, middle - 1, found), (middle + 1, last, most)]
    return best
