"""A quantile of weighted points, chosen by the exponential mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.base import ONE_ROW, PureMechanism
from sfumato.mechanisms.choices.exponential import Exponential
from sfumato.mechanisms.choices.selection import rational_below, read_utilities
from sfumato.mechanisms.sensitivity.declared import positive_sensitivity
from sfumato.numeric import float_above, shown
from sfumato.privacy import Epsilon, Relation, events, read_relation, usable_epsilon, written
from sfumato.sampling import BitSource, choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.mechanisms.distributions.output import FiniteDistribution


#: Losses beyond e to minus this count as that.
_FARTHEST = 256
#: The rate has at least so many binary digits, and with a loss no more than a float has.
_LEAST_DIGITS, _FLOAT_DIGITS = 8, 53
_WORDS = 1 << 61


@dataclass(frozen=True, init=False, repr=False)
class ExponentialQuantile(PureMechanism[Any, Any]):
    """The point below which a share of all weight lies, drawn by the exponential mechanism.

    Parameters
    ----------
    epsilon
        Above 0.
    rank
        The share of the weight that lies below, from 0 to 1; 1/2 for the median.
    sensitivity
        The most by which one change moves all weights together: the sum of what is added to each
        point and of what is taken from it.
    offset
        A weight that is added to the one that shall lie below: to aim so far beside the rank.
    relation
        What one change is.

    Notes
    -----
    Proof: :doc:`/proofs/quantiles`.

    The value is the weight at each of some public points, in order.  Of a weight M in all,
    t = rank·M + offset shall lie below.  A point with the weight B strictly below it and A at or
    below it has the loss max(B - t, t - A, 0), its distance from the point that is sought; the
    first point counts as if nothing could lie below it, and the last as if all did, so that some
    point has the loss 0, and a point at which much weight is tied is found by all ranks in it.

    A weight m that is added at a point x moves t by rank·m and B and A by m beyond x, and else
    not: no loss changes by more than m·max(rank, 1 - rank), and nor does it for weights that are
    added at several points, of m in all.  So with Δ the sensitivity times max(rank, 1 - rank),
    odds of exp(-ε·loss/(2Δ)) are ε-differentially private by :cite:p:`mcsherry2007mechanism`,
    with losses of privacy in an interval of length ε :cite:p:`dong2020optimal`.  A substitution
    takes weight away and then adds some: both are counted by the sensitivity.

    Several of them, drawn for groups of weights of which one change moves all together by the
    sensitivity, are one choice whose losses add up: ε-differentially private together.

    The rate ε/(2Δ) is rounded down to a few binary digits, so that all exponents are floats and
    what is drawn has the distribution that is stated.

    ==============================  ========================================================
    Edge cases                      What happens
    ==============================  ========================================================
    a list or an array              the index of a point is released
    a mapping                       its key is released; the keys are public and in order
    no weight at all                each point is as likely as any other, if offset is 0
    NaN, negative weights           count as 0
    ±infinity                       counts as the greatest float, or as 0
    one point                       it is released
    none, or two dimensions         refused
    strings, booleans, complex      refused, and so is None
    ==============================  ========================================================

    Examples
    --------
    >>> from sfumato.mechanisms import ExponentialQuantile
    >>> from sfumato.sampling import SeededSource
    >>> upper = ExponentialQuantile(epsilon=1, rank=0.75)
    >>> print(upper.guarantee)
    1-DP (add or remove one row)
    >>> ages = {"under 30": 250, "30 to 59": 480, "60 and over": 270}
    >>> upper.release(ages, source=SeededSource(1)).value
    '60 and over'
    """

    theorem = (
        "A point drawn with odds of exp(-ε·loss/(2Δ)), where one change of the table moves each "
        "loss by at most Δ, is an ε-differentially private choice; and the loss of a point, by "
        "how much weight it is off the rank, moves by no more than max(rank, 1 - rank) times the "
        "weight that is added."
    )
    citations = ("mcsherry2007mechanism", "dong2020optimal")
    kind = events.Exponential

    epsilon: Epsilon
    rank: Fraction
    sensitivity: Fraction
    offset: Fraction
    relation: Relation
    _choice: Exponential = field(repr=False, compare=False)

    def __init__(
        self,
        *,
        epsilon: Any,
        rank: Any,
        sensitivity: Any = 1,
        offset: Any = 0,
        relation: Relation = ONE_ROW,
    ) -> None:
        neighbours = read_relation(relation)
        self._keep(
            epsilon=usable_epsilon(epsilon),
            rank=_read_rank(rank),
            sensitivity=positive_sensitivity(sensitivity, norm="l1", relation=neighbours),
            offset=written(offset, "offset"),
            relation=neighbours,
        )
        self._keep(_choice=self._made_choice())

    def neighbours(self) -> list[tuple[list[Fraction], list[Fraction]]]:
        """Return weights on many points, and the same with more at the first of them.

        Examples
        --------
        >>> from sfumato.mechanisms import ExponentialQuantile
        >>> one, other = ExponentialQuantile(epsilon=1, rank=0.5).neighbours()[0]
        >>> other[0] - one[0]
        Fraction(1, 1)
        """
        held = 4 * self.sensitivity
        one = [Fraction(0), Fraction(0), held, *[Fraction(0)] * 200]
        return [(one, [one[0] + self.sensitivity, *one[1:]])]

    def distribution(self, value: Any) -> FiniteDistribution[Any]:
        """Return the exact distribution of the point that is chosen.

        Examples
        --------
        >>> from sfumato.mechanisms import ExponentialQuantile
        >>> distribution = ExponentialQuantile(epsilon=1, rank=0.5).distribution([3, 0, 1])
        >>> round(distribution.probability(0).upper, 6)
        0.576117
        """
        points, weights = _read_weights(value)
        losses = map(Fraction, self._losses(weights).tolist())
        return self._choice.distribution(
            {point: -loss for point, loss in zip(points, losses, strict=True)}
        )

    def error(self, *, confidence: Any = 0.95, candidates: Any = None) -> float:
        """Return by how much weight the chosen point is off its rank, at a confidence.

        Whatever the weights, its loss exceeds that with probability at most 1 - confidence.

        Parameters
        ----------
        confidence
            Above 0 and below 1.
        candidates
            How many points there are.

        Examples
        --------
        >>> from sfumato.mechanisms import ExponentialQuantile
        >>> round(ExponentialQuantile(epsilon=1, rank=0.5).error(candidates=4096), 1)
        11.3
        """
        found = self._choice.error(confidence=confidence, candidates=candidates)
        return float_above(Fraction(found) / self._unit) if found < self._most else math.inf

    def _draw(self, value: Any, source: BitSource) -> Any:
        points, weights = _read_weights(value)
        return points[int(choice(self._levels(self._losses(weights)), 1, source=source)[0])]

    def _losses(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Return the loss of each point in units in which it is whole, up to the farthest."""
        unit = self._unit
        if not self._fits_words(weights):
            weights = weights.astype(object)
        upto = np.cumsum(weights)
        target = int(self.rank * unit) * upto[-1] + int(self.offset * unit)
        over, under = unit * (upto - weights) - target, target - unit * upto
        over[0], under[-1] = 0, 0
        losses: NDArray[Any] = np.minimum(np.maximum(np.maximum(over, under), 0), self._most)
        return losses

    def _levels(self, losses: NDArray[Any]) -> NDArray[np.float64] | list[Fraction]:
        """Return the exponents of the odds, exactly."""
        rate = self._choice.rate
        if losses.dtype == np.int64 and self._most * rate.numerator < 1 << _FLOAT_DIGITS:
            return losses * -float(rate)
        return [-rate * Fraction(each) for each in losses.tolist()]

    def _fits_words(self, weights: NDArray[Any]) -> bool:
        if weights.dtype != np.int64:
            return False
        total = Fraction(float(weights.sum(dtype=np.float64)))
        return self._unit * (total + abs(self.offset)) < _WORDS

    def _made_choice(self) -> Exponential:
        """Return the choice by losses in whole units, at a rate of few binary digits."""
        moved = self._unit * self.sensitivity * max(self.rank, 1 - self.rank)
        epsilon = rational_below(self.epsilon)
        rate = epsilon / (2 * moved)
        farthest = math.ceil(_FARTHEST / rate).bit_length()
        rounded = _rounded_down(rate, max(_FLOAT_DIGITS - 2 - farthest, _LEAST_DIGITS))
        return Exponential(
            epsilon=self.epsilon, sensitivity=epsilon / (2 * rounded), relation=self.relation
        )

    @property
    def _unit(self) -> int:
        """In how many parts a weight is counted: then the target is whole if all weights are."""
        return math.lcm(self.rank.denominator, self.offset.denominator)

    @property
    def _most(self) -> int:
        """The loss beyond which all points are alike."""
        return math.ceil(_FARTHEST / self._choice.rate)


def _rounded_down(number: Fraction, digits: int) -> Fraction:
    """Return the greatest number of so many binary digits that is not above a number."""
    exponent = number.numerator.bit_length() - number.denominator.bit_length() - digits
    unit = Fraction(2) ** exponent
    return number // unit * unit


def _read_rank(rank: Any) -> Fraction:
    found = written(rank, "rank")
    if not 0 <= found <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "rank must lie from 0 to 1, not be {rank}",
            "write 0.5 for the median",
            rank=shown(rank),
        )
    return found


def _read_weights(value: Any) -> tuple[Sequence[Any], NDArray[Any]]:
    """Return the points and the weight of each; type and shape alone are looked at."""
    if type(value) is np.ndarray and value.dtype == np.int64 and value.ndim == 1 and value.size:
        return range(len(value)), np.maximum(value, 0)
    utilities = read_utilities(value)
    weights = np.array([max(each, Fraction(0)) for each in utilities.scores], dtype=object)
    return utilities.candidates, weights
