"""Histograms over declared bins: one count with noise for each bin and group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.tables.plan.selecting.looks import CellOutput, Look
from sfumato.translation import tr

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanisms import DiscreteGaussian, DiscreteLaplace
    from sfumato.privacy.events import Event
    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.plan.selecting.looks import LookAtCells, ReleasedCells
    from sfumato.tables.plan.selecting.tallies import BinTally

_CONFIDENCE = 0.95
_MOST_LEFT_OUT = 0.99


@dataclass(frozen=True)
class Bins(Look):
    """The number of rows in each bin, with the noise of a count.

    A row is in one bin, so the sensitivity is that of a count over all bins and groups together:
    in L1 it is S, and in L2 no more than that of the counts of the groups, of which bins are parts.
    """

    tally: BinTally

    @property
    def importance(self) -> float:
        """As much as a count."""
        return 1.0

    def mechanism(
        self, step: LookAtCells, contribution: Contribution, groups: int
    ) -> DiscreteLaplace | DiscreteGaussian:
        """Return the noise, in fine steps."""
        cells = max(groups, 1) * self.tally.size
        return step.share.noise(step.sensitivity(contribution), cells, contribution.relation)

    def event(self, step: LookAtCells) -> Event:
        """Return what is charged for it."""
        if step.is_open:
            return step.share.event
        return self.mechanism(step, step.contribution, step.groups or 1).event

    def error(self, step: LookAtCells, contribution: Contribution, confidence: Any) -> float:
        """Return how far off the count of a bin is."""
        mechanism = self.mechanism(step, contribution, step.groups or 1)
        return mechanism.error(confidence=confidence) / contribution.fine

    def __str__(self) -> str:
        bins = tr("1 bin") if self.tally.size == 1 else tr("{size} bins", size=self.tally.size)
        return tr("count the rows in {bins} of {text}", bins=bins, text=self.tally.column.text)


@dataclass(frozen=True)
class HistogramOutput(CellOutput):
    """A count for each bin."""

    look: Bins

    misses_rows = True

    @property
    def is_never_negative(self) -> bool:
        """A count is not below 0."""
        return True

    def answered(self, seen: ReleasedCells, confidence: Fraction | None) -> dict[str, list[Any]]:
        """Return the counts, whole numbers, each with its confidence interval."""
        fine = seen.contribution.fine
        noisy = np.array([each / fine for each in seen.cells]).reshape(-1, self.look.tally.size)
        parts = {"": np.rint(noisy)}
        if confidence is not None:
            mechanism = self.look.mechanism(seen.step, seen.contribution, len(noisy))
            reach = mechanism.error(confidence=confidence) / fine
            most = (noisy + reach) / (1 - min(seen.left_out, _MOST_LEFT_OUT))
            parts["_low"] = np.floor(noisy - reach)
            parts["_high"] = np.ceil(np.maximum(noisy + reach, most))
        return {
            f"{name}{end}": [int(each) for each in part[:, place]]
            for place, name in enumerate(self.columns)
            for end, part in parts.items()
        }

    def expected(self, step: LookAtCells, contribution: Contribution) -> str:
        """Return the error of one bin."""
        return tr("± {step:.4g} in each bin", step=self.look.error(step, contribution, _CONFIDENCE))
