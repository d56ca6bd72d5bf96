"""The Gaussian mechanism for whole numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.mechanisms.base import ONE_ROW
from sfumato.mechanisms.distributions.integers import DiscreteGaussianNoise, floor_of
from sfumato.mechanisms.noise.additive import (
    IntegerNoise,
    WholeAdditive,
    count_of,
    read_guarantee,
    read_sigma,
)
from sfumato.mechanisms.sensitivity.declared import Sensitivity, plain_sensitivity
from sfumato.numeric import (
    Ln,
    as_ball,
    bracket_threshold,
    read_count,
    working_precision,
)
from sfumato.privacy import ApproxDP, Epsilon, Guarantee, Relation, events, read_relation
from sfumato.privacy.calibration import short_above
from sfumato.privacy.events import Event, Number, fields
from sfumato.refusal import Argument, Bare
from sfumato.sampling import BitSource, discrete_gaussian, read_scale

if TYPE_CHECKING:
    from flint import arb
    from numpy.typing import NDArray


_BITS = 256
#: How close the noise is brought to the least, as a share of it.
_TOLERANCE = 2.0**-32


def concentrated_rho(sensitivity: Fraction | int, sigma: Fraction) -> Fraction:
    """Return ρ = Δ²/(2σ²) of noise on any number of coordinates :cite:p:`canonne2020discrete`."""
    return sensitivity**2 / (2 * sigma**2)


def exact_delta(*, epsilon: Epsilon, sigma: Fraction, sensitivity: int) -> arb:
    """Return the least δ of noise on one number as a ball, at the precision in force.

    A noise of k is more than e^ε times likelier than one of k + Δ from k = εσ²/Δ - Δ/2 on, so
    that δ = P(X ≥ k) - e^ε P(X ≥ k + Δ) for the least such k.
    """
    noise = DiscreteGaussianNoise(sigma)
    first = 1 + _last_unlikely(epsilon, sigma**2 / sensitivity, sensitivity)
    # By symmetry P(X ≥ k) is P(X ≤ -k), which is told from the side where it is small.
    seen, unseen = noise.cumulative(-first), noise.cumulative(-first - sensitivity)
    return seen - as_ball(epsilon).exp() * unseen


def _last_unlikely(epsilon: Epsilon, per_unit: Fraction, sensitivity: int) -> int:
    """Return the floor of ε·per_unit - Δ/2; that of a logarithm, no rational, by finer balls."""
    half = Fraction(sensitivity, 2)
    if not isinstance(epsilon, Ln):
        return floor(epsilon * per_unit - half)
    return floor_of(lambda: as_ball(epsilon) * as_ball(per_unit) - as_ball(half))


def least_sigma(guarantee: ApproxDP, sensitivity: Fraction | int, dimensions: int) -> Fraction:
    """Return the least σ, within a sliver, for which a guarantee is proved.

    Of one number by the exact curve; of several by concentrated privacy.
    """
    if guarantee.exact_delta == 0:
        raise InputError(
            "E-DELTA-MISSING",
            "no Gaussian noise keeps delta = 0",
            "write {delta}, say, or use DiscreteLaplace",
            delta=Argument("delta", Bare("1e-6")),
        )

    def sigma(noise: float) -> Fraction:
        return read_scale(short_above(sensitivity * Fraction(noise)), "sigma")

    def is_enough(noise: float) -> bool:
        if dimensions == 1:
            return _is_kept(guarantee, sigma(noise), int(sensitivity))
        return _is_implied(guarantee, concentrated_rho(sensitivity, sigma(noise)))

    high = 1.0
    while not is_enough(high):
        high *= 2
    low = high / 2
    while is_enough(low):
        low, high = low / 2, low
    return sigma(bracket_threshold(is_enough, low, high, tolerance=high * _TOLERANCE).high)


def _is_kept(guarantee: ApproxDP, sigma: Fraction, sensitivity: int) -> bool:
    with working_precision(_BITS):
        delta = exact_delta(epsilon=guarantee.exact_epsilon, sigma=sigma, sensitivity=sensitivity)
        return bool(delta <= as_ball(guarantee.exact_delta))


def _is_implied(guarantee: ApproxDP, rho: Fraction) -> bool:
    from sfumato.privacy import compose

    whole = compose(events.ZeroConcentrated(rho=rho))
    return whole.epsilon(delta=guarantee.exact_delta) <= guarantee.exact_epsilon


@dataclass(frozen=True, init=False, repr=False)
class DiscreteGaussian(WholeAdditive):
    """Whole-number noise, P(k) ∝ exp(-k²/(2σ²)), on a whole number or on several of them.

    Of one number the exact privacy curve is known, and used.  Of several numbers at once, with an
    L2 sensitivity, it is not: the guarantee then rests on concentrated privacy with ρ = Δ²/(2σ²),
    which holds for any number of coordinates.  So the mechanism is told how many there are.

    Parameters
    ----------
    epsilon, delta
        The guarantee for one change: the least σ for which it is proved is taken.
    sigma
        The parameter σ, instead of a guarantee; the standard deviation is not above it.
    sensitivity
        Δ: the most by which one change of the table moves the value.  For one number a whole
        number; for several the root of the sum of squares (L2), rounded up to a rational.
    dimensions
        The most numbers that a value has: 1 for a number, more for arrays.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    sigma, sensitivity
        As Fractions; the sensitivity of one number is an int.
    dimensions
        As an int.
    target
        The (ε, δ) that was asked for, None where σ was given.

    Notes
    -----
    Proof: :doc:`/proofs/discrete-gaussian`.

    Both the mechanism and its concentrated privacy are from :cite:p:`canonne2020discrete`.  A σ
    below about 1 may be worse than a smaller one, so that a σ found for (ε, δ) is certified itself.

    .. list-table:: Edge cases
       :header-rows: 1

       * - value
         - what happens
       * - zero
         - as any number
       * - a Python int of any size
         - gives an exact Python int
       * - arrays of up to 64 signed bits
         - give int64; a sum beyond its ends stays at the end, which is post-processing
       * - arrays of 64 unsigned bits, arrays and lists of Python ints
         - give an array of exact Python ints
       * - more numbers than ``dimensions``
         - are refused by their shape
       * - empty array
         - gives an empty array
       * - floats and Fractions, also whole ones, NaN and infinities
         - are refused by their type: use :class:`~sfumato.mechanisms.noise.gaussian.Gaussian`
       * - text, None, truth values, rows of unequal length
         - are refused by type and shape, before anything is drawn

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.sampling import SeededSource
    >>> count = sf.mechanisms.DiscreteGaussian(epsilon=1, delta=1e-6)
    >>> round(float(count.sigma), 8)
    4.23077886
    >>> type(count.release(42, source=SeededSource(1)).value)
    <class 'int'>
    >>> histogram = sf.mechanisms.DiscreteGaussian(sigma=4, dimensions=3)
    >>> print(histogram.guarantee)
    0.03125-zCDP (add or remove one row)
    """

    sigma: Fraction
    sensitivity: Fraction | int
    dimensions: int
    relation: Relation
    target: ApproxDP | None = field(repr=False)

    theorem = (
        "Discrete Gaussian noise of parameter σ on whole numbers that one change of the table "
        "moves by at most Δ in the L2 norm is Δ²/(2σ²)-zero-concentrated private for that change; "
        "on one number its exact privacy loss is accounted for."
    )
    citations = ("canonne2020discrete",)
    measure = "sigma"
    _noise = IntegerNoise(discrete_gaussian, DiscreteGaussianNoise)

    def __init__(
        self,
        *,
        epsilon: Number | Ln | None = None,
        delta: Number | None = None,
        sigma: Number | None = None,
        sensitivity: Number | Sensitivity = 1,
        dimensions: int = 1,
        relation: Relation = ONE_ROW,
    ) -> None:
        size, neighbours = fields.count(dimensions, "dimensions"), read_relation(relation)
        given = plain_sensitivity(sensitivity, norm="l2", relation=neighbours)
        distance = _read_sensitivity(given, size)
        target = read_guarantee(epsilon=epsilon, delta=delta, sigma=sigma, relation=neighbours)
        if target is None:
            read_scale(fields.positive(sigma, "sigma"), "sigma")
            spread = read_sigma(sigma, distance)
        else:
            spread = least_sigma(target, distance, size)
        self._keep(
            sigma=spread,
            sensitivity=distance,
            dimensions=size,
            relation=neighbours,
            target=target,
        )

    def event_at(self, distance: int) -> Event:
        """Return what a release does, seen by tables that so many changes lie between.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.DiscreteGaussian(sigma=4).event_at(3)
        DiscreteGaussian(sigma=4, sensitivity=3)
        >>> sf.mechanisms.DiscreteGaussian(sigma=4, dimensions=2).event_at(2)
        ZeroConcentrated(rho=0.125)
        """
        moved = self.sensitivity * read_count(distance, "distance")
        if self.dimensions == 1:
            return events.DiscreteGaussian(sigma=self.sigma, sensitivity=int(moved))
        return events.ZeroConcentrated(rho=concentrated_rho(moved, self.sigma))

    def guarantee_at(self, distance: int) -> Guarantee:
        """Return what a release guarantees to tables that so many changes lie between.

        Examples
        --------
        >>> import sfumato as sf
        >>> guarantee = sf.mechanisms.DiscreteGaussian(sigma=2).guarantee_at(1)
        >>> round(guarantee.delta(epsilon=1), 12)
        0.007248776846
        """
        from sfumato.privacy import ZeroConcentratedDP, compose

        steps = read_count(distance, "distance")
        if self.target is not None and steps == 1:
            return self.target
        neighbours = self.relation.times(steps)
        if self.dimensions == 1:
            return compose(self.event_at(steps), relation=neighbours)
        rho = concentrated_rho(self.sensitivity * steps, self.sigma)
        return ZeroConcentratedDP(rho=rho, relation=neighbours)

    def neighbours(self) -> list[tuple[int, int]]:
        """Return two whole numbers as far apart as one change moves a single one.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.DiscreteGaussian(sigma=4, sensitivity="2.5", dimensions=3).neighbours()
        [(0, 2)]
        """
        return [(0, floor(self.sensitivity))]

    def _draw(self, value: Any, source: BitSource) -> int | NDArray[Any]:
        if (size := count_of(value)) > self.dimensions:
            raise InputError(
                "E-LENGTHS-DIFFER",
                "the mechanism was made for {dimensions:,} numbers at most, and value has {size:,}",
                "write DiscreteGaussian(..., dimensions={size})",
                dimensions=self.dimensions,
                size=size,
            )
        return super()._draw(value, source)


def _read_sensitivity(sensitivity: Any, dimensions: int) -> Fraction | int:
    """Return an int for one number, a Fraction for several."""
    if dimensions == 1:
        return fields.count(sensitivity, "sensitivity")
    return fields.positive(sensitivity, "sensitivity")
