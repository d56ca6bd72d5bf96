"""The staircase mechanism: less noise than Laplace's for one real number."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from sfumato.mechanisms.base import ONE_ROW, PureMechanism
from sfumato.mechanisms.distributions.grid import SteppedDistribution
from sfumato.mechanisms.distributions.integers import WholeNoise
from sfumato.mechanisms.noise.additive import Additive, real_number
from sfumato.mechanisms.sensitivity.declared import Sensitivity, positive_sensitivity
from sfumato.numeric import Ln, as_ball, float_above, fraction_below, working_precision
from sfumato.privacy import (
    Epsilon,
    Relation,
    read_confidence,
    read_relation,
    usable_epsilon,
)
from sfumato.privacy.calibration import short_below
from sfumato.sampling import (
    BitSource,
    LazyUniform,
    geometric,
    grid,
    nearest_finite,
    read_scale,
    uniform_below,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb

    from sfumato.privacy.events import Number


_WORD = 64
_BITS = 128
#: How much finer than usual the grid may be, for an ε so large that the noise is tiny.
_FINEST = 2**40


@dataclass(frozen=True)
class StaircaseNoise(WholeNoise):
    """P(k) ∝ exp(-ε j), where j is 0 for abs(k) < tread, and one more for every further width.

    Attributes
    ----------
    epsilon
        What each stair goes down by.
    width
        The width of a stair: the sensitivity in grid steps.
    tread
        How many magnitudes, 0 among them, lie on the top: from 1 to the width.
    """

    epsilon: Fraction
    width: int
    tread: int

    def mass(self, at: int) -> arb:
        """Return the share of a magnitude with one sign."""
        return self._weight(self._stair(at)) / self._total()

    def tail(self, start: int) -> arb:
        """Return the share of a magnitude and those beyond it, with one sign."""
        return self._from(start) / self._total()

    def level(self, at: int) -> Fraction:
        """Return -ε for every stair down to a magnitude."""
        return -self.epsilon * self._stair(at)

    @property
    def period(self) -> int:
        """The width of a stair."""
        return self.width

    def turns(self, low: int, high: int) -> Iterator[int]:
        """Yield where stairs begin, above a number and up to another, on either side of 0."""
        yield from (1 - edge for edge in reversed(self._edges(-high, -low)))
        yield from self._edges(low, high)

    def _edges(self, low: int, high: int) -> range:
        """Return the magnitudes at which a stair goes down, above a number and up to another."""
        passed = max(0, -(-(low + 1 - self.tread) // self.width))
        return range(self.tread + passed * self.width, high + 1, self.width)

    def draw(self, source: BitSource) -> int:
        """Return one draw: how many widths out, before or behind the stair, where, and the sign."""
        while True:
            widths = int(geometric(1 / self.epsilon, 1, source=source)[0])
            uniform = LazyUniform(source, prefix=source.integer(_WORD), bits=_WORD)
            high = uniform.below(self._share_before_the_stair)
            first, places = (0, self.tread) if high else (self.tread, self.width - self.tread)
            place = first + int(uniform_below(places, 1, source=source)[0])
            magnitude, negative = widths * self.width + place, source.integer(1)
            if magnitude or not negative:
                return -magnitude if negative else magnitude

    def _share_before_the_stair(self) -> arb:
        """Return how much of one width lies before the place where the weight goes down."""
        behind = (self.width - self.tread) * self._weight(1)
        return self.tread / (self.tread + behind)

    def _stair(self, magnitude: int) -> int:
        return (magnitude + self.width - self.tread) // self.width

    def _weight(self, stair: int) -> arb:
        return as_ball(-self.epsilon * stair).exp()

    def _from(self, magnitude: int) -> arb:
        """Return the weights from a magnitude on: the rest of its stair, and the stairs beyond."""
        stair = self._stair(magnitude)
        rest = self.tread + stair * self.width - magnitude
        beyond = self.width * self._weight(1) / -as_ball(-self.epsilon).expm1()
        return self._weight(stair) * (rest + beyond)

    def _total(self) -> arb:
        return 2 * self._from(0) - 1


@dataclass(frozen=True, init=False, repr=False)
class Staircase(PureMechanism[Any, Any], Additive):
    """Noise whose density goes down in stairs of the sensitivity's width, on one real number.

    For a guarantee of ε alone it has the least expected size of all noise, by far where ε is large:
    Δ e^(ε/2) / (e^ε - 1), against Δ/ε of Laplace noise.  The value is rounded to a grid of a power
    of two that depends on public parameters alone, and whole-number noise is added in grid steps.

    Parameters
    ----------
    epsilon
        The guarantee for one change, above 0; ``Ln(2)`` for ln 2 exactly.
    sensitivity
        Δ: the most by which one change of the table moves the value.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    epsilon
        A Fraction or an ``Ln``.
    sensitivity
        As a Fraction.
    grid, noise
        The step of the grid, and the noise distribution in such steps.

    Notes
    -----
    Proof: :doc:`/proofs/staircase`.

    The mechanism of :cite:p:`geng2016optimal`, with their γ = 1/(1 + e^(ε/2)), on a grid.  Rounding
    half up moves neighbours apart by no more than ⌈Δ/g⌉ grid steps of size g, and that is the width
    of a stair: within one width the weight changes by e^ε at most, exactly.

    The event is that of ε-differential privacy alone.  The privacy loss is ε, 0 or -ε, and ε with
    nearly the probability that randomized response has: an account of the loss itself would gain
    little.  Of an array every entry could cost ε, so that only single numbers are taken.

    .. list-table:: Edge cases
       :header-rows: 1

       * - value
         - what happens
       * - zero, tiny, subnormal
         - as any number, rounded to the grid
       * - NaN
         - counts as 0
       * - infinite
         - counts as the largest float of that sign
       * - ints beyond 2^53, Fractions
         - are rounded to the grid and not before; the output is the nearest float
       * - output beyond the floats
         - is the largest float of that sign
       * - an array of any but one number, also an empty one
         - is refused by its shape
       * - text, None, truth values, complex numbers, dates
         - are refused by their type, before anything is drawn

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.sampling import SeededSource
    >>> mechanism = sf.mechanisms.Staircase(epsilon=5, sensitivity=1)
    >>> type(mechanism.release(0.5, source=SeededSource(1)).value)
    <class 'float'>
    >>> print(mechanism.guarantee)
    5-DP (add or remove one row)
    """

    epsilon: Epsilon
    sensitivity: Fraction
    relation: Relation
    grid: Fraction = field(repr=False)
    noise: StaircaseNoise = field(repr=False)

    theorem = (
        "Noise whose density goes down by e^-ε at every further Δ, on a number that one change of "
        "the table moves by at most Δ, is ε-differentially private for that change."
    )
    citations = ("geng2016optimal",)

    def __init__(
        self,
        *,
        epsilon: Number | Ln,
        sensitivity: Number | Sensitivity,
        relation: Relation = ONE_ROW,
    ) -> None:
        level, neighbours = usable_epsilon(epsilon), read_relation(relation)
        distance = positive_sensitivity(sensitivity, norm="l1", relation=neighbours)
        lost = _rational_below(level)
        read_scale(1 / lost, "1/epsilon")
        step = _grid(lost, distance)
        self._keep(
            epsilon=level,
            sensitivity=distance,
            relation=neighbours,
            grid=step,
            noise=_noise(lost, ceil(distance / step)),
        )

    def distribution(self, value: Any) -> SteppedDistribution:
        """Return the exact distribution of the float that is released.

        Examples
        --------
        >>> import sfumato as sf
        >>> distribution = sf.mechanisms.Staircase(epsilon=1, sensitivity=1).distribution(0.5)
        >>> round(distribution.cdf(0.5).upper, 6), distribution.probability(0.1).width
        (0.5, 0.0)
        """
        return SteppedDistribution(self.grid, self._step(value) * self.grid, self.noise)

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return the distance that noise and grid exceed with at most 1 - confidence, rounded up.

        Where floats are coarser than the grid, their own rounding comes on top.

        Examples
        --------
        >>> import sfumato as sf
        >>> round(sf.mechanisms.Staircase(epsilon=5, sensitivity=1).error(confidence=0.9), 6)
        0.074378
        """
        steps = self.noise.reach(read_confidence(confidence))
        return float_above((steps + Fraction(1, 2)) * self.grid)

    def _draw(self, value: Any, source: BitSource) -> float:
        return nearest_finite((self._step(value) + self.noise.draw(source)) * self.grid)

    def _step(self, value: Any) -> int:
        """Return the grid step nearest to a value; half up, so that any shift moves all alike."""
        return floor(real_number(value) / self.grid + Fraction(1, 2))


def _rational_below(epsilon: Epsilon) -> Fraction:
    if isinstance(epsilon, Fraction):
        return epsilon
    with working_precision(_BITS):
        return short_below(fraction_below(epsilon.ball()))


def _tread_share(epsilon: Fraction) -> Fraction:
    """Return γ = 1/(1 + e^(ε/2)), the share of the sensitivity for which the top is best."""
    with working_precision(_BITS):
        return fraction_below(1 / (1 + as_ball(epsilon / 2).exp()))


def _grid(epsilon: Fraction, sensitivity: Fraction) -> Fraction:
    """Return a grid that cuts the top finely, or the sensitivity where the top is too narrow."""
    return max(grid(sensitivity * _tread_share(epsilon)), grid(sensitivity) / _FINEST)


def _noise(epsilon: Fraction, width: int) -> StaircaseNoise:
    return StaircaseNoise(epsilon, width, max(1, round(width * _tread_share(epsilon))))
