"""The Gaussian mechanism for reals."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from sfumato.errors import InputError, UnknownNameError
from sfumato.information import continuous
from sfumato.mechanisms.base import ONE_ROW
from sfumato.mechanisms.noise.additive import (
    RealAdditive,
    RealNoise,
    read_guarantee,
    read_sigma,
)
from sfumato.mechanisms.sensitivity.declared import Sensitivity, positive_sensitivity
from sfumato.numeric import Ln, read_count, shown
from sfumato.privacy import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    Relation,
    calibrate,
    events,
    read_relation,
)
from sfumato.refusal import Argument
from sfumato.sampling import add_gaussian, add_gaussian_exactly

if TYPE_CHECKING:
    from sfumato.privacy.events import Number

_METHODS = {"analytic": "exact", "classical": "classical"}


@dataclass(frozen=True, init=False, repr=False)
class Gaussian(RealAdditive):
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
    Proof: :doc:`/proofs/gaussian`.

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
    kind = events.Gaussian
    measure = "sigma"
    _noise = RealNoise(
        add_gaussian,
        add_gaussian_exactly,
        around_zero=lambda sigma: continuous.Gaussian(0, sigma),
        reach=lambda missed: arb(2).sqrt() * missed.erfcinv(),
    )

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
        distance = positive_sensitivity(sensitivity, norm="l2", relation=neighbours)
        target = read_guarantee(epsilon=epsilon, delta=delta, sigma=sigma, relation=neighbours)
        spread = read_sigma(sigma, distance) if target is None else _sigma(target, distance, method)
        self._keep(sigma=spread, sensitivity=distance, relation=neighbours, target=target)

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
