"""How rows fall into public cells: points of a grid, bins between edges, or declared values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.mechanisms.estimators.public_grid import PublicGrid

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.factors import Factor
    from sfumato.tables.plan.measurements import Measurement

#: The range of a column is cut into 4,096 to 8,192 steps; whole numbers are told apart up to that.
_GRID_BITS = 12


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
