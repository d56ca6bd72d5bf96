"""What every place of points can do: count them by cells, and add them up by centres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sfumato.learning.kmeans.space import Space

    Whole = NDArray[np.int64]

__all__ = ["WEIGHT_BITS", "Ball", "CellCounts", "Points", "Totals"]

#: A point of somebody who owns many weighs a whole number of 1/1024.
WEIGHT_BITS = 10


@dataclass(frozen=True)
class Ball:
    """How far a point counts from the centre next to it; one further out is pulled in.

    The distance of a point is pulled in by a whole number of 1/65536, rounded towards the centre:
    with n its norm, each coordinate r becomes sign(r)·⌊|r|·q / 65536⌋, where q = ⌊radius·65536/n⌋.
    The norm is the sum of the absolute values ("l1"), or ⌊√(sum of squares)⌋ + 1 ("l2").

    Parameters
    ----------
    radius
        In steps.
    norm
        "l1" or "l2".
    """

    radius: int
    norm: str = "l1"


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


class Points(Protocol):
    """Points in whole steps, wherever they are; nothing here is private yet."""

    @property
    def space(self) -> Space:
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
