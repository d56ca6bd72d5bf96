"""The Laplace mechanism for reals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.information import continuous
from sfumato.mechanisms.base import ONE_ROW, read_confidence
from sfumato.mechanisms.distributions.grid import RoundedDistribution
from sfumato.mechanisms.noise.additive import (
    Additive,
    RealNoise,
    real_number,
    reals_with_noise,
    scale_and_epsilon,
)
from sfumato.mechanisms.sensitivity.declared import Sensitivity, plain_sensitivity
from sfumato.numeric import Ln, as_ball, float_above, read_count, working_precision
from sfumato.privacy import Epsilon, Guarantee, PureDP, Relation, events, read_relation
from sfumato.privacy.events import Number, positive
from sfumato.sampling import BitSource, add_laplace, add_laplace_exactly, grid

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray


_BITS = 128
_NOISE = RealNoise(add_laplace, add_laplace_exactly)


@dataclass(frozen=True, init=False, repr=False)
class Laplace(Additive):
    """Laplace noise on a real number, or on each entry of an array of them.

    The noise of scale b has the density exp(-abs(x)/b) / (2b) and the variance 2b².  It is added
    exactly, and the exact sum is rounded to a grid that depends on the scale alone: what leaves is
    computed from the output of the textbook's mechanism, so that no bit of a float tells more.

    Parameters
    ----------
    epsilon
        The guarantee for one change, above 0; ``Ln(2)`` for ln 2 exactly.  Give it or the scale.
    scale
        The scale b of the noise, Δ/ε.
    sensitivity
        Δ: the most by which one change of the table moves the value; of an array, the sum of the
        distances of its entries (L1).
    relation
        Which tables are neighbours.

    Attributes
    ----------
    scale, sensitivity
        As Fractions.
    epsilon
        A Fraction or an ``Ln``.

    Notes
    -----
    Noise of scale Δ/ε is ε-differentially private :cite:p:`dwork2006calibrating`.  Rounding the
    exact sum is post-processing; noise that is added in floats keeps no such guarantee
    :cite:p:`mironov2012significance`.

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
    >>> mechanism = sf.mechanisms.Laplace(epsilon=0.1, sensitivity=1)
    >>> mechanism.scale
    Fraction(10, 1)
    >>> mechanism.release([1.5, 2.5], source=SeededSource(1)).value.shape
    (2,)
    >>> round(sf.compose(mechanism.event, count=1000).epsilon(delta=1e-6), 9)
    18.950287368
    """

    scale: Fraction
    sensitivity: Fraction
    epsilon: Epsilon = field(repr=False)
    relation: Relation

    theorem = (
        "Laplace noise of scale Δ/ε on a value that one change of the table moves by at most Δ in "
        "the L1 norm is ε-differentially private for that change."
    )
    citations = ("dwork2006calibrating", "mironov2012significance")

    def __init__(
        self,
        *,
        epsilon: Number | Ln | None = None,
        scale: Number | None = None,
        sensitivity: Number | Sensitivity,
        relation: Relation = ONE_ROW,
    ) -> None:
        neighbours = read_relation(relation)
        given = plain_sensitivity(sensitivity, norm="l1", relation=neighbours)
        distance = positive(given, "sensitivity")
        spread, level = scale_and_epsilon(epsilon=epsilon, scale=scale, sensitivity=distance)
        self._keep(
            scale=spread,
            sensitivity=distance,
            epsilon=level,
            relation=neighbours,
        )

    def event_at(self, distance: int) -> events.Laplace:
        """Return what a release does, seen by tables that so many changes lie between.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.Laplace(epsilon=1, sensitivity=0.5).event_at(2)
        Laplace(scale=0.5, sensitivity=1)
        """
        steps = read_count(distance, "distance")
        return events.Laplace(scale=self.scale, sensitivity=self.sensitivity * steps)

    def guarantee_at(self, distance: int) -> Guarantee:
        """Return what a release guarantees to tables that so many changes lie between.

        Examples
        --------
        >>> import sfumato as sf
        >>> print(sf.mechanisms.Laplace(epsilon=0.1, sensitivity=1).guarantee_at(3))
        0.3-DP (add or remove three rows)
        """
        guarantee = PureDP(epsilon=self.epsilon, relation=self.relation)
        return guarantee.group(read_count(distance, "distance"))

    def distribution(self, value: Any) -> RoundedDistribution:
        """Return the exact distribution of the float that is released for one number.

        Examples
        --------
        >>> import sfumato as sf
        >>> distribution = sf.mechanisms.Laplace(epsilon=1, sensitivity=1).distribution(0.5)
        >>> round(distribution.cdf(0.5).upper, 6), distribution.probability(0.1).width
        (0.5, 0.0)
        """
        noise = continuous.Laplace(0, self.scale)
        return RoundedDistribution(grid(self.scale), real_number(value), noise)

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return the distance that noise and grid exceed with at most 1 - confidence, rounded up.

        Where floats are coarser than the grid, their own rounding comes on top.

        Examples
        --------
        >>> import sfumato as sf
        >>> round(sf.mechanisms.Laplace(epsilon=1, sensitivity=1).error(confidence=0.95), 6)
        2.995732
        """
        missed = 1 - read_confidence(confidence)
        with working_precision(_BITS):
            reached = -as_ball(self.scale) * as_ball(missed).log()
            return float_above(reached + as_ball(grid(self.scale) / 2))

    def _draw(self, value: Any, source: BitSource) -> float | NDArray[np.float64]:
        return reals_with_noise(value, _NOISE, self.scale, source)
