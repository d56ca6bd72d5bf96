"""The grid that points lie on: its cells, and what is counted by cells and added up by centres.

At level n the coordinate j was halved n // d times, and once more if j < n % d.  A cell is named
by one whole number: the place of the cell along each coordinate, one after another in bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.learning.kmeans.space import Ball, GridBox

    Whole = NDArray[np.int64]
    Reals = NDArray[np.float64]


#: A point of somebody who owns many weighs a whole number of 1/1024.
WEIGHT_BITS = 10


@dataclass(frozen=True, eq=False)
class CellCounts:
    """How much the points in cells weigh; cells that are not there are empty.

    Parameters
    ----------
    names
        The names of cells of one level, in order.
    counts
        What the points in each weigh together.
    """

    names: Whole
    counts: Whole


@dataclass(frozen=True, eq=False)
class Totals:
    """What the points next to each centre weigh, and how far from it they lie together.

    Parameters
    ----------
    counts
        The weight of the points next to each centre.
    sums
        The sum of weight times distance from the origin asked for, for each coordinate, in steps.
    """

    counts: Whole
    sums: Whole


class GridPoints(Protocol):
    """Points in whole steps, wherever they are; nothing here is private yet."""

    @property
    def space(self) -> GridBox:
        """The box they lie in."""

    @property
    def fine(self) -> int:
        """What one whole point weighs: 1 where each row is somebody's only one, else 1024."""

    def cells(self, level: int, *, inside: Whole, above: int) -> CellCounts:
        """Count the points by the cells of a level, only within some cells of a level above.

        Parameters
        ----------
        level
            Which cells to count by.
        inside, above
            The names of the cells to look into, and their level.
        """

    def totals(self, centres: Whole, *, ball: Ball | None) -> Totals:
        """Add points up by the nearest centre; of two as near, the first.

        Parameters
        ----------
        centres
            In steps, one a row.
        ball
            Where given, distances from the nearest centre are added up, pulled into the ball;
            else the distances of points from the middle of the box, as they are.
        """


def person_weights(people: NDArray[Any], limit: int) -> NDArray[np.float64]:
    """Return what each row weighs, in 1/1024: those of one person at most the limit together.

    A row of somebody with m rows weighs min(1024, ⌊limit·1024 / m⌋).

    Parameters
    ----------
    people
        Whose each row is.
    limit
        How many rows of a person count fully.
    """
    whose = numbered(people)
    fine = 1 << WEIGHT_BITS
    return np.minimum(fine, limit * fine // np.bincount(whose))[whose].astype(np.float64)


def numbered(people: NDArray[Any]) -> NDArray[np.int64]:
    """Return a number for each different id; ids that are missing are all one person's."""
    if people.dtype.kind in "iubf":
        found: NDArray[np.int64] = np.unique(people, return_inverse=True)[1]
        return found
    known: dict[Any, int] = {}
    ids = (None if is_missing(each) else _compared(each) for each in people)
    return np.array([known.setdefault(each, len(known)) for each in ids], dtype=np.int64)


def _compared(each: Any) -> Any:
    """Return an id that is equal to others like it; some are equal to themselves alone."""
    kind: Any = type(each)
    if each is not None and kind.__eq__ is object.__eq__:
        message = "such ids are never equal"
        raise TypeError(message)
    return each.item() if hasattr(each, "item") else each


def is_missing(each: Any) -> bool:
    """Tell whether something differs from itself, or cannot tell, as pandas.NA."""
    try:
        return bool(each != each)
    except (TypeError, ValueError, ArithmeticError):
        return True


_MOST_LEVELS = 60


def most_levels(space: GridBox) -> int:
    """Return how many levels there are before cells are single steps, or names too long."""
    return min(_MOST_LEVELS, space.dimensions * (space.bits + 1))


def halvings(level: int, dimensions: int) -> list[int]:
    """Return how often each coordinate was halved at a level."""
    return [(level + dimensions - 1 - each) // dimensions for each in range(dimensions)]


def names_of(places: Whole, level: int) -> Whole:
    """Return the names of cells from their places along each coordinate."""
    names = np.zeros(len(places), dtype=np.int64)
    for each, bits in enumerate(halvings(level, places.shape[1])):
        names = (names << bits) | places[:, each]
    return names


def places_of(names: Whole, level: int, dimensions: int) -> Whole:
    """Return the places of cells along each coordinate from their names."""
    places = np.empty((len(names), dimensions), dtype=np.int64)
    left = names.copy()
    for each, bits in reversed(list(enumerate(halvings(level, dimensions)))):
        places[:, each] = left & ((1 << bits) - 1)
        left >>= bits
    return places


def cells_at(steps: Reals, level: int, space: GridBox) -> Whole:
    """Return the places of the cells that points lie in; the upper bound is in the last cell."""
    shifts = space.bits + 1 - np.array(halvings(level, space.dimensions))
    found: Whole = np.minimum(steps.astype(np.int64) + space.unit, 2 * space.unit - 1) >> shifts
    return found


def inside_of(
    names: Whole, level: int, outer: Whole, above: int, dimensions: int
) -> NDArray[np.bool_]:
    """Tell which cells of a level lie in some cells of a level above."""
    around = names_of(parents(places_of(names, level, dimensions), level, above), above)
    return np.isin(around, outer)


def parents(places: Whole, level: int, above: int) -> Whole:
    """Return the places of the cells of a level above that cells lie in."""
    dimensions = places.shape[1]
    shifts = np.subtract(halvings(level, dimensions), halvings(above, dimensions))
    found: Whole = places >> shifts
    return found


def sides(level: int, space: GridBox) -> Whole:
    """Return how many steps long a cell of a level is along each coordinate."""
    return (2 * space.unit) >> np.array(halvings(level, space.dimensions), dtype=np.int64)
