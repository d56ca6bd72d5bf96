"""The Laplace mechanism for reals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.information import continuous
from sfumato.mechanisms.base import ONE_ROW, PureMechanism
from sfumato.mechanisms.noise.additive import (
    RealAdditive,
    RealNoise,
    scale_and_epsilon,
)
from sfumato.mechanisms.sensitivity.declared import Sensitivity, positive_sensitivity
from sfumato.privacy import Epsilon, Relation, events, read_relation
from sfumato.sampling import add_laplace, add_laplace_exactly

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.numeric import Ln
    from sfumato.privacy.events import Number


@dataclass(frozen=True, init=False, repr=False)
class Laplace(RealAdditive, PureMechanism[Any, Any]):
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
    Proof: :doc:`/proofs/laplace`.

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
    kind = events.Laplace
    _noise = RealNoise(
        add_laplace,
        add_laplace_exactly,
        around_zero=lambda scale: continuous.Laplace(0, scale),
        reach=lambda missed: -missed.log(),
    )

    def __init__(
        self,
        *,
        epsilon: Number | Ln | None = None,
        scale: Number | None = None,
        sensitivity: Number | Sensitivity,
        relation: Relation = ONE_ROW,
    ) -> None:
        neighbours = read_relation(relation)
        distance = positive_sensitivity(sensitivity, norm="l1", relation=neighbours)
        spread, level = scale_and_epsilon(epsilon=epsilon, scale=scale, sensitivity=distance)
        self._keep(scale=spread, sensitivity=distance, epsilon=level, relation=neighbours)
