"""Cells of the real line, and how they are cut finer."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Cell", "Point", "cut_line", "joined"]

#: A point of the line: a rational, or plus or minus infinity.
Point = Fraction | float

_GREATEST_ROUNDED = 2**1000


@dataclass(frozen=True)
class Cell:
    """An interval, with the stretch of the line it was cut from.

    Parameters
    ----------
    low, high
        Its ends; infinite ones are allowed.
    reach
        How far from its finite end an infinite cell is cut.
    stretch
        The number of the stretch between two breakpoints in which it lies.

    Examples
    --------
    >>> near, far = Cell(Fraction(0), math.inf, Fraction(1), 0).split()
    >>> near.high, far.reach
    (Fraction(1, 1), Fraction(2, 1))
    """

    low: Point
    high: Point
    reach: Fraction
    stretch: int

    @property
    def is_finite(self) -> bool:
        """Whether both ends are finite.

        Examples
        --------
        >>> Cell(Fraction(0), math.inf, Fraction(1), 0).is_finite
        False
        """
        return isinstance(self.low, Fraction) and isinstance(self.high, Fraction)

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """Both ends of a finite cell, as rationals.

        Examples
        --------
        >>> Cell(Fraction(0), Fraction(1), Fraction(1), 0).ends
        (Fraction(0, 1), Fraction(1, 1))
        """
        return Fraction(self.low), Fraction(self.high)

    @property
    def anchor(self) -> tuple[Fraction, int]:
        """The finite end of an infinite cell, and the direction that leads to infinity.

        Examples
        --------
        >>> Cell(-math.inf, Fraction(3), Fraction(1), 0).anchor
        (Fraction(3, 1), -1)
        """
        return (Fraction(self.low), 1) if self.high == math.inf else (Fraction(self.high), -1)

    @property
    def middle(self) -> Fraction:
        """A point inside, a float wherever one lies between the ends.

        Examples
        --------
        >>> Cell(Fraction(0), Fraction(1), Fraction(1), 0).middle
        Fraction(1, 2)
        """
        if self.is_finite:
            point = sum(self.ends, Fraction(0)) / 2
        elif self.low == -self.high:
            return Fraction(0)
        else:
            end, direction = self.anchor
            point = end + direction * self.reach
        near = Fraction(float(point)) if abs(point) < _GREATEST_ROUNDED else point
        return near if self.low < near < self.high else point

    def split(self) -> tuple[Cell, Cell]:
        """Return the parts below and above the middle; an infinite part reaches twice as far.

        Examples
        --------
        >>> [str(each.high) for each in Cell(Fraction(0), Fraction(1), Fraction(1), 0).split()]
        ['1/2', '1']
        """
        middle, reach = self.middle, 2 * self.reach
        return (
            Cell(self.low, middle, reach, self.stretch),
            Cell(middle, self.high, reach, self.stretch),
        )


def cut_line(points: Iterable[Fraction]) -> list[Cell]:
    """Return the cells between neighbouring points, the two infinite ones included.

    Examples
    --------
    >>> [str(each.high) for each in cut_line([Fraction(1), Fraction(0)])]
    ['0', '1', 'inf']
    """
    ordered = sorted(set(points))
    ends: list[Point] = [-math.inf, *ordered, math.inf]
    span = ordered[-1] - ordered[0] if len(ordered) > 1 else Fraction(1)
    return [Cell(ends[i], ends[i + 1], span, i) for i in range(len(ends) - 1)]


def joined(cells: Iterable[Cell]) -> list[Cell]:
    """Return the same set as few cells as possible, none across a breakpoint.

    Examples
    --------
    >>> parts = Cell(Fraction(0), Fraction(1), Fraction(1), 0).split()
    >>> len(joined(parts))
    1
    """
    whole: list[Cell] = []
    for cell in sorted(cells, key=lambda each: each.low):
        follows = whole and (whole[-1].high, whole[-1].stretch) == (cell.low, cell.stretch)
        whole.append(replace(cell, low=whole.pop().low) if follows else cell)
    return whole
