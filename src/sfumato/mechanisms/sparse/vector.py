"""Which queries are above a threshold: the sparse vector technique."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import fmpz

from sfumato.errors import InputError
from sfumato.mechanisms.base import ONE_ROW, PureMechanism, read_monotone
from sfumato.mechanisms.choices.selection import rational_below
from sfumato.mechanisms.distributions.output import FiniteDistribution
from sfumato.mechanisms.estimators.public_grid import PublicGrid, binary_exponent, power_of_two
from sfumato.mechanisms.sensitivity.declared import positive_sensitivity
from sfumato.mechanisms.sparse.distribution import AnswersDistribution, answer_patterns
from sfumato.mechanisms.sparse.session import SparseVectorSession
from sfumato.numeric import float_above, read_count, shown
from sfumato.privacy import (
    Epsilon,
    Relation,
    events,
    read_confidence,
    read_inside,
    read_relation,
    usable_epsilon,
    written,
)
from sfumato.privacy.events import fields
from sfumato.refusal import Argument
from sfumato.sampling import BitSource, discrete_laplace, read_source

if TYPE_CHECKING:
    from numpy.typing import NDArray


_SCALES = Fraction(1, 10**6), Fraction(10**18)
#: The sensitivity has at least 2^20 steps.
_GRID_BITS = 20
#: A query counts up to so many steps from the threshold, and 2^10 noise scales at least.
_FARTHEST = 1 << 60
_MOST_QUERIES = 10
#: So many queries above the threshold that all of them below it are a rare surprise.
_MANY = 7
_HALF = Fraction(1, 2)


def read_share(share: Any, shifts: int) -> Fraction:
    """Return the threshold's share of ε: as given, or 1 to shifts^(2/3) for the queries.

    Parameters
    ----------
    share
        Between 0 and 1, or None.
    shifts
        By how many sensitivities the noise on all positive answers together moves.
    """
    if share is None:
        return 1 / (1 + Fraction(int(fmpz(shifts**2 * 10**9).root(3)), 1000))
    return read_inside(share, "threshold_share", write="0.5")


def noise_scale(moved: int, epsilon: Fraction) -> Fraction:
    """Return the scale of noise that hides a move by so many steps, if it can be drawn."""
    scale = moved / epsilon
    if not _SCALES[0] <= scale <= _SCALES[1]:
        raise InputError(
            "E-EPSILON-TOO-SMALL",
            "{argument} leaves {epsilon} to one of its two parts, for which no noise can be drawn",
            "write 1, say",
            epsilon=shown(epsilon),
            argument=Argument("epsilon"),
        )
    return scale


@dataclass(frozen=True, init=False, repr=False)
class SparseVector(PureMechanism[Any, tuple[bool, ...]]):
    """Which of many queries are above a threshold, charged for the positive answers alone.

    A noisy threshold is drawn once.  Each query, with noise of its own, is said to be above it or
    below it, and no number is released.  After so many positive answers it stops.  Queries that are
    far below the threshold cost nothing, however many there are.

    Parameters
    ----------
    epsilon
        What all answers together cost; above 0.
    sensitivity
        Δ, the most by which one change of the table moves any one query; above 0.
    threshold
        A public number.
    positives
        c, after how many positive answers it stops.
    monotone
        Whether one change of the table never raises one query and lowers another: counts, when a
        row is added or removed.  Then half the noise on the queries is enough.
    threshold_share
        The share of ε for the threshold, between 0 and 1.  Unless given, 1 to (2c)^(2/3) for the
        queries, or c^(2/3) where they are monotone, in thousandths.
    relation
        What one change is.

    Attributes
    ----------
    threshold_epsilon, answers_epsilon
        ε₁ and ε₂, which add up to ε.
    threshold_scale, query_scale
        Of the noises, in steps of a grid of which Δ has at least 2^20.

    Notes
    -----
    Proof: :doc:`/proofs/sparse-vector`.

    Algorithms 1 and 7 of :cite:p:`lyu2017understanding`; other published variants are not private.
    Queries and threshold are rounded to the grid, and their difference, which is exact, is cut at
    2^60 steps or more, so that a change moves it by at most N = ⌈Δ/step⌉ steps.  Noises are
    discrete: z of scale N/ε₁ on the threshold, and ν of scale 2cN/ε₂ on each query.  Ties count as
    above.  Take a row of answers, and neighbours q and q'.  Pair the threshold noise z for q with
    z + N for q': it is likelier by at most e^ε₁.  A query with q + ν < T + z has
    q' + ν < T + z + N: negative answers are no less likely.  One with q + ν ≥ T + z has
    q' + (ν + 2N) ≥ T + z + N: each of at most c positive answers is likelier by at most
    e^(2N/scale) = e^(ε₂/c).  If all queries rise, or all fall, one of the two shifts by N is not
    needed, and ν moves by N only.  All of it holds for queries chosen after earlier answers.

    Edge cases

    ======================  ==============================================================
    a query                 what happens
    ======================  ==============================================================
    NaN                     counts as 0
    far from the threshold  counts as 2^60 steps away, or more; ±inf and huge integers, too
    no queries              no answers
    two dimensions          are refused
    strings, None, bool     are refused before anything is drawn
    ======================  ==============================================================

    Examples
    --------
    >>> from sfumato.mechanisms.sparse.vector import SparseVector
    >>> from sfumato.sampling import SeededSource
    >>> counts = [3, 0, 812, 5, 930, 7]
    >>> alarms = SparseVector(epsilon=1, sensitivity=1, threshold=400, positives=2, monotone=True)
    >>> alarms.release(counts, source=SeededSource(1)).value
    (False, False, True, False, True)
    >>> print(alarms.guarantee)
    1-DP (add or remove one row)
    """

    theorem = (
        "Queries compared under noise with one noisy threshold, up to c positive answers, are "
        "(ε₁ + ε₂)-differentially private where one change of the table moves each query by at "
        "most Δ, with noise of scale Δ/ε₁ on the threshold and 2cΔ/ε₂ on each query."
    )
    citations = ("lyu2017understanding",)

    epsilon: Epsilon
    sensitivity: Fraction
    threshold: Fraction
    positives: int
    monotone: bool
    threshold_share: Fraction
    relation: Relation
    threshold_epsilon: Fraction = field(repr=False, compare=False)
    answers_epsilon: Fraction = field(repr=False, compare=False)
    threshold_scale: Fraction = field(repr=False, compare=False)
    query_scale: Fraction = field(repr=False, compare=False)
    _exponent: int = field(repr=False, compare=False)

    def __init__(
        self,
        *,
        epsilon: Any,
        sensitivity: Any,
        threshold: Any = 0,
        positives: int = 1,
        monotone: bool = False,
        threshold_share: Any = None,
        relation: Relation = ONE_ROW,
    ) -> None:
        neighbours = read_relation(relation)
        moved = positive_sensitivity(sensitivity, norm="l2", relation=neighbours)
        self._keep(
            epsilon=usable_epsilon(epsilon),
            sensitivity=moved,
            threshold=written(threshold, "threshold"),
            positives=fields.count(positives, "positives"),
            monotone=read_monotone(monotone),
            relation=neighbours,
            _exponent=binary_exponent(moved) - _GRID_BITS,
        )
        share, total = read_share(threshold_share, self._shifts), rational_below(self.epsilon)
        steps = math.ceil(moved / self._step)
        self._keep(
            threshold_share=share,
            threshold_epsilon=total * share,
            answers_epsilon=total * (1 - share),
            threshold_scale=noise_scale(steps, total * share),
            query_scale=noise_scale(steps * self._shifts, total * (1 - share)),
        )

    def event_at(self, distance: int) -> events.SparseVector:
        """Return what a release or a session does, seen by tables so many changes apart.

        Examples
        --------
        >>> from sfumato.mechanisms.sparse.vector import SparseVector
        >>> SparseVector(epsilon=1, sensitivity=1, threshold_share=0.25).event_at(2)
        SparseVector(threshold_epsilon=0.5, answers_epsilon=1.5, positives=1)
        """
        changes = read_count(distance, "distance")
        return events.SparseVector(
            threshold_epsilon=self.threshold_epsilon * changes,
            answers_epsilon=self.answers_epsilon * changes,
            positives=self.positives,
        )

    def start(self, source: BitSource | None = None) -> SparseVectorSession:
        """Draw the threshold and return a session for queries asked one by one; one charge.

        Examples
        --------
        >>> from sfumato.mechanisms.sparse.vector import SparseVector
        >>> session = SparseVector(epsilon=1, sensitivity=1, threshold=100).start()
        >>> session.ask(1e6)
        True
        """
        return SparseVectorSession(self, read_source(source))

    def leads(self, values: Any) -> NDArray[Any]:
        """Return by how many steps of the grid each query lies above the threshold.

        As int64, or as Python's ints where the threshold or the noise is beyond words.

        Examples
        --------
        >>> from sfumato.mechanisms.sparse.vector import SparseVector
        >>> SparseVector(epsilon=1, sensitivity=1, threshold=5).leads([5, 6])
        array([      0, 1048576])
        """
        level, farthest = math.floor(self.threshold / self._step + _HALF), self._farthest
        beyond = 1 << (abs(level) + farthest).bit_length()
        steps = PublicGrid(self._exponent, -beyond, beyond).steps(values)
        return np.asarray(np.clip(steps - level, -farthest, farthest))

    def neighbours(self) -> list[tuple[list[Fraction], list[Fraction]]]:
        """Return queries far above the threshold that rise, and others below that fall or stay.

        That the first are all said to be below and the others above is nearly e^ε times likelier
        before they moved.

        Examples
        --------
        >>> from sfumato.mechanisms.sparse.vector import SparseVector
        >>> ((one, other),) = SparseVector(epsilon=1, sensitivity=1).neighbours()
        >>> [int(each) for each in one], [int(each) for each in other]
        ([12, 12, 12, 12, 12, 12, 12, -5], [13, 13, 13, 13, 13, 13, 13, -6])
        """
        moved, few = self.sensitivity, min(self.positives, _MOST_QUERIES - 1)
        many = min(_MOST_QUERIES - few, _MANY)
        high, low = self.threshold + 12 * moved, self.threshold - 5 * moved
        fallen = low if self.monotone else low - moved
        return [([high] * many + [low] * few, [high + moved] * many + [fallen] * few)]

    def distribution(self, value: Any) -> FiniteDistribution[tuple[bool, ...]]:
        """Return the exact distribution of the answers to a few queries.

        Examples
        --------
        >>> from sfumato.mechanisms.sparse.vector import SparseVector
        >>> distribution = SparseVector(epsilon=1, sensitivity=1, threshold=5).distribution([5, 0])
        >>> round(distribution.probability((True,)).upper, 6)
        0.5
        """
        leads = self.leads(value).tolist()
        if len(leads) > _MOST_QUERIES:
            raise InputError(
                "E-TOO-LARGE",
                "the distribution is computed for at most {most} queries",
                "give fewer",
                most=_MOST_QUERIES,
            )
        found = AnswersDistribution(self.threshold_scale, self.query_scale)
        patterns = list(answer_patterns(len(leads), self.positives))
        return FiniteDistribution(
            patterns, [partial(found.probability, leads, each) for each in patterns]
        )

    def error(self, *, confidence: Any = 0.95, queries: int = 1) -> float:
        """Return how far from the threshold a query must be to be answered rightly.

        With the confidence, all of so many queries that are further away than that are answered
        rightly, even if each is chosen after the answers before it.  The first errs on one side
        with a probability that is known exactly, each other on either side.  A confidence that no
        distance gives, within e^-1000 of 1, has an infinite error.

        Parameters
        ----------
        confidence
            Above 0 and below 1.
        queries
            How many are asked.

        Examples
        --------
        >>> from sfumato.mechanisms.sparse.vector import SparseVector
        >>> mechanism = SparseVector(epsilon=1, sensitivity=1)
        >>> round(mechanism.error(confidence=0.95, queries=100), 1)
        27.8
        """
        missed = (1 - read_confidence(confidence)) / (2 * read_count(queries, "queries") - 1)
        reach = AnswersDistribution(self.threshold_scale, self.query_scale).reach(missed)
        return float_above(reach * self._step) if reach <= self._farthest else math.inf

    def _draw(self, value: Any, source: BitSource) -> tuple[bool, ...]:
        leads = self.leads(value)
        threshold = discrete_laplace(self.threshold_scale, 1, source=source)[0]
        noise = discrete_laplace(self.query_scale, len(leads), source=source)
        above = leads + noise >= threshold
        ends = np.flatnonzero(np.cumsum(above) == self.positives)
        return tuple(map(bool, above[: ends[0] + 1] if len(ends) else above))

    @property
    def _step(self) -> Fraction:
        return power_of_two(self._exponent)

    @property
    def _farthest(self) -> int:
        greatest = max(self.threshold_scale, self.query_scale)
        return max(_FARTHEST, math.ceil(greatest) << 10)

    @property
    def _shifts(self) -> int:
        """By how many sensitivities the noise on all positive answers together moves."""
        return self.positives if self.monotone else 2 * self.positives
