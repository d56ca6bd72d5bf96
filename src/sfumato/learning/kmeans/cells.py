"""Cells of the box: halved coordinate by coordinate, in turns, so that levels are public.

At level n the coordinate j was halved n // d times, and once more if j < n % d.  A cell is named
by one whole number: the place of the cell along each coordinate, one after another in bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.learning.kmeans.space import Space

    Whole = NDArray[np.int64]

    Reals = NDArray[np.float64]

__all__ = [
    "cells_at",
    "halvings",
    "inside_of",
    "most_levels",
    "names_of",
    "parents",
    "places_of",
    "sides",
]

_MOST_LEVELS = 60


def most_levels(space: Space) -> int:
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


def cells_at(steps: Reals, level: int, space: Space) -> Whole:
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


def sides(level: int, space: Space) -> Whole:
    """Return how many steps long a cell of a level is along each coordinate."""
    return (2 * space.unit) >> np.array(halvings(level, space.dimensions), dtype=np.int64)
