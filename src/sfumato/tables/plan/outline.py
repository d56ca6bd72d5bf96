"""What is planned: everything about an answer that is known before a row is read.

A plan with bounds to be found is made for values between -1 and 1, of which the sums are measured
about 0.  Every ε is as planned, whatever bounds are found; the noise is in proportion to them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.privacy import events
from sfumato.refusal import Call
from sfumato.tables.column import types
from sfumato.tables.expressions import type_of
from sfumato.tables.plan.bounds import FindBounds, asked_bounds, bounded_columns, factor_for
from sfumato.tables.plan.cells import LookAtCells
from sfumato.tables.plan.histograms import favourites_output, numbers_output
from sfumato.tables.plan.measurements import (
    Factor,
    counting,
    limits_are_chosen,
    of_factors,
    parts_of,
    without,
)
from sfumato.tables.plan.outputs import (
    CountOutput,
    CovarianceOutput,
    DeviationOutput,
    MeanOutput,
    Output,
    PublicMeanOutput,
    SumOfPartsOutput,
    SumOutput,
    VarianceOutput,
)
from sfumato.tables.plan.steps import ChooseLimit, FindKeys, Measure
from sfumato.tables.sample_aggregation import BlockSample, added_up
from sfumato.tables.tree.aggregates import (
    Count,
    Covariance,
    Deviation,
    Extremum,
    Histogram,
    Mean,
    OfColumn,
    People,
    Quantiles,
    Sum,
    TopK,
    Variance,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.privacy import Guarantee
    from sfumato.privacy.events import Event
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.bounds import FoundBounds
    from sfumato.tables.plan.budget import QueryTarget
    from sfumato.tables.plan.cells import CellOutput
    from sfumato.tables.plan.measurements import Contribution, Measurement
    from sfumato.tables.plan.partition_selection import Keys
    from sfumato.tables.plan.steps import PrivateStep
    from sfumato.tables.tree.aggregates import Aggregate
    from sfumato.tables.tree.rows import Question

#: How a person's rows are weighed in means and other ratios, where that is chosen by itself.
RATIO = "ratio"
#: Ratios of which both parts of a column are measured.
_RATIOS = (Mean, Variance, Deviation)
#: Aggregates for which a person is limited in rows; sums beside them are limited so, too.
_BY_ROWS = (Count, *_RATIOS, Covariance)
#: Aggregates of what falls into cells.
_CELLS = (Quantiles, Extremum, Histogram, TopK)


@dataclass(frozen=True, eq=False, repr=False)
class Outline:
    """The parts of a plan.

    Attributes
    ----------
    query
        What is asked.
    target
        What it may cost.
    keys
        The groups of the answer.
    contribution
        How much of one person counts.
    outputs
        How each aggregate is made of measurements.
    steps
        What is released, in order, and what each step spends.
    guarantee
        What is guaranteed for all of it together.
    """

    query: Question
    target: QueryTarget
    keys: Keys
    contribution: Contribution
    outputs: tuple[Output | CellOutput, ...]
    steps: tuple[PrivateStep, ...]
    guarantee: Guarantee

    @property
    def columns(self) -> Mapping[str, KnownColumn]:
        """What is known of the columns of the rows."""
        return self.query.steps.known

    @property
    def event(self) -> Event:
        """What is charged to a ledger."""
        each = [step.event for step in self.steps if not step.is_paid]
        return each[0] if len(each) == 1 else events.Composed(*each)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The steps that add noise to sums."""
        return tuple(each for each in self.steps if isinstance(each, Measure))

    @property
    def choices(self) -> tuple[ChooseLimit, ...]:
        """The steps that choose how much of one person counts."""
        return tuple(each for each in self.steps if isinstance(each, ChooseLimit))

    @property
    def findings(self) -> tuple[FindBounds, ...]:
        """The steps that find the bounds of columns."""
        return tuple(each for each in self.steps if isinstance(each, FindBounds))

    @property
    def samples(self) -> tuple[BlockSample, ...]:
        """The steps that answer functions on blocks of people."""
        return tuple(each for each in self.steps if isinstance(each, BlockSample))

    @property
    def looks(self) -> tuple[LookAtCells, ...]:
        """The steps that release something of the cells that rows fall into."""
        return tuple(each for each in self.steps if isinstance(each, LookAtCells))

    @property
    def search(self) -> FindKeys | None:
        """The step that finds groups, if they are not known."""
        return next((each for each in self.steps if isinstance(each, FindKeys)), None)


def with_bounds(plan: Outline, found: Mapping[str, FoundBounds]) -> Outline:
    """Return a plan with the bounds that were found in the place of those to be found."""
    if not found:
        return plan
    asked = [(name, _given(each, plan, found)) for name, each in added_up(plan.query.aggregates)]
    outputs = outputs_for(
        asked, plan.columns, norm=plan.target.norm, apart=limits_are_chosen(plan.query)
    )
    known = {
        before: after
        for old, new in zip(plan.outputs, outputs, strict=True)
        for before, after in zip(old.importance, new.importance, strict=True)
    }
    steps = tuple(_measuring_with(each, known) for each in plan.steps)
    return replace(plan, outputs=outputs, steps=steps)


def _measuring_with(step: PrivateStep, known: Mapping[Any, Any]) -> PrivateStep:
    if isinstance(step, Measure):
        joint = tuple(known[each] for each in step.joint)
        return replace(step, measurement=known[step.measurement], joint=joint)
    if isinstance(step, LookAtCells):
        return replace(step, look=known[step.look])
    return step


def _given(aggregate: Aggregate, plan: Outline, found: Mapping[str, FoundBounds]) -> Aggregate:
    """Return an aggregate with bounds that were found."""
    known = {
        name: (found[str(of)].low, found[str(of)].high)
        for name, of, given in bounded_columns(aggregate)
        if asked_bounds(of, given, plan.columns) == "auto"
    }
    return replace(aggregate, **known)


def outputs_for(
    aggregates: Sequence[tuple[str, Aggregate]],
    columns: Mapping[str, KnownColumn],
    *,
    norm: str = "l1",
    apart: bool = False,
) -> tuple[Output | CellOutput, ...]:
    """Return how each aggregate is made of measurements, or of what is chosen in cells.

    Choices are made by counts that are limited in the norm L1; they share the limit of counts
    where that one is in the same norm.

    Parameters
    ----------
    aggregates, columns
        What is asked, and of what.
    norm
        In which norm a person's counts and sums are limited.
    apart
        Whether ratios and choices have a limit of their own.  A count misses the rows beyond a
        limit and a mean hardly does, so that the best limits are far apart; where limits are
        declared, there is one for all, and measurements are shared.
    """
    ways = _Ways(aggregates, columns, apart=apart)
    weighing = ways.ratio if norm == "l1" else "choice"
    return tuple(
        _of_cells(name, each, columns, weighing=weighing)
        if isinstance(each, _CELLS)
        else ways.output(name, each)
        for name, each in aggregates
    )


def _of_cells(
    name: str,
    aggregate: Quantiles | Extremum | Histogram | TopK,
    columns: Mapping[str, KnownColumn],
    *,
    weighing: str,
) -> CellOutput:
    if isinstance(aggregate, TopK):
        return favourites_output(name, aggregate, columns, counting(weighing=weighing))
    # A row that is left out moves a quantile by a rank, as it does a count.
    if isinstance(aggregate, Histogram) or (isinstance(aggregate, Quantiles) and weighing == RATIO):
        weighing = "rows"
    column = factor_for(aggregate.of, aggregate.bounds, columns, aggregate.word)
    needed = () if column.complete else (aggregate.of,)
    return numbers_output(name, aggregate, column, counting(*needed, weighing=weighing))


class _Ways:
    """How the sums of a query are measured, so that they share what they can."""

    def __init__(
        self,
        aggregates: Sequence[tuple[str, Aggregate]],
        columns: Mapping[str, KnownColumn],
        *,
        apart: bool,
    ) -> None:
        asked = [each for _, each in aggregates]
        self.ratio = RATIO if apart else "rows"
        self._columns, self._apart = columns, apart
        counts = any(isinstance(each, _BY_ROWS) for each in asked)
        kinds = _RATIOS if apart or not counts else (*_RATIOS, Sum)
        in_parts = [each for each in asked if isinstance(each, kinds)]
        self._in_parts = [each for each in in_parts if getattr(each, "rows", None) is None]

    def output(self, name: str, aggregate: Aggregate) -> Output:
        """Return how an aggregate is made of measurements."""
        if isinstance(aggregate, People):
            return CountOutput(name, (counting(weighing="people"),))
        if isinstance(aggregate, Count):
            return CountOutput(name, self._counted(aggregate))
        if isinstance(aggregate, Covariance):
            return self._covariance(name, aggregate)
        if isinstance(aggregate, OfColumn):
            return self._of_column(name, aggregate)
        raise InputError(
            "E-AGGREGATE-NOT-HERE",
            "{aggregate} is not an aggregate of a private table",
            "write {call}, say",
            aggregate=aggregate,
            call=Call("count"),
        )

    def _of_column(self, name: str, aggregate: OfColumn) -> Output:
        column, needed = self._column(aggregate)
        if isinstance(aggregate, Variance):
            return VarianceOutput.of(name, column, needed, self.ratio)
        if isinstance(aggregate, Deviation):
            return DeviationOutput.of(name, column, needed, self.ratio)
        if isinstance(aggregate, Mean) and aggregate.rows is not None:
            centred = of_factors(column, needed=needed, centre=column.middle, weighing=self.ratio)
            return PublicMeanOutput(name, centred, aggregate.rows)
        if isinstance(aggregate, Mean):
            return MeanOutput(name, *parts_of(column, needed=needed, weighing=self.ratio))
        if not self._apart and str(aggregate.of) in {str(each.of) for each in self._in_parts}:
            return SumOfPartsOutput(name, *parts_of(column, needed=needed, weighing=self.ratio))
        return SumOutput(name, of_factors(column, needed=needed, weighing="value"))

    def _counted(self, aggregate: Count) -> tuple[Measurement, ...]:
        """Return what a count is the sum of: parts that are measured anyway, where there are."""
        for each in aggregate.operands:
            type_of(each, types(self._columns))
        of = None if aggregate.of is None else str(aggregate.of)
        alike = [each for each in self._in_parts if of in (None, str(each.of))]
        if self._apart or not alike:
            return (counting(*aggregate.operands),)
        column, needed = self._column(alike[0])
        parts = parts_of(column, needed=needed, weighing=self.ratio)
        return (*parts, without(*parts)) if of is None and needed else parts

    def _covariance(self, name: str, aggregate: Covariance) -> Output:
        pair = (
            factor_for(aggregate.of, aggregate.bounds, self._columns, "covariance"),
            factor_for(aggregate.other, aggregate.other_bounds, self._columns, "covariance"),
        )
        needed = {each.text: each.of for each in pair if not each.complete}
        return CovarianceOutput.of(name, pair, tuple(needed.values()), self.ratio)

    def _column(self, aggregate: OfColumn) -> tuple[Factor, tuple[Expression, ...]]:
        column = factor_for(aggregate.of, aggregate.bounds, self._columns, aggregate.word)
        return column, () if column.complete else (aggregate.of,)
