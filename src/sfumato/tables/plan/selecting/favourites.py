"""The most frequent of declared values, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.mechanisms import Exponential, PermuteAndFlip
from sfumato.privacy import events
from sfumato.tables.plan.selecting.looks import (
    BOUNDED_RANGE,
    PURE,
    CellOutput,
    Look,
    choice_epsilon,
)
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.privacy.events import Event
    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.plan.selecting.looks import LookAtCells, ReleasedCells
    from sfumato.tables.plan.selecting.tallies import ValueTally

#: How a value is chosen, and how the cost in ρ follows from that in ε.
METHODS: dict[str, tuple[type[Exponential | PermuteAndFlip], int]] = {
    "permute_and_flip": (PermuteAndFlip, PURE),
    "exponential": (Exponential, BOUNDED_RANGE),
}
_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Favourites(Look):
    """The values that most rows have, chosen one after the other, each among those left.

    A person who is added raises counts and lowers none, in each group by no more than their
    weight there: so a choice by counts at the rate ε/S loses ε·weight/S there, and ε in all
    groups together.  A substitution removes one person and adds another, which S counts both.
    The k choices of ε/k each compose.

    Parameters
    ----------
    count
        How many values are chosen, k.
    method
        "permute_and_flip" or "exponential".
    """

    tally: ValueTally
    count: int
    method: str

    @property
    def importance(self) -> float:
        """As the square of the number of choices."""
        return float(self.count**2)

    def mechanism(
        self, step: LookAtCells, contribution: Contribution
    ) -> Exponential | PermuteAndFlip:
        """Return what chooses one value by the counts of those left, in fine steps."""
        kind, ratio = METHODS[self.method]
        return kind(
            epsilon=choice_epsilon(step.share, Fraction(1, self.count), ratio=ratio),
            sensitivity=step.sensitivity(contribution),
            monotone=True,
            relation=contribution.relation,
        )

    def event(self, step: LookAtCells) -> Event:
        """Return what is charged for all choices."""
        one = self.mechanism(step, step.contribution).event
        return one if self.count == 1 else events.Composed(*[one] * self.count)

    def error(self, step: LookAtCells, contribution: Contribution, confidence: Any) -> float:
        """Return by how many rows a choice falls short of the best one."""
        mechanism = self.mechanism(step, contribution)
        short = mechanism.error(confidence=confidence, candidates=self.tally.size)
        return short / contribution.fine

    def __str__(self) -> str:
        most = (
            tr("most frequent")
            if self.count == 1
            else tr("{count} most frequent", count=self.count)
        )
        return tr(
            "choose the {most} of {size:,} values of {text}",
            most=most,
            size=self.tally.size,
            text=self.tally.text,
        )


@dataclass(frozen=True)
class FavouritesOutput(CellOutput):
    """The values that most rows have, the most frequent first."""

    look: Favourites

    has_interval = False

    def answered(self, seen: ReleasedCells, confidence: Fraction | None) -> dict[str, list[Any]]:  # noqa: ARG002
        """Return the values; a choice has no interval, whatever the confidence."""
        values, count = self.look.tally.values, self.look.count
        return {
            name: [values[cell] for cell in seen.cells[place::count]]
            for place, name in enumerate(self.columns)
        }

    def expected(self, step: LookAtCells, contribution: Contribution) -> str:
        """Return by how many rows a choice falls short."""
        short = self.look.error(step, contribution, _CONFIDENCE)
        return tr(
            "each a value with at most {short:.4g} rows fewer than the best that is left",
            short=short,
        )
