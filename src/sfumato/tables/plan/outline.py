"""What is planned: everything about an answer that is known before a row is read.

A plan with bounds to be found is made for values between -1 and 1, of which the sums are measured
about 0.  Every ε is as planned, whatever bounds are found; the noise is in proportion to them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.privacy import events
from sfumato.tables.plan.assembling import asked_bounds, outputs_for
from sfumato.tables.plan.auto_bounds import FindBounds, bounded_columns
from sfumato.tables.plan.contribution import limits_are_chosen
from sfumato.tables.plan.outputs import Output
from sfumato.tables.plan.sampled import BlockSample, added_up
from sfumato.tables.plan.selection import LookAtCells
from sfumato.tables.plan.steps import ChooseLimit, FindKeys, Measure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy import Guarantee
    from sfumato.privacy.events import Event
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.plan.auto_bounds import FoundBounds
    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.plan.partition_selection import Keys
    from sfumato.tables.plan.selection import CellOutput
    from sfumato.tables.plan.steps import PrivateStep
    from sfumato.tables.plan.target import QueryTarget
    from sfumato.tables.tree.aggregates import Aggregate
    from sfumato.tables.tree.rows import Question


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
        for before, after in zip(_spent_on(old), _spent_on(new), strict=True)
    }
    steps = tuple(_measuring_with(each, known) for each in plan.steps)
    return replace(plan, outputs=outputs, steps=steps)


def _spent_on(output: Output | CellOutput) -> tuple[Any, ...]:
    """Return what an output is made of, in an order that does not depend on the bounds."""
    return output.measurements if isinstance(output, Output) else (output.look,)


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
