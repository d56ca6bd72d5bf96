"""What is planned: everything about an answer that is known before a row is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy import events
from sfumato.tables.plan.automatic import FindBounds
from sfumato.tables.plan.sampled import BlockSample
from sfumato.tables.plan.selecting.looks import LookAtCells
from sfumato.tables.plan.steps import ChooseLimit, FindKeys, Measure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy import Guarantee
    from sfumato.privacy.events import Event
    from sfumato.tables.known import KnownColumn
    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.plan.keys import Keys
    from sfumato.tables.plan.outputs import Output
    from sfumato.tables.plan.selecting.looks import CellOutput
    from sfumato.tables.plan.steps import PrivateStep
    from sfumato.tables.plan.targets import QueryTarget
    from sfumato.tables.tree.question import Question


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
        return self.query.table.known

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
