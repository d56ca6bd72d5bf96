"""Propose a bound on how far the value can move, test it, and release with noise for it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from sfumato.errors import InputError
from sfumato.mechanisms.base import (
    ONE_ROW,
    ONE_SUBSTITUTED,
    GuaranteedMechanism,
    read_positive_delta,
    read_row_relation,
    read_usable_epsilon,
)
from sfumato.mechanisms.choices.selection import rational_below
from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise
from sfumato.mechanisms.distributions.mixture import GatedDistribution
from sfumato.mechanisms.estimators.blocks import read_answer
from sfumato.mechanisms.estimators.public_grid import PublicGrid
from sfumato.mechanisms.estimators.smooth_median import SortedColumn, sorted_column
from sfumato.mechanisms.noise.additive import real_number
from sfumato.mechanisms.noise.laplace import Laplace
from sfumato.numeric import as_ball, fraction_below, shown, working_precision
from sfumato.privacy import Epsilon, Relation, Substitute, read_ends, read_relation
from sfumato.privacy.events import fields
from sfumato.refusal import Argument
from sfumato.sampling import BitSource, discrete_laplace

if TYPE_CHECKING:
    from collections.abc import Callable


_GRID_BITS = 40
_BITS = 256
#: A distance counts as at most this.
_FARTHEST = 1 << 100


@dataclass(frozen=True, init=False, repr=False)
class ProposeTestRelease(GuaranteedMechanism[Any, Any]):
    """A value with noise for a proposed sensitivity, or None where the table is near a worse one.

    Parameters
    ----------
    epsilon, delta
        What the whole of it guarantees: ε from 1e-12 to 10^6, δ above 0 and below 1.
    proposed
        b, a public guess at the local sensitivity of the query on tables like the given one.
    distance
        Of the data: how many changes lie between them and data of which some neighbour moves the
        query by more than b; 0 where the data are such.  One change must not move it by more than
        1.  ``math.inf`` says that there are no such data.
    query
        Of the data: the number to release.
    relation
        The change that the distance counts.

    Notes
    -----
    Proof: :doc:`/proofs/propose-test-release`.

    After :cite:p:`dwork2009robust`.  Half of ε goes to the test: a whole-number distance γ with
    discrete Laplace noise of scale 2/ε passes at k or more, where k is the least number that the
    noise alone reaches with probability at most δ.  The other half goes to Laplace noise of scale
    2b/ε.  Take neighbours x and x'.  If the query moves by at most b between them, the test and
    the release are each ε/2-private for this pair.  If it moves by more, both are at distance 0:
    the test has the same distribution on both, and something other than None is released with
    probability at most δ.  Either way no set of outputs is likelier by more than e^ε and δ.

    The functions are a user's claim, and nothing here checks it.  They must answer on all data;
    where one raises, or gives no number, 0 counts.  Numbers are those of Python and NumPy of any
    length, Decimals, and arrays of one number.

    Edge cases

    ==================================  ================================================
    what a function gives               what happens
    ==================================  ================================================
    an exception, NaN, None, text       counts as 0; nothing of it is shown
    a truth value, a duration           counts as 0
    a distance below 0, or no integer   counts as 0, or as the integer below
    an infinite distance                counts as 2^100, and the test passes
    a query of ±inf                     counts as the largest float of that sign
    ==================================  ================================================

    Examples
    --------
    >>> from sfumato.mechanisms.estimators.propose_test_release import ProposeTestRelease
    >>> from sfumato.sampling import SeededSource
    >>> median = ProposeTestRelease.median(epsilon=1, delta=1e-6, proposed=2, bounds=(0, 120))
    >>> print(median.guarantee)
    (1, 1e-06)-DP (substitute one row)
    >>> 40 < median.release(list(range(20, 80)) * 100, source=SeededSource(1)).value < 60
    True
    >>> median.release([0, 120], source=SeededSource(1)).value is None
    True
    """

    theorem = (
        "A noisy test that the data are far from any of worse local sensitivity than b, and noise "
        "for b where it passes, are (ε, δ)-differentially private for the change that the "
        "distance counts."
    )
    citations = ("dwork2009robust",)

    epsilon: Epsilon
    delta: Fraction
    proposed: Fraction
    distance: Callable[[Any], Any]
    query: Callable[[Any], Any]
    relation: Relation
    _read: Callable[[Any], Any] = field(repr=False, compare=False)
    _noise: Laplace = field(repr=False, compare=False)

    def __init__(
        self,
        *,
        epsilon: Any,
        delta: Any,
        proposed: Any,
        distance: Callable[[Any], Any],
        query: Callable[[Any], Any],
        relation: Relation = ONE_ROW,
    ) -> None:
        for name, function in (("distance", distance), ("query", query)):
            if not callable(function):
                raise InputError(
                    "E-ARGUMENT-TYPE",
                    "{name} must be a function of the data, not {function}",
                    name=Argument(name),
                    function=shown(function),
                )
        budget, bound = read_usable_epsilon(epsilon), fields.positive(proposed, "proposed")
        self._keep(
            epsilon=budget,
            delta=read_positive_delta(delta),
            proposed=bound,
            distance=distance,
            query=query,
            relation=read_relation(relation),
            _read=_as_given,
            _noise=Laplace(epsilon=rational_below(budget) / 2, sensitivity=bound),
        )

    @classmethod
    def median(
        cls,
        *,
        epsilon: Any,
        delta: Any,
        proposed: Any,
        bounds: Any,
        relation: Relation = ONE_SUBSTITUTED,
    ) -> Self:
        """Return the mechanism for the median of a column, whose distance is known exactly.

        Parameters
        ----------
        epsilon, delta, proposed
            As for any query.
        bounds
            A lower and an upper bound on the values, public; values are clamped to them.
        relation
            Substitution of one row: the number of values is public.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.propose_test_release import ProposeTestRelease
        >>> median = ProposeTestRelease.median(epsilon=2, delta=1e-6, proposed=1, bounds=(0, 9))
        >>> median.passing
        14
        """
        grid = PublicGrid.between(*read_ends(bounds), bits=_GRID_BITS)
        steps = math.floor(fields.positive(proposed, "proposed") / grid.step)
        made = cls(
            epsilon=epsilon,
            delta=delta,
            proposed=proposed,
            distance=_MedianDistance(steps),
            query=_MedianValue(grid),
            relation=read_row_relation(relation, Substitute),
        )
        made.__dict__["_read"] = partial(sorted_column, grid=grid)
        return made

    @property
    def passing(self) -> int:
        """The least noisy distance at which the value is released.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.propose_test_release import ProposeTestRelease
        >>> ProposeTestRelease.median(epsilon=2, delta=0.01, proposed=1, bounds=(0, 9)).passing
        5
        """
        rate = rational_below(self.epsilon) / 2
        with working_precision(_BITS):
            excess = as_ball(self.delta).log() + (1 + (-as_ball(rate)).exp()).log()
            needed = fraction_below(excess / as_ball(rate))
        return max(1, math.ceil(-needed))

    def neighbours(self) -> list[tuple[Any, Any]]:
        """Return columns whose median jumps, or moves by what is proposed; none for other queries.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.propose_test_release import ProposeTestRelease
        >>> median = ProposeTestRelease.median(epsilon=2, delta=0.01, proposed=1, bounds=(0, 9))
        >>> [[int(each) for each in column] for column in median.neighbours()[0]]
        [[0, 0, 0, 9, 9], [0, 0, 9, 9, 9]]
        """
        if not isinstance(self.query, _MedianValue):
            return []
        grid, rows = self.query.grid, self.passing
        low, high = grid.low * grid.step, grid.high * grid.step
        near = min(low + self.proposed, high)
        return [
            ([low, low, low, high, high], [low, low, high, high, high]),
            ([*[low] * (rows + 1), *[near] * rows], [*[low] * rows, *[near] * (rows + 1)]),
        ]

    def distribution(self, value: Any) -> GatedDistribution:
        """Return the exact output distribution: None, or a float.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.propose_test_release import ProposeTestRelease
        >>> median = ProposeTestRelease.median(epsilon=2, delta=0.01, proposed=1, bounds=(0, 9))
        >>> median.distribution([0, 9]).probability(None).lower > 0.99
        True
        """
        distance, number = self._known(value)
        return GatedDistribution(
            self._test_noise, distance - self.passing, self._noise.distribution(number)
        )

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return how far a released value is from the query, at a confidence.

        Given that one is released: None has no error.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.propose_test_release import ProposeTestRelease
        >>> median = ProposeTestRelease.median(epsilon=2, delta=0.01, proposed=1, bounds=(0, 9))
        >>> round(median.error(confidence=0.95), 6)
        2.995732
        """
        return self._noise.error(confidence=confidence)

    @property
    def _test_noise(self) -> DiscreteLaplaceNoise:
        return DiscreteLaplaceNoise(2 / rational_below(self.epsilon))

    def _known(self, value: Any) -> tuple[int, Fraction]:
        """Return the distance and the value of the query."""
        data = self._read(value)
        distance = _total(self.distance, data)
        return min(max(math.floor(distance), 0), _FARTHEST), _total(self.query, data)

    def _draw(self, value: Any, source: BitSource) -> float | None:
        distance, number = self._known(value)
        noise = int(discrete_laplace(self._test_noise.scale, 1, source=source)[0])
        released: float = self._noise.release(number, source=source).value
        return released if distance + noise >= self.passing else None


def _as_given(data: Any) -> Any:
    return data


@dataclass(frozen=True)
class _MedianDistance:
    """How far a column is from those whose median can move by more than some steps of a grid."""

    steps: int

    def __call__(self, column: SortedColumn) -> float:
        found = column.distance_to(self.steps)
        return math.inf if found is None else found


@dataclass(frozen=True)
class _MedianValue:
    """The median of a column, in the unit of its grid."""

    grid: PublicGrid

    def __call__(self, column: SortedColumn) -> Fraction:
        return column.median * self.grid.step


def _total(function: Callable[[Any], Any], data: Any) -> Fraction:
    """Return what a user's function gives, as a number in any case."""
    # Whatever a user's function raises must not show that a row is there.
    try:
        return real_number(read_answer(function(data)))
    except Exception:  # noqa: BLE001
        return Fraction(0)
