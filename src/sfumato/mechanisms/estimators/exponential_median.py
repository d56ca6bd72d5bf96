"""The median of a column, chosen among the points of a grid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.mechanisms.base import ONE_ROW, PureMechanism, read_row_relation
from sfumato.mechanisms.choices.exponential import Exponential
from sfumato.mechanisms.estimators.public_grid import GridChoice, PublicGrid
from sfumato.privacy import AddRemove, Epsilon, Relation, events, read_ends

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.sampling import BitSource


#: The range of the values is cut into 4,096 to 8,192 steps.
_GRID_BITS = 12


@dataclass(frozen=True, init=False, repr=False)
class ExponentialMedian(PureMechanism[Any, float]):
    """The median of a column, drawn among the points of a grid by the exponential mechanism.

    Parameters
    ----------
    epsilon
        Above 0.
    bounds
        A lower and an upper bound on the values, public; values are clamped to them.
    relation
        Addition and removal, or substitution, of one row.

    Notes
    -----
    Proof: :doc:`/proofs/quantiles`.

    The values are rounded to 4,096 to 8,192 steps between the bounds.  A point y has the utility
    -max(number of values below y, number of values above y), which is greatest at the medians and
    rewards a point at which values are tied.  A row that is substituted changes each of the two
    numbers by at most 1, and so their maximum: the odds exp(ε·utility/2) of
    :cite:p:`mcsherry2007mechanism` are ε-differentially private.  A row that is added lowers no
    utility by more than 1 and raises none, so that exp(ε·utility) will do.

    Edge cases

    ====================  ======================================================
    value                 what happens
    ====================  ======================================================
    NaN                   counts as the middle of the bounds
    ±inf, huge integers   are clamped to the bounds
    no value              every point is as likely as any other
    strings, None, bool   are refused before anything is drawn
    ====================  ======================================================

    Examples
    --------
    >>> from sfumato.mechanisms.estimators.exponential_median import ExponentialMedian
    >>> from sfumato.sampling import SeededSource
    >>> median = ExponentialMedian(epsilon=1, bounds=(0, 120))
    >>> print(median.guarantee)
    1-DP (add or remove one row)
    >>> 45 < median.release(list(range(20, 80)) * 10, source=SeededSource(1)).value < 55
    True
    """

    theorem = (
        "A point drawn with odds of exp(ε·utility/2), where one change of a row moves each "
        "utility by at most 1, is ε-differentially private for that change."
    )
    citations = ("mcsherry2007mechanism",)
    kind = events.Exponential

    epsilon: Epsilon
    bounds: tuple[Fraction, Fraction]
    relation: Relation
    _choice: Exponential = field(repr=False, compare=False)
    _grid: PublicGrid = field(repr=False, compare=False)

    def __init__(self, *, epsilon: Any, bounds: Any, relation: Relation = ONE_ROW) -> None:
        found = read_row_relation(relation)
        limits = read_ends(bounds)
        choice = Exponential(
            epsilon=epsilon,
            sensitivity=1,
            monotone=isinstance(found, AddRemove),
            relation=found,
        )
        self._keep(
            epsilon=choice.epsilon,
            bounds=limits,
            relation=found,
            _choice=choice,
            _grid=PublicGrid.between(*limits, bits=_GRID_BITS),
        )

    def neighbours(self) -> list[tuple[list[Fraction], list[Fraction]]]:
        """Return columns at one bound, of which one row comes to lie at the other.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.exponential_median import ExponentialMedian
        >>> ExponentialMedian(epsilon=1, bounds=(0, 4096)).neighbours()[0][1][-1]
        Fraction(4096, 1)
        """
        low, high = self.bounds
        same = [low] * 4
        one = same if isinstance(self.relation, AddRemove) else [*same, low]
        return [(one, [*same, high])]

    def distribution(self, value: Any) -> GridChoice:
        """Return the exact distribution of the point that is released for a column of values.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.exponential_median import ExponentialMedian
        >>> distribution = ExponentialMedian(epsilon=1, bounds=(0, 4096)).distribution([10] * 30)
        >>> distribution.probability(10).lower > 0.999
        True
        """
        ranked = np.sort(self._grid.steps(value))
        points = np.arange(self._grid.low, self._grid.high + 1)
        below = np.searchsorted(ranked, points, side="left")
        above = len(ranked) - np.searchsorted(ranked, points, side="right")
        worst = np.maximum(below, above)
        ends = np.append(np.flatnonzero(np.diff(worst)), len(points) - 1)
        least, rate = int(worst.min()), self._choice.rate
        levels = tuple(rate * (least - each) for each in worst[ends].tolist())
        return GridChoice(self._grid, tuple(points[ends].tolist()), levels)

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return by how many ranks the released point is off the middle, at a confidence.

        The greater of the numbers of values below and above it exceeds the least possible one by
        more than that with probability at most 1 - confidence.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.exponential_median import ExponentialMedian
        >>> round(ExponentialMedian(epsilon=1, bounds=(0, 1)).error(confidence=0.95), 1)
        11.3
        """
        points = self._grid.high - self._grid.low + 1
        return self._choice.error(confidence=confidence, candidates=points)

    def _draw(self, value: Any, source: BitSource) -> float:
        return self._grid.value(self.distribution(value).draw(source))
