"""What is released of cells, what a step of a plan spends on it, and what answers are made of it.

The sensitivity S of the cells is that of a count: the sum, over all groups and cells, of what one
change adds to them and takes from them.  It bounds the sum over groups of what a change moves in
each, so what is chosen in each group by its own cells costs, in all groups together, as much as
it would in one that the change moves by S.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.mechanisms import PublicGrid
from sfumato.tables.plan.steps import PrivateStep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.privacy.events import Event
    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.measurements import Contribution, Factor, Measurement
    from sfumato.tables.plan.steps import Share


_ROOT_BITS = 40
#: An ε-choice by the exponential mechanism costs ρ = ε²/8, and any other ε²/2.
BOUNDED_RANGE, PURE = 8, 2

#: The range of a column is cut into 4,096 to 8,192 steps; whole numbers are told apart up to that.
_GRID_BITS = 12


@dataclass(frozen=True)
class Look(ABC):
    """Something released of the cells of all groups.

    Parameters
    ----------
    tally
        The cells.
    """

    tally: AnyTally

    @property
    def rows(self) -> Measurement:
        """Which rows count, and what of a person is limited."""
        return self.tally.rows

    @property
    def is_open(self) -> bool:
        """Whether the cells depend on bounds that are found first."""
        column = getattr(self.tally, "column", None)
        return column is not None and column.is_open

    @property
    @abstractmethod
    def importance(self) -> float:
        """How much the share of the budget matters to it; 1 for a count."""

    @abstractmethod
    def event(self, step: LookAtCells) -> Event:
        """Return what is charged for it."""

    @abstractmethod
    def error(self, step: LookAtCells, contribution: Contribution, confidence: Any) -> float:
        """Return how far off a rank or a count is, in rows, at a confidence."""


@dataclass(frozen=True)
class LookAtCells(PrivateStep):
    """Release something of the cells that rows fall into, for each group.

    Parameters
    ----------
    look
        What is released.
    contribution
        How much of one person counts.
    groups
        How many groups there are, where that is known.
    """

    look: Look
    contribution: Contribution
    groups: int | None

    @property
    def event(self) -> Event:
        """What is charged for it: a public ε whatever limits and bounds are found."""
        return self.look.event(self)

    @property
    def spent_on(self) -> Look:
        """What is released."""
        return self.look

    @property
    def limited_by(self) -> str:
        """Which limit it has."""
        return self.look.rows.limited_by

    def sensitivity(self, contribution: Contribution) -> Fraction:
        """Return the most by which one change moves all cells together, in fine steps."""
        return contribution.sensitivity(self.look.rows)

    def typical_error(self, contribution: Contribution, cells: int) -> float:  # noqa: ARG002
        """Return an error in rows that is exceeded as often as not, of one choice of it."""
        return self.look.error(self, contribution, 0.5) / sqrt(self.look.importance)

    @property
    def is_open(self) -> bool:
        """Whether it depends on a limit that is chosen first."""
        limits = self.contribution.limits
        return bool(limits) and limits[self.limited_by].is_chosen

    def __str__(self) -> str:
        return f"{self.look}: {self.share}"


@dataclass(frozen=True)
class ReleasedCells:
    """What a step released, and under which limits.

    Parameters
    ----------
    step
        The step.
    cells
        What it released, group by group.
    contribution
        How much of one person counted.
    left_out
        The share of rows that a limit chosen privately is expected to leave out.
    """

    step: LookAtCells
    cells: Sequence[int]
    contribution: Contribution
    left_out: float = 0.0


@dataclass(frozen=True)
class CellOutput(ABC):
    """One aggregate of a query, as it is made of what is released of cells.

    Parameters
    ----------
    name
        What the aggregate is called.
    columns
        The columns of the answer.
    look
        What is released.
    """

    name: str
    columns: tuple[str, ...]
    look: Look

    #: Whether rows that are left out are missed in it.
    misses_rows: ClassVar[bool] = False
    #: Whether it has a confidence interval.
    has_interval: ClassVar[bool] = True

    @property
    def importance(self) -> Mapping[Look, float]:
        """How much the share of what is released matters."""
        return {self.look: self.look.importance}

    @property
    def is_never_negative(self) -> bool:
        """Whether the answer could not be below 0 without noise."""
        return False

    @abstractmethod
    def answered(self, seen: ReleasedCells, confidence: Fraction | None) -> dict[str, list[Any]]:
        """Return the columns of the answer, with intervals if a confidence is given."""

    @abstractmethod
    def expected(self, step: LookAtCells, contribution: Contribution) -> str:
        """Return how far off the answer is expected to be, in words."""


def choice_epsilon(share: Share, part: Fraction, *, ratio: int = BOUNDED_RANGE) -> Fraction:
    """Return the ε of a choice that spends a part of a share: all of an ε, and of a ρ its root.

    A choice by the exponential mechanism, whose losses lie in an interval of length ε, is
    ε²/8-zCDP :cite:p:`dong2020optimal`; what is only known to be ε-differentially private is
    ε²/2-zCDP :cite:p:`bun2016concentrated`.
    """
    if share.epsilon is not None:
        return share.epsilon * part
    return _root_below((share.rho or Fraction(0)) * part * ratio)


def _root_below(number: Fraction) -> Fraction:
    return Fraction(isqrt((number * 4**_ROOT_BITS).__floor__()), 2**_ROOT_BITS)


@dataclass(frozen=True)
class CellTally(ABC):
    """The number of rows in each of some public cells, for each group.

    A row is in one cell at most.  So one person, whose rows weigh as much as the limit together,
    moves all cells of all groups together by no more than that.

    Parameters
    ----------
    rows
        Which rows count, and what of a person is limited.
    """

    rows: Measurement

    @property
    @abstractmethod
    def size(self) -> int:
        """How many cells there are."""


@dataclass(frozen=True)
class GridTally(CellTally):
    """The points of a grid between the bounds of a column, to the nearest of which values go."""

    column: Factor

    @property
    def grid(self) -> PublicGrid:
        """The points."""
        low, high = self.column.low, self.column.high
        if self.column.whole and high - low <= 2 << _GRID_BITS:
            return PublicGrid(0, int(low), int(high))
        return PublicGrid.between(low, high, bits=_GRID_BITS)

    @property
    def size(self) -> int:
        """How many points there are."""
        grid = self.grid
        return grid.high - grid.low + 1

    @property
    def is_exact(self) -> bool:
        """Whether every value between the bounds is a point."""
        return self.column.whole and self.grid.exponent == 0

    def value(self, cell: int) -> float:
        """Return a point: a whole number where the values are whole."""
        grid = self.grid
        found = grid.value(grid.low + cell)
        return int(found) if self.column.whole else found

    def below(self, cell: int) -> float:
        """Return a number that no value rounded to a point is below."""
        return self.value(cell) if self.is_exact else max(self.value(cell - 1), self._end("low"))

    def above(self, cell: int) -> float:
        """Return a number that no value rounded to a point is above."""
        return self.value(cell) if self.is_exact else min(self.value(cell + 1), self._end("high"))

    def bars(
        self, name: str, lows: Sequence[int], highs: Sequence[int], *, held: bool
    ) -> dict[str, list[Any]]:
        """Return the ends of intervals between cells; the bounds where they do not hold."""
        if not held:
            lows, highs = [0] * len(lows), [self.size - 1] * len(highs)
        return {
            f"{name}_low": [self.below(cell) for cell in lows],
            f"{name}_high": [self.above(cell) for cell in highs],
        }

    def _end(self, name: str) -> float:
        end = getattr(self.column, name)
        return int(end) if self.column.whole else float(end)


@dataclass(frozen=True)
class BinTally(CellTally):
    """Bins between edges, each with its lower edge; the last one with both."""

    column: Factor
    edges: tuple[Fraction, ...]

    @property
    def size(self) -> int:
        """How many bins there are."""
        return len(self.edges) - 1


@dataclass(frozen=True)
class ValueTally(CellTally):
    """The declared values of a column; rows with another value count in none."""

    text: str
    values: tuple[Any, ...]
    of: Expression = field(compare=False, repr=False)

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.values)


#: Any of them.
AnyTally = GridTally | BinTally | ValueTally
