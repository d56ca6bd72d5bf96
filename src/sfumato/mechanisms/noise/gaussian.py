"""The Gaussian mechanism for reals."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.errors import InputError, UnknownNameError
from sfumato.information import continuous
from sfumato.mechanisms.base import ONE_ROW, read_confidence
from sfumato.mechanisms.distributions.grid import RoundedDistribution
from sfumato.mechanisms.noise.additive import (
    Additive,
    RealNoise,
    read_guarantee,
    read_sigma,
    real_number,
    reals_with_noise,
)
from sfumato.mechanisms.sensitivity.declared import Sensitivity, plain_sensitivity
from sfumato.numeric import Ln, as_ball, float_above, read_count, shown, working_precision
from sfumato.privacy import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    Relation,
    calibrate,
    events,
    read_relation,
)
from sfumato.privacy.events import Number, positive
from sfumato.refusal import Argument
from sfumato.sampling import BitSource, add_gaussian, add_gaussian_exactly, grid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_BITS = 128
_NOISE = RealNoise(add_gaussian, add_gaussian_exactly)
_METHODS = {"analytic": "exact", "classical": "classical"}


@dataclass(frozen=True, init=False, repr=False)
class Gaussian(Additive):
    """Gaussian noise on a real number, or on each entry of an array of them.

    The noise is added exactly, and the exact sum is rounded to a grid that depends on σ alone:
    what leaves is computed from the output of the textbook's mechanism, so that no bit of a float
    tells more.

    Parameters
    ----------
    epsilon, delta
        The guarantee for one change: the least σ that keeps it is taken, rounded up.
    sigma
        The standard deviation of the noise, instead of a guarantee.
    sensitivity
        Δ: the most by which one change of the table moves the value; of an array, the root of the
        sum of squares over its entries (L2).
    method
        "analytic", which is the least noise for every ε, or "classical", the textbook's
        Δ √(2 ln(1.25/δ)) / ε, which is more and is proved for ε below 1 only.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    sigma, sensitivity
        As Fractions.
    target
        The (ε, δ) that was asked for, None where σ was given.

    Notes
    -----
    The analytic calibration is that of :cite:p:`balle2018improving`, the classical one Theorem A.1
    of :cite:p:`dwork2014`.  For any number of changes the noise is as good as Gaussian privacy
    with μ = kΔ/σ :cite:p:`dong2022gaussian`.  Rounding the exact sum is post-processing.

    .. list-table:: Edge cases
       :header-rows: 1

       * - value
         - what happens
       * - zero, tiny, subnormal
         - as any number
       * - NaN
         - counts as 0
       * - infinite
         - counts as the largest float of that sign
       * - ints beyond 2^53, Fractions
         - are not rounded before the noise is added; the output is the nearest float
       * - output beyond the floats
         - is the largest float of that sign
       * - empty array
         - gives an empty array
       * - lists
         - count as arrays; rows of unequal length are refused
       * - text, None, truth values, complex numbers, dates
         - are refused by their type, before anything is drawn

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.sampling import SeededSource
    >>> mechanism = sf.mechanisms.Gaussian(epsilon=1, delta=1e-6, sensitivity=1)
    >>> float(mechanism.sigma)
    4.22467888933
    >>> print(mechanism.guarantee)
    (1, 1e-06)-DP (add or remove one row)
    >>> mechanism.release([1.5, 2.5], source=SeededSource(1)).value.shape
    (2,)
    """

    sigma: Fraction
    sensitivity: Fraction
    relation: Relation
    target: ApproxDP | None = field(repr=False)

    theorem = (
        "Gaussian noise of standard deviation σ on a value that one change of the table moves by "
        "at most Δ in the L2 norm has, for that change, exactly the privacy of telling N(0, 1) "
        "from N(Δ/σ, 1)."
    )
    citations = ("balle2018improving", "dwork2014", "dong2022gaussian")

    def __init__(
        self,
        *,
        epsilon: Number | Ln | None = None,
        delta: Number | None = None,
        sigma: Number | None = None,
        sensitivity: Number | Sensitivity,
        method: str = "analytic",
        relation: Relation = ONE_ROW,
    ) -> None:
        if method not in tuple(_METHODS):
            raise UnknownNameError(kind="method", name=method, known=_METHODS)
        neighbours = read_relation(relation)
        given = plain_sensitivity(sensitivity, norm="l2", relation=neighbours)
        distance = positive(given, "sensitivity")
        target = read_guarantee(epsilon=epsilon, delta=delta, sigma=sigma, relation=neighbours)
        spread = read_sigma(sigma, distance) if target is None else _sigma(target, distance, method)
        self._keep(sigma=spread, sensitivity=distance, relation=neighbours, target=target)

    def event_at(self, distance: int) -> events.Gaussian:
        """Return what a release does, seen by tables that so many changes lie between.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.Gaussian(sigma=4, sensitivity=1).event_at(2)
        Gaussian(sigma=4, sensitivity=2)
        """
        steps = read_count(distance, "distance")
        return events.Gaussian(sigma=self.sigma, sensitivity=self.sensitivity * steps)

    def guarantee_at(self, distance: int) -> Guarantee:
        """Return what a release guarantees to tables that so many changes lie between.

        Examples
        --------
        >>> import sfumato as sf
        >>> print(sf.mechanisms.Gaussian(sigma=4, sensitivity=1).guarantee_at(2))
        0.5-GDP (add or remove two rows)
        """
        steps = read_count(distance, "distance")
        if self.target is not None and steps == 1:
            return self.target
        mu = self.sensitivity * steps / self.sigma
        return GaussianDP(mu=mu, relation=self.relation.times(steps))

    def distribution(self, value: Any) -> RoundedDistribution:
        """Return the exact distribution of the float that is released for one number.

        Examples
        --------
        >>> import sfumato as sf
        >>> distribution = sf.mechanisms.Gaussian(sigma=1, sensitivity=1).distribution(0.5)
        >>> round(distribution.cdf(1.5).upper, 6), distribution.probability(0.1).width
        (0.841345, 0.0)
        """
        noise = continuous.Gaussian(0, self.sigma)
        return RoundedDistribution(grid(self.sigma), real_number(value), noise)

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return the distance that noise and grid exceed with at most 1 - confidence, rounded up.

        Where floats are coarser than the grid, their own rounding comes on top.

        Examples
        --------
        >>> import sfumato as sf
        >>> round(sf.mechanisms.Gaussian(sigma=1, sensitivity=1).error(confidence=0.95), 6)
        1.959964
        """
        missed = 1 - read_confidence(confidence)
        with working_precision(_BITS):
            reached = as_ball(self.sigma) * arb(2).sqrt() * as_ball(missed).erfcinv()
            return float_above(reached + as_ball(grid(self.sigma) / 2))

    def _draw(self, value: Any, source: BitSource) -> float | NDArray[np.float64]:
        return reals_with_noise(value, _NOISE, self.sigma, source)


def _sigma(guarantee: ApproxDP, sensitivity: Fraction, method: str) -> Fraction:
    """Return noise that keeps a guarantee, certified as it stands."""
    epsilon = guarantee.exact_epsilon
    if method == "classical" and not epsilon < 1:
        raise InputError(
            "E-CALIBRATION-UNPROVED",
            "the classical calibration is proved for epsilon below 1, not {epsilon}",
            "write {method}, which holds for every epsilon",
            epsilon=shown(epsilon),
            method=Argument("method", "analytic"),
        )
    found = calibrate(
        events.Gaussian,
        epsilon=epsilon,
        delta=guarantee.exact_delta,
        sensitivity=sensitivity,
        relation=guarantee.relation,
        method=_METHODS[method],
    )
    return Fraction(found.event.parameters["sigma"])
