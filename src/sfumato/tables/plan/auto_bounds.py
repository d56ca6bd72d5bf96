"""Bounds that are found privately: which, at what cost, and what has to be said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.tables.column import types
from sfumato.tables.expressions import type_of
from sfumato.tables.notes import SAYS_NOTHING, note, percent_above
from sfumato.tables.plan.assembling import asked_bounds
from sfumato.tables.plan.steps import PrivateStep, histogram_sensitivity
from sfumato.tables.tree.aggregates import Covariance, OfColumn
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from sfumato.mechanisms import DiscreteGaussian, DiscreteLaplace
    from sfumato.privacy.events import Event
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.expressions import Expression
    from sfumato.tables.notes import Note
    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.tree.aggregates import Aggregate


#: The sizes of numbers that are told apart: from 2^-32 up to 2^64, by octaves.
LEAST_POWER, GREATEST_POWER = -32, 64
OCTAVES = GREATEST_POWER - LEAST_POWER
#: An octave is a bucket for each sign; one more is for what is smaller than all of them.
BUCKETS = 2 * OCTAVES + 1


@dataclass(frozen=True)
class FoundBounds:
    """Bounds that were found privately, and how much lies beyond them.

    Parameters
    ----------
    low, high
        The bounds: public numbers from here on.
    left_out
        The share of values beyond them, estimated from the same noisy histogram; each person
        counts once.
    at_most
        The share, with a confidence of 95 %.
    seen
        Whether anything rose above the noise; else the bounds are 0 and 1.
    """

    low: Fraction
    high: Fraction
    left_out: float
    at_most: float
    seen: bool = True

    def note(self, column: str) -> Note:
        """Return what is to be known of them beside an answer."""
        ends = {"low": f"{float(self.low):g}", "high": f"{float(self.high):g}"}
        if not self.seen:
            return note("N-BOUNDS-NOT-FOUND", column=column, **ends)
        if self.at_most >= SAYS_NOTHING:
            return note("N-BOUNDS-UNSURE", column=column, **ends)
        return note("N-BOUNDS-FOUND", column=column, share=percent_above(self.at_most), **ends)


@dataclass(frozen=True)
class FindBounds(PrivateStep):
    """Find bounds of a column by a noisy histogram of the sizes of its values.

    Parameters
    ----------
    of
        The column.
    whole
        Whether its values are whole numbers.
    contribution
        Which tables are neighbours: each person adds 1 in all, spread over their rows.
    """

    of: Expression
    whole: bool
    contribution: Contribution

    @property
    def mechanism(self) -> DiscreteLaplace | DiscreteGaussian:
        """The noise of each bucket, in fine steps."""
        relation = self.contribution.relation
        sensitivity = histogram_sensitivity(relation) * self.contribution.fine
        return self.share.noise(sensitivity, BUCKETS, relation)

    @property
    def event(self) -> Event:
        """What is charged for it."""
        return self.mechanism.event

    def __str__(self) -> str:
        return tr("find bounds for {of}: {share}", of=self.of, share=self.share)


def automatic_columns(
    aggregates: Sequence[tuple[str, Aggregate]], columns: Mapping[str, KnownColumn]
) -> dict[str, Expression]:
    """Return the columns whose bounds have to be found, in words and as they are."""
    return {
        str(of): of
        for _, aggregate in aggregates
        for _, of, given in bounded_columns(aggregate)
        if asked_bounds(of, given, columns) == "auto"
    }


def finding(
    of: Expression, share: Any, columns: Mapping[str, KnownColumn], contribution: Contribution
) -> FindBounds:
    """Return the step that finds the bounds of a column."""
    whole = type_of(of, types(columns)) == "integer"
    return FindBounds(share, of, whole, contribution)


def bounded_columns(aggregate: Aggregate) -> Iterator[tuple[str, Expression, Any]]:
    """Yield the columns of an aggregate that have bounds: the field, the column, what is given."""
    if isinstance(aggregate, Covariance):
        yield "other_bounds", aggregate.other, aggregate.other_bounds
    if isinstance(aggregate, (OfColumn, Covariance)):
        yield "bounds", aggregate.of, aggregate.bounds
