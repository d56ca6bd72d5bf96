"""The least and the greatest value of a column, as quantiles near the ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from sfumato.mechanisms import ExponentialQuantile
from sfumato.privacy import events
from sfumato.tables.plan.selecting.looks import CellOutput, Look, choice_epsilon
from sfumato.tables.plan.selecting.ranks import CONFIDENCE
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.privacy.events import Event
    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.plan.selecting.looks import LookAtCells, ReleasedCells
    from sfumato.tables.plan.selecting.tallies import GridTally


@dataclass(frozen=True)
class Extreme(Look):
    """The least or the greatest value, as the quantile so many rows from the end that it is inside.

    It aims r rows inside, with r its rank error at a confidence of 95 %.  If it is off by no more
    than that, it lies inside the range of the values.
    """

    tally: GridTally
    greatest: bool

    @property
    def importance(self) -> float:
        """As much as one choice."""
        return 1.0

    def mechanism(self, step: LookAtCells, contribution: Contribution) -> ExponentialQuantile:
        """Return what chooses it, in fine steps."""
        inside = ceil(self._error(step, contribution, CONFIDENCE)) + 1
        return self._choice(step, contribution, -inside if self.greatest else inside)

    def event(self, step: LookAtCells) -> Event:
        """Return what is charged for the choice."""
        return events.Exponential(epsilon=choice_epsilon(step.share, Fraction(1)))

    def error(self, step: LookAtCells, contribution: Contribution, confidence: Any) -> float:
        """Return by how many rows it is off the rank that it aims at."""
        return self._error(step, contribution, confidence) / contribution.fine

    def _error(self, step: LookAtCells, contribution: Contribution, confidence: Any) -> float:
        choice = self._choice(step, contribution, 0)
        return choice.error(confidence=confidence, candidates=self.tally.size)

    def _choice(
        self, step: LookAtCells, contribution: Contribution, offset: int
    ) -> ExponentialQuantile:
        return ExponentialQuantile(
            epsilon=choice_epsilon(step.share, Fraction(1)),
            rank=int(self.greatest),
            offset=offset,
            sensitivity=step.sensitivity(contribution),
            relation=contribution.relation,
        )

    def __str__(self) -> str:
        end = tr("maximum") if self.greatest else tr("minimum")
        return tr(
            "choose a quantile near the {end} of {text}", end=end, text=self.tally.column.text
        )


@dataclass(frozen=True)
class ExtremeOutput(CellOutput):
    """A value near the end, and how far the end may be: at the bound at most."""

    look: Extreme

    def answered(self, seen: ReleasedCells, confidence: Fraction | None) -> dict[str, list[Any]]:
        """Return the values, with what was found on one side and the bound on the other as bars."""
        tally, (name,) = self.look.tally, self.columns
        cells = seen.cells
        found: dict[str, list[Any]] = {name: [tally.value(cell) for cell in cells]}
        if confidence is not None:
            ends = [0] * len(cells), [tally.size - 1] * len(cells)
            lows, highs = (cells, ends[1]) if self.look.greatest else (ends[0], cells)
            found |= tally.bars(name, lows, highs, held=confidence <= CONFIDENCE)
        return found

    def expected(self, step: LookAtCells, contribution: Contribution) -> str:
        """Return within how many ranks of the end it lies."""
        inside = 2 * self.look.error(step, contribution, CONFIDENCE)
        return tr("within {inside:.4g} ranks of the end", inside=inside)
