"""The median with noise that fits the table: smooth sensitivity."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.base import (
    ONE_SUBSTITUTED,
    GuaranteedMechanism,
    read_positive_delta,
    read_row_relation,
    read_usable_epsilon,
)
from sfumato.mechanisms.choices.selection import rational_below
from sfumato.mechanisms.estimators.public_grid import PublicGrid
from sfumato.mechanisms.estimators.rounded_noise import CAUCHY, LAPLACE, RoundedNoise
from sfumato.numeric import (
    as_ball,
    bracket_threshold,
    cached_property,
    float_above,
    fraction_below,
    working_precision,
)
from sfumato.privacy import Epsilon, Relation, Substitute, read_confidence, read_ends

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from flint import arb
    from numpy.typing import NDArray

    from sfumato.sampling import BitSource


#: Weights are multiples of 2^-64, and never less than one.
_WEIGHT_BITS = 64
#: So many weights are made at a time: mostly the first are enough.
_STRETCH = 1024
#: The range of the values is cut into at least 2^40 steps.
_GRID_BITS = 40
_BITS = 256


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
        found = bisect_right(range(len(self.numbers) + 1), bound, key=self.spread)
        return found if found <= len(self.numbers) else None

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


@dataclass(frozen=True, init=False, repr=False)
class SmoothMedian(GuaranteedMechanism[Any, float]):
    """The median of a column, with noise that is small where no change of a few rows moves it much.

    The lower median for an even number of values.  The noise has scale 2S/ε, where S is the smooth
    sensitivity of the median on the given table :cite:p:`nissim2007smooth`.

    Parameters
    ----------
    epsilon
        From 1e-12 to 10^6.
    delta
        Above 0 and below 1: Laplace noise.  None: noise with Cauchy's density, and pure DP.
    bounds
        A lower and an upper bound on the values, public; values are clamped to them.
    relation
        Substitution of one row: the number of values is public.

    Attributes
    ----------
    beta
        S is β-smooth: one change of the table multiplies it by at most e^β.

    Notes
    -----
    Proof: :doc:`/proofs/smooth-median`.

    Let x and x' be neighbours, with medians f and f', and S ≥ abs(f - f') on both.  Replacing the
    scale 2S(x)/ε by 2S(x')/ε and then the centre f by f' leads from one output to the other.

    - *Centre.*  The centres are at most ε/2 scales apart.  For Laplace's density that costs ε/2;
      for Cauchy's at most 2 arsinh(ε/4) ≤ ε/2.
    - *Scale, pure.*  Cauchy densities of scales e^λ apart have a ratio of at most e^abs(λ), so
      β = ε/2 costs ε/2.
    - *Scale, with δ.*  Laplace densities of scales e^β apart differ by more than e^{ε/2} beyond
      z = (ε/2 + β)/(e^β - 1) wider scales, by a mass of e^-z (1 - e^-β) in all.  β is the greatest
      number up to ε/2, rounded down, for which that mass is at most δ.

    The published constants, β = ε/6 with scale 6S/ε and β = ε/(2 ln(2/δ)), have slack in the first
    case and for small ε in the second; for large ε the second guarantees too much.

    Everything that decides is exact: values are rounded to a grid that depends on the bounds alone,
    S is a rational with the exact property of smoothness, and the sum of the median and real noise
    is rounded to the grid and cut at the bounds, which is post-processing.

    Edge cases

    ====================  ======================================================
    value                 what happens
    ====================  ======================================================
    NaN                   counts as the middle of the bounds
    ±inf, huge integers   are clamped to the bounds
    equal values          S is positive still, since the bounds are apart
    one value             is released with noise for the whole range
    no value              is refused: their number is public
    strings, None, bool   are refused before anything is drawn
    ====================  ======================================================

    Examples
    --------
    >>> from sfumato.mechanisms.estimators.smooth_median import SmoothMedian
    >>> from sfumato.sampling import SeededSource
    >>> ages = list(range(20, 80)) * 10
    >>> median = SmoothMedian(epsilon=1, delta=1e-6, bounds=(0, 120))
    >>> print(median.guarantee)
    (1, 1e-06)-DP (substitute one row)
    >>> 40 < median.release(ages, source=SeededSource(1)).value < 60
    True
    """

    theorem = (
        "Noise of scale 2S/ε, with S a β-smooth bound on the local sensitivity and a density "
        "that moves little under a shift by ε/2 and a dilation by e^β, is private for the "
        "substitution of one row."
    )
    citations = ("nissim2007smooth",)

    epsilon: Epsilon
    delta: Fraction | None
    bounds: tuple[Fraction, Fraction]
    relation: Relation = field(repr=False)
    beta: Fraction = field(repr=False, compare=False)
    _stretch: Fraction = field(repr=False, compare=False)
    _grid: PublicGrid = field(repr=False, compare=False)

    def __init__(
        self, *, epsilon: Any, delta: Any = None, bounds: Any, relation: Relation = ONE_SUBSTITUTED
    ) -> None:
        budget = read_usable_epsilon(epsilon)
        failure = None if delta is None else read_positive_delta(delta)
        limits = read_ends(bounds)
        half = rational_below(budget) / 2
        self._keep(
            epsilon=budget,
            delta=failure,
            bounds=limits,
            relation=read_row_relation(relation, Substitute),
            beta=half if failure is None else _laplace_beta(half, failure),
            _stretch=1 / half,
            _grid=PublicGrid.between(*limits, bits=_GRID_BITS),
        )

    def neighbours(self) -> list[tuple[list[Fraction], list[Fraction]]]:
        """Return columns between which the median jumps from one bound to the other.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.smooth_median import SmoothMedian
        >>> ((one, other),) = SmoothMedian(epsilon=1, bounds=(0, 10)).neighbours()
        >>> [int(each) for each in one], [int(each) for each in other]
        ([0, 0, 0, 10, 10], [0, 0, 10, 10, 10])
        """
        low, high = self.bounds
        return [([low, low, low, high, high], [low, low, high, high, high])]

    def distribution(self, value: Any) -> RoundedNoise:
        """Return the exact output distribution for a column of values.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.smooth_median import SmoothMedian
        >>> distribution = SmoothMedian(epsilon=1, bounds=(0, 100)).distribution(range(101))
        >>> round(distribution.cdf(50).upper, 6)
        0.5
        """
        grid = self._grid
        column = sorted_column(value, grid)
        spread = column.smooth_bound(self.beta) * grid.step
        return RoundedNoise(
            column.median * grid.step,
            spread * self._stretch,
            grid.exponent,
            CAUCHY if self.delta is None else LAPLACE,
            grid.low,
            grid.high,
        )

    def error(self, *, confidence: Any = 0.95, values: Any = None) -> float:
        """Return how far the output is from the median of a column, at a confidence.

        The noise scale depends on the column, so the bound is as private as the column is:
        plan with one that is made up or public.

        Parameters
        ----------
        confidence
            Above 0 and below 1.
        values
            The column.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.smooth_median import SmoothMedian
        >>> median = SmoothMedian(epsilon=1, bounds=(0, 1000))
        >>> round(median.error(confidence=0.9, values=range(1001)), 1)
        15.3
        """
        level = read_confidence(confidence)
        if values is None:
            raise InputError(
                "E-ARGUMENT-MISSING",
                "the error of SmoothMedian depends on the private values",
                "write error(confidence=0.95, values=column) for a column that is made up or "
                "public",
            )
        noise = Fraction(self.distribution(values).bound(level))
        return float_above(min(noise + self._grid.step / 2, self.bounds[1] - self.bounds[0]))

    def _draw(self, value: Any, source: BitSource) -> float:
        grid = self._grid
        return grid.value(self.distribution(value).draw(source))


def sorted_column(values: Any, grid: PublicGrid) -> SortedColumn:
    """Return private numbers on a public grid, in order."""
    steps = grid.steps(values)
    if len(steps) == 0:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "a median needs at least one value",
            "give a column that is not empty",
        )
    return SortedColumn(np.sort(steps), grid.low, grid.high)


def _laplace_beta(half: Fraction, delta: Fraction) -> Fraction:
    """Return the greatest β up to ε/2, nearly, for which the dilation costs at most δ."""

    def safe(beta: float | Fraction) -> bool:
        with working_precision(_BITS):
            return bool(_dilation_loss(half, as_ball(beta)) <= as_ball(delta))

    if safe(half):
        return half
    with working_precision(_BITS):
        first = float((as_ball(min(half, Fraction(1))) / (2 - 2 * as_ball(delta).log())).lower())
    bracket = bracket_threshold(
        lambda beta: not safe(beta), first, float(half), tolerance=first * 2.0**-20
    )
    return Fraction(bracket.low)


def _dilation_loss(half: Fraction, beta: arb) -> arb:
    """Return the hockey-stick divergence at ε/2 of Laplace noise of scales that are e^β apart."""
    point = (as_ball(half) + beta) / beta.expm1()
    return (-point).exp() * -(-beta).expm1()
