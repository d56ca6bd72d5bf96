"""The parts of a plan: noisy cells, rounds from the old centres, and the textbook's rounds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.mechanisms import DiscreteLaplace, Laplace, PrivateTree
from sfumato.privacy import Substitute, events
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.privacy import Relation
    from sfumato.privacy.events import Event


@dataclass(frozen=True)
class Step:
    """Something that is released in the course of a plan.

    Parameters
    ----------
    said
        What it is, in words.
    event
        What is done.
    epsilon, rho
        What it spends: one of them.
    times
        How often it is done.
    """

    said: str
    event: Event
    epsilon: Fraction | None = None
    rho: Fraction | None = None
    times: int = 1

    @property
    def charged(self) -> Event:
        """What is charged for all of its times."""
        return self.event if self.times == 1 else events.Repeated(self.event, count=self.times)

    def __str__(self) -> str:
        sign, amount = ("ρ", self.rho) if self.epsilon is None else ("ε", self.epsilon)
        often = "" if self.times == 1 else f"{self.times} × "
        return f"{often}{self.said}: {sign} = {float(amount or 0):.4g}"


_COUNTS, _SUMS = mark("counts of a round"), mark("sums of a round")


@dataclass(frozen=True)
class Synopsis:
    """Cells and how much the points in each weigh, with noise: where the centres start.

    Parameters
    ----------
    counts
        The ε of the counts of cells.
    level
        How often the box is halved before anything is looked at.
    tree
        The ε of splitting crowded cells further; None for a grid.
    kept
        Cells count whose noisy count is above so many noise scales.
    """

    counts: Fraction
    level: int = 0
    tree: Fraction | None = None
    kept: float = 2.0

    def __str__(self) -> str:
        if self.tree is None:
            return tr("a grid of {level:,} cells", level=1 << self.level)
        return tr("a tree of cells, split where points are many")

    def splitting(self, change: Change, depth: int) -> PrivateTree | None:
        """Return what splits cells, so many levels deep; None for a grid."""
        if self.tree is None:
            return None
        return PrivateTree(
            epsilon=self.tree, depth=depth, sensitivity=change.one, relation=change.relation
        )

    def steps(self, change: Change) -> list[Step]:
        """Return what is split and counted."""
        counted = Step(tr("counts of cells"), self.counting(change).event, epsilon=self.counts)
        if self.tree is None:
            return [counted]
        split = events.Pure(epsilon=self.tree)
        return [Step(tr("splitting cells"), split, epsilon=self.tree), counted]

    def counting(self, change: Change) -> DiscreteLaplace:
        """Return the noise of the counts of cells."""
        return _noise_of_counts(self.counts, change)


@dataclass(frozen=True)
class Rounds:
    """Rounds of Lloyd's algorithm, in which points count by their distance from the old centre.

    Parameters
    ----------
    number
        How many rounds.
    counts
        The ε of the counts, a round.
    sums
        The ε of the sums, a round, of Laplace noise; None where the noise is Gaussian.
    rho
        The ρ of the sums, a round, of Gaussian noise.
    """

    number: int
    counts: Fraction
    sums: Fraction | None = None
    rho: Fraction | None = None

    @property
    def norm(self) -> str:
        """In which norm distances are limited."""
        return "l1" if self.rho is None else "l2"

    def counting(self, change: Change) -> DiscreteLaplace:
        """Return the noise of the counts of one round."""
        return _noise_of_counts(self.counts, change)

    def steps(self, change: Change) -> list[Step]:
        """Return what is counted and added up in each round."""
        counted = Step(
            tr(_COUNTS), self.counting(change).event, epsilon=self.counts, times=self.number
        )
        if self.rho is None:
            sums = self.sums or Fraction(0)
            added = Step(tr(_SUMS), events.Pure(epsilon=sums), epsilon=sums, times=self.number)
        else:
            concentrated = events.ZeroConcentrated(rho=self.rho)
            added = Step(tr(_SUMS), concentrated, rho=self.rho, times=self.number)
        return [counted, added]


@dataclass(frozen=True)
class Printed:
    """The textbook's rounds: ε' = ε/(2T) for the counts and for the sums of each.

    Parameters
    ----------
    number
        T, how many rounds.
    each
        ε'.
    """

    number: int
    each: Fraction

    def steps(self, change: Change) -> list[Step]:
        """Return what is counted and added up in each round."""
        event = self.noise(change).event
        return [
            Step(said, event, epsilon=self.each, times=self.number)
            for said in (tr(_COUNTS), tr(_SUMS))
        ]

    def noise(self, change: Change, radius: int = 1) -> Laplace:
        """Return the noise of counts, or of sums of points within a ball of so many steps."""
        return Laplace(epsilon=self.each, sensitivity=change.sums(radius), relation=change.relation)


def _noise_of_counts(epsilon: Fraction, change: Change) -> DiscreteLaplace:
    return DiscreteLaplace(epsilon=epsilon, sensitivity=change.counts, relation=change.relation)


@dataclass(frozen=True)
class Change:
    """One change of the table.

    Parameters
    ----------
    relation
        Which tables are neighbours.
    weight
        The most that the rows of one person weigh together, in points.
    fine
        In how many parts a point is weighed.
    """

    relation: Relation
    weight: int = 1
    fine: int = 1

    @property
    def counts(self) -> int:
        """By how much it moves counts of disjoint groups together, in the parts of a point.

        A person who leaves takes at most the weight; whoever comes instead brings as much.
        """
        return self.people * self.one

    @property
    def people(self) -> int:
        """How many people's points it touches."""
        return 2 if isinstance(self.relation, Substitute) else 1

    @property
    def one(self) -> int:
        """What one person weighs, in the parts of a point."""
        return self.weight * self.fine

    def sums(self, radius: int) -> int:
        """Return by how much it moves sums of points, none of them further out than a radius."""
        return self.counts * radius
