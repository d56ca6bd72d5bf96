"""Any function, computed on disjoint blocks of rows and aggregated privately."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import fmpz

from sfumato.errors import InputError
from sfumato.mechanisms.base import (
    ONE_ROW,
    ONE_SUBSTITUTED,
    Mechanism,
    PureMechanism,
    read_row_relation,
)
from sfumato.mechanisms.choices.selection import rational_below
from sfumato.mechanisms.distributions.mixture import MixtureDistribution
from sfumato.mechanisms.estimators.blocks import BlockFunction, Interval, block_results, row_count
from sfumato.mechanisms.estimators.exponential_median import ExponentialMedian
from sfumato.mechanisms.noise.laplace import Laplace
from sfumato.numeric import read_count, shown
from sfumato.privacy import Epsilon, Relation, events, read_ends, usable_epsilon, written
from sfumato.sampling import BitSource, uniform_below

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from sfumato.mechanisms.distributions.output import OutputDistribution
    from sfumato.privacy.events import Event


_MOST_BLOCKS = 10**6
#: The distribution of a release is a mixture over at most so many ways to split the rows.
_MOST_SPLITS = 1024


def read_aggregate(aggregate: Any) -> str:
    """Return how the answers of the blocks are aggregated."""
    if aggregate not in ("mean", "median"):
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "aggregate must be 'mean' or 'median', not {aggregate}",
            "write 'mean'",
            aggregate=shown(aggregate),
        )
    return str(aggregate)


def read_all_bounds(bounds: Any) -> tuple[tuple[Interval, ...], bool]:
    """Return the bounds of each number of an answer, and whether answers are lists of numbers."""
    is_vector = (
        isinstance(bounds, (list, tuple))
        and len(bounds) > 0
        and all(isinstance(each, (list, tuple)) for each in bounds)
    )
    if not is_vector:
        return (read_ends(bounds),), False
    return tuple(read_ends(each) for each in bounds), True


def read_block_function(
    function: Any, bounds: tuple[Interval, ...], default: Any, *, is_vector: bool
) -> BlockFunction:
    """Return a user's function made total, with a default within the bounds."""
    if not callable(function):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "function must take a block of rows, not be {function}",
            "write len, say",
            function=shown(function),
        )
    middle = _read_default(default, bounds, is_vector=is_vector)
    return BlockFunction(function, bounds, is_vector, middle)


def _read_default(
    default: Any, bounds: tuple[Interval, ...], *, is_vector: bool
) -> tuple[Fraction, ...]:
    if default is None:
        return tuple((low + high) / 2 for low, high in bounds)
    given = default if is_vector else [default]
    if not isinstance(given, (list, tuple)) or len(given) != len(bounds):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "default must have one number for each pair of bounds, not be {default}",
            default=shown(default),
        )
    numbers = tuple(written(each, "default") for each in given)
    if any(not low <= each <= high for each, (low, high) in zip(numbers, bounds, strict=True)):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "default must lie within the bounds, not be {default}",
            "leave it out",
            default=shown(default),
        )
    return numbers


def read_blocks(blocks: Any, rows: Any) -> int:
    """Return the number of blocks: as given, or about n^0.4 for a public number of rows."""
    if (blocks is None) == (rows is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "give exactly one of blocks and rows, a public number of blocks or of rows",
            "write blocks=50, say",
        )
    number = read_count(blocks, "blocks") if rows is None else _root(read_count(rows, "rows"))
    if number > _MOST_BLOCKS:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "blocks must be at most {most_blocks:,}, not {number}",
            "write 50, say",
            most_blocks=_MOST_BLOCKS,
            number=shown(number),
        )
    return number


def _root(rows: int) -> int:
    return int(fmpz(rows * rows).root(5))


@dataclass(frozen=True, init=False, repr=False)
class SampleAndAggregate(PureMechanism[Any, Any]):
    """Any function of rows, released through its answers on disjoint random blocks.

    Each row goes to one of m blocks at random; the function is computed on each block; the m
    answers are clamped to the bounds and aggregated privately.  Whatever the function computes
    from a block, the guarantee holds.

    Parameters
    ----------
    function
        Takes a block of rows, in the type in which the rows are given to ``release``: a list, an
        array, a pandas or polars frame or column.  Returns one finite number, or as many as there
        are pairs of bounds.  It must look at its block alone, and keep nothing between two calls.
    epsilon
        Above 0.
    bounds
        A lower and an upper bound on the answer; a list of pairs where it has several numbers.
    blocks
        m, a public number.
    rows
        Instead of the blocks: a public number of rows n, for m of about n^0.4.
    aggregate
        "mean" with Laplace noise, or "median" by the exponential mechanism.
    default
        The answer of a block on which the function fails, or that has no rows; the middle of the
        bounds unless said otherwise.
    relation
        Addition and removal, or substitution, of one row.

    Notes
    -----
    Proof: :doc:`/proofs/sample-and-aggregate`.

    Sample and aggregate is due to :cite:p:`nissim2007smooth`; a block of a random partition and a
    noisy mean are the form of :cite:p:`mohan2012gupt`.  Blocks are chosen for each row
    independently.  So the blocks of the rows that two neighbouring tables share have the same
    distribution in both.  Given these, a block without the row that differs has the same rows in
    both tables, in the same order, since rows stay in order within a block.  The function is handed
    an equal value: a copy made of these rows, the names and the types of columns, and nothing else.
    So at most one of the m answers differs: always m, since a block without rows answers, too.

    - *Mean.*  One answer within [lo, hi] moves the mean by at most (hi - lo)/m, which Laplace
      noise of scale (hi - lo)/(mε) hides.  With d numbers each is measured in units of its range;
      the L1 distance is at most d/m, and number j gets noise of scale d (hi_j - lo_j)/(mε).
    - *Median.*  ``ExponentialMedian`` for the substitution of one answer, with ε/d each.

    A mixture over blocks of pairs that are ε-close is ε-close.  Averaging does not remove the bias
    of an estimator on small blocks.

    Names and types of columns are public, and so are the categories of polars' ``Enum`` and the
    order of pandas' ordered ones.  State them, do not find them from the data: one missing value
    makes ``read_csv`` read floats unless it is given ``dtype``.  Rows must not refer to one
    another.  pandas' index is taken away: make it a column if it is data.

    The function runs in this process: one that finds rows elsewhere than in its block, or changes
    objects within pandas' cells, which are not copied, is not held back.  How long it runs, what
    it prints, warns or writes, is not hidden.  Interrupts and ``SystemExit`` pass through.

    Edge cases

    ==================================  ================================================
    on a block                          what happens
    ==================================  ================================================
    an exception of the function        the default counts; nothing of it is shown
    NaN, ±inf, text, None, bool         the default counts
    a wrong number of numbers           the default counts
    numbers beyond the bounds           clamped to them; huge integers, too
    no rows                             the default counts; the function is not called
    no rows at all                      every block has the default
    rows of a list that are not copied  the default counts
    rows of another type                are refused before anything is drawn
    arrays of objects, masked arrays    are refused, and polars' ``Categorical``
    ==================================  ================================================

    Examples
    --------
    >>> from statistics import median
    >>> from sfumato.mechanisms.estimators.sample_aggregate import SampleAndAggregate
    >>> from sfumato.sampling import SeededSource
    >>> incomes = [20_000 + 10 * i for i in range(5_000)]
    >>> private = SampleAndAggregate(median, epsilon=1, bounds=(0, 200_000), blocks=50)
    >>> print(private.guarantee)
    1-DP (add or remove one row)
    >>> 30_000 < private.release(incomes, source=SeededSource(1)).value < 60_000
    True
    """

    theorem = (
        "One changed row changes the answer of one of m disjoint blocks, so that a private mean "
        "or median of the m clamped answers is private for a change of one row."
    )
    citations = ("nissim2007smooth", "mohan2012gupt", "mcsherry2007mechanism")

    function: Callable[[Any], Any]
    epsilon: Epsilon
    bounds: tuple[Interval, ...]
    blocks: int
    aggregate: str
    default: tuple[Fraction, ...]
    relation: Relation
    _answers: BlockFunction = field(repr=False, compare=False)
    _parts: tuple[Mechanism[Any, float], ...] = field(repr=False, compare=False)

    def __init__(
        self,
        function: Callable[[Any], Any],
        *,
        epsilon: Any,
        bounds: Any,
        blocks: Any = None,
        rows: Any = None,
        aggregate: str = "mean",
        default: Any = None,
        relation: Relation = ONE_ROW,
    ) -> None:
        limits, is_vector = read_all_bounds(bounds)
        answers = read_block_function(function, limits, default, is_vector=is_vector)
        self._keep(
            function=function,
            epsilon=usable_epsilon(epsilon),
            bounds=limits,
            blocks=read_blocks(blocks, rows),
            aggregate=read_aggregate(aggregate),
            default=answers.default,
            relation=read_row_relation(relation),
            _answers=answers,
        )
        self.__dict__["_parts"] = tuple(map(self._part, limits))

    def _part(self, limits: Interval) -> Mechanism[Any, float]:
        """Return what aggregates one number of the answers, for one answer that changes."""
        share = rational_below(self.epsilon) / len(self.bounds)
        if self.aggregate == "median":
            return ExponentialMedian(epsilon=share, bounds=limits, relation=ONE_SUBSTITUTED)
        return Laplace(epsilon=share, sensitivity=(limits[1] - limits[0]) / self.blocks)

    def event_at(self, distance: int) -> Event:
        """Return what a release does, seen by tables that so many changes lie between.

        The noise on a mean is told in units of each number's range.

        Examples
        --------
        >>> from statistics import mean
        >>> from sfumato.mechanisms.estimators.sample_aggregate import SampleAndAggregate
        >>> SampleAndAggregate(mean, epsilon=0.5, bounds=(0, 9), blocks=10).event_at(2)
        Laplace(scale=0.2, sensitivity=0.2)
        """
        changes, numbers = read_count(distance, "distance"), len(self.bounds)
        budget = rational_below(self.epsilon)
        if self.aggregate == "mean":
            moved = Fraction(numbers, self.blocks)
            return events.Laplace(scale=moved / budget, sensitivity=moved * changes)
        one = events.Exponential(epsilon=budget * changes / numbers)
        return one if numbers == 1 else events.Repeated(one, count=numbers)

    def distribution(self, value: Any) -> OutputDistribution[float]:
        """Return the exact output distribution for a few rows, over all ways to split them.

        For a function that returns one number, and always the same one for the same block.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.sample_aggregate import SampleAndAggregate
        >>> halves = SampleAndAggregate(sum, epsilon=1, bounds=(0, 4), blocks=2)
        >>> round(halves.distribution([1, 1, 0]).cdf(1.5).upper, 6)
        0.5553
        """
        count = row_count(value)
        if self.blocks**count > _MOST_SPLITS:
            raise InputError(
                "E-TOO-LARGE",
                "the distribution is a mixture over all ways to split the rows, here more than "
                "{most_splits:,}",
                "give fewer rows, or write distribution_of_answers for given answers",
                most_splits=_MOST_SPLITS,
            )
        splits = product(range(self.blocks), repeat=count)
        found = Counter(self._sorted_answers(value, np.array(each, int)) for each in splits)
        total = sum(found.values())
        parts = [(Fraction(times, total), each) for each, times in found.items()]
        return MixtureDistribution(
            [(share, self.distribution_of_answers(each)) for share, each in parts]
        )

    def distribution_of_answers(self, answers: Sequence[Any]) -> OutputDistribution[float]:
        """Return the exact output distribution, given the answers of the blocks.

        Parameters
        ----------
        answers
            One number for each block, within the bounds.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.sample_aggregate import SampleAndAggregate
        >>> halves = SampleAndAggregate(sum, epsilon=1, bounds=(0, 4), blocks=2)
        >>> round(halves.distribution_of_answers([1, 3]).cdf(2).upper, 6)
        0.5
        """
        if len(self.bounds) > 1 or len(answers) != self.blocks:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "an output distribution is of one number, from the answers of all {blocks} blocks",
                "give a list of {blocks} numbers",
                blocks=self.blocks,
            )
        return self._parts[0].distribution(self._summary([Fraction(each) for each in answers]))

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return how far the output is from the aggregated answers, at a confidence.

        For a mean the distance from the mean of the answers, of the number that has most noise;
        for a median the number of answers by which its rank is off.  How far the answers are from
        the function of all rows is another matter.

        Examples
        --------
        >>> from sfumato.mechanisms.estimators.sample_aggregate import SampleAndAggregate
        >>> mechanism = SampleAndAggregate(sum, epsilon=1, bounds=(0, 10), blocks=10)
        >>> round(mechanism.error(confidence=0.95), 6)
        2.995732
        """
        return max(part.error(confidence=confidence) for part in self._parts)

    def _draw(self, value: Any, source: BitSource) -> Any:
        places = uniform_below(self.blocks, row_count(value), source=source)
        answers = block_results(self._answers, value, places, self.blocks)
        released = [
            part.release(self._summary(column), source=source).value
            for part, column in zip(self._parts, zip(*answers, strict=True), strict=True)
        ]
        return np.array(released) if self._answers.is_vector else released[0]

    def _sorted_answers(self, rows: Any, places: NDArray[np.int64]) -> tuple[Fraction, ...]:
        answers = block_results(self._answers, rows, places, self.blocks)
        return tuple(sorted(answer[0] for answer in answers))

    def _summary(self, answers: Sequence[Fraction]) -> Fraction | list[Fraction]:
        """Return what is to be protected of the answers in one number."""
        return list(answers) if self.aggregate == "median" else sum(answers) / Fraction(self.blocks)
