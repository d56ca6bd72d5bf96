"""What is planned: everything about an answer that is known before a row is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy import events
from sfumato.tables.plan.automatic import FindBounds
from sfumato.tables.plan.sampled import Sample
from sfumato.tables.plan.selecting.looks import LookAtCells
from sfumato.tables.plan.steps import ChooseLimit, FindKeys, Measure

if TYPE_CHECKING:
    from sfumato.privacy import Guarantee
    from sfumato.privacy.events import Event
    from sfumato.tables.columns import Known
    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.plan.keys import Keys
    from sfumato.tables.plan.outputs import Output
    from sfumato.tables.plan.selecting.looks import CellOutput
    from sfumato.tables.plan.steps import PrivateStep
    from sfumato.tables.plan.targets import Target
    from sfumato.tables.tree.question import Question

__all__ = ["Outline"]


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
        What is promised for all of it together.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> visits = sf.table(pd.DataFrame({"id": [1, 1, 2]}), unit="id", limits={"rows": 10})
    >>> plan = visits.agg(n=sf.count()).plan(epsilon=0.5)
    >>> print(plan.guarantee)
    0.5-DP (add or remove one person (id))
    """

    query: Question
    target: Target
    columns: dict[str, Known]
    keys: Keys
    contribution: Contribution
    outputs: tuple[Output | CellOutput, ...]
    steps: tuple[PrivateStep, ...]
    guarantee: Guarantee

    @property
    def event(self) -> Event:
        """What is charged to a ledger.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"id": [1, 1, 2]}), unit="row")
        >>> visits.agg(n=sf.count()).plan(epsilon=0.5).event
        DiscreteLaplace(scale=2, sensitivity=1)
        """
        each = [step.event for step in self.steps if not step.is_paid]
        return each[0] if len(each) == 1 else events.Composed(*each)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The steps that add noise to sums.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"id": [1, 1, 2]}), unit="row")
        >>> [str(each) for each in visits.agg(n=sf.count()).plan(epsilon=0.5).measures]
        ['measure the number of rows: ε = 0.5']
        """
        return tuple(each for each in self.steps if isinstance(each, Measure))

    @property
    def choices(self) -> tuple[ChooseLimit, ...]:
        """The steps that choose how much of one person counts.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"id": [1, 1, 2]}), unit="id")
        >>> [str(each) for each in visits.agg(n=sf.count()).plan(epsilon=1).choices]
        ['choose how many rows of a person count: ε = 0.1667']
        """
        return tuple(each for each in self.steps if isinstance(each, ChooseLimit))

    @property
    def findings(self) -> tuple[FindBounds, ...]:
        """The steps that find the bounds of columns.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row", bounds={"age": "auto"})
        >>> [str(each) for each in table.agg(age=sf.mean("age")).plan(epsilon=1).findings]
        ['find bounds for age: ε = 0.1']
        """
        return tuple(each for each in self.steps if isinstance(each, FindBounds))

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The steps that answer functions on blocks of people.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).plan(epsilon=1).samples
        ()
        """
        return tuple(each for each in self.steps if isinstance(each, Sample))

    @property
    def looks(self) -> tuple[LookAtCells, ...]:
        """The steps that release something of the cells that rows fall into.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row", bounds={"age": (0, 110)})
        >>> [str(each) for each in table.agg(age=sf.median("age")).plan(epsilon=1).looks]
        ['choose the median of age: ε = 1']
        """
        return tuple(each for each in self.steps if isinstance(each, LookAtCells))

    @property
    def search(self) -> FindKeys | None:
        """The step that finds groups, if they are not known.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"id": [1, 1, 2]}), unit="row")
        >>> visits.agg(n=sf.count()).plan(epsilon=0.5).search is None
        True
        """
        return next((each for each in self.steps if isinstance(each, FindKeys)), None)
