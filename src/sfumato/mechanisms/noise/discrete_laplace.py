"""The Laplace mechanism for whole numbers, also called the geometric mechanism."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.mechanisms.base import ONE_ROW, PureMechanism
from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise
from sfumato.mechanisms.noise.additive import (
    IntegerNoise,
    WholeAdditive,
    scale_and_epsilon,
)
from sfumato.mechanisms.sensitivity.declared import Sensitivity, plain_sensitivity
from sfumato.privacy import Epsilon, Relation, events, read_relation
from sfumato.privacy.events import Number, fields
from sfumato.sampling import discrete_laplace, read_scale

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.numeric import Ln


@dataclass(frozen=True, init=False, repr=False)
class DiscreteLaplace(WholeAdditive, PureMechanism[Any, Any]):
    """Whole-number noise, P(k) ∝ exp(-abs(k)/b), on a whole number or on each entry of an array.

    For counts it is better than continuous noise: the variance is below 2b², and what leaves is a
    whole number.

    Parameters
    ----------
    epsilon
        The guarantee for one change, above 0; ``Ln(2)`` for ln 2 exactly.  Give it or the scale.
    scale
        The scale b of the noise, Δ/ε.
    sensitivity
        Δ: the most by which one change of the table moves the value, a whole number; of an array,
        the sum of the distances of its entries (L1).
    relation
        Which tables are neighbours.

    Attributes
    ----------
    scale
        As a Fraction.
    sensitivity
        As an int.
    epsilon
        A Fraction or an ``Ln``.

    Notes
    -----
    Proof: :doc:`/proofs/discrete-laplace`.

    The mechanism of :cite:p:`ghosh2012universally`, who show that for a count no other ε-private
    mechanism serves any user better.

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
       * - empty array
         - gives an empty array
       * - floats and Fractions, also whole ones, NaN and infinities
         - are refused by their type: use :class:`~sfumato.mechanisms.noise.laplace.Laplace`
       * - text, None, truth values, rows of unequal length
         - are refused by type and shape, before anything is drawn

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.sampling import SeededSource
    >>> count = sf.mechanisms.DiscreteLaplace(epsilon=0.5)
    >>> type(count.release(42, source=SeededSource(1)).value)
    <class 'int'>
    >>> count.release([1, 2, 3], source=SeededSource(1)).value.shape
    (3,)
    """

    scale: Fraction
    sensitivity: int
    epsilon: Epsilon = field(repr=False)
    relation: Relation

    theorem = (
        "Discrete Laplace noise of scale Δ/ε on whole numbers that one change of the table moves "
        "by at most Δ in the L1 norm is ε-differentially private for that change."
    )
    citations = ("ghosh2012universally", "canonne2020discrete")
    kind = events.DiscreteLaplace
    _noise = IntegerNoise(discrete_laplace, DiscreteLaplaceNoise)

    def __init__(
        self,
        *,
        epsilon: Number | Ln | None = None,
        scale: Number | None = None,
        sensitivity: int | Sensitivity = 1,
        relation: Relation = ONE_ROW,
    ) -> None:
        neighbours = read_relation(relation)
        given = plain_sensitivity(sensitivity, norm="l1", relation=neighbours)
        distance = fields.count(given, "sensitivity")
        spread, level = scale_and_epsilon(epsilon=epsilon, scale=scale, sensitivity=distance)
        read_scale(spread, "scale")
        self._keep(scale=spread, sensitivity=distance, epsilon=level, relation=neighbours)
