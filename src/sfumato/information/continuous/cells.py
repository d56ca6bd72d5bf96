"""Cells of the real line, and how they are cut finer."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Cell", "Point", "bits_to_tell_apart", "cut_line", "float_beside", "joined"]

#: A point of the line: a rational, or plus or minus infinity.
Point = Fraction | float

_GREATEST_ROUNDED = 2**1000
_FAR_IN_SIZE = 16


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
    """

    low: Point
    high: Point
    reach: Fraction
    stretch: int

    @property
    def is_finite(self) -> bool:
        """Whether both ends are finite."""
        return isinstance(self.low, Fraction) and isinstance(self.high, Fraction)

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """Both ends of a finite cell, as rationals."""
        return Fraction(self.low), Fraction(self.high)

    @property
    def anchor(self) -> tuple[Fraction, int]:
        """The finite end of an infinite cell, and the direction that leads to infinity."""
        return (Fraction(self.low), 1) if self.high == math.inf else (Fraction(self.high), -1)

    @property
    def middle(self) -> Fraction:
        """A point inside, a float wherever one lies between the ends."""
        if self.is_finite:
            point = _between(*self.ends)
        elif self.low == -self.high:
            return Fraction(0)
        else:
            end, direction = self.anchor
            point = end + direction * self.reach
        near = _rounded(point)
        return near if self.low < near < self.high else point

    def split(self) -> tuple[Cell, Cell]:
        """Return the parts below and above the middle; an infinite part reaches twice as far."""
        middle, reach = self.middle, 2 * self.reach
        return (
            Cell(self.low, middle, reach, self.stretch),
            Cell(middle, self.high, reach, self.stretch),
        )


def _between(low: Fraction, high: Fraction) -> Fraction:
    """Return the mean of two numbers: the geometric one, roughly, where they differ in size."""
    sizes = (_size(low), _size(high))
    if low * high > 0 and abs(sizes[1] - sizes[0]) > _FAR_IN_SIZE:
        return Fraction(2) ** (sum(sizes) // 2) * (1 if low > 0 else -1)
    return (low + high) / 2


def _size(number: Fraction) -> int:
    return number.numerator.bit_length() - number.denominator.bit_length()


def float_beside(point: Fraction, step: Fraction) -> Fraction:
    """Return about ``point + step``, on the same side of the point; a float if there is one."""
    near = _rounded(point + step)
    return near if (near - point) * step > 0 else point + step


def _rounded(point: Fraction) -> Fraction:
    return Fraction(float(point)) if abs(point) < _GREATEST_ROUNDED else point


def cut_line(points: Iterable[Fraction]) -> list[Cell]:
    """Return the cells between neighbouring points, the two infinite ones included."""
    ordered = sorted(set(points))
    ends: list[Point] = [-math.inf, *ordered, math.inf]
    span = ordered[-1] - ordered[0] if len(ordered) > 1 else Fraction(1)
    return [Cell(ends[i], ends[i + 1], span, i) for i in range(len(ends) - 1)]


def bits_to_tell_apart(points: Iterable[Fraction]) -> int:
    """Return how many leading bits the nearest of the points share, relative to their size."""
    shared = 0
    for low, high in pairwise(sorted(set(points))):
        shared = max(shared, max(_size(each) for each in (low, high) if each) - _size(high - low))
    return shared


def joined(cells: Iterable[Cell]) -> list[Cell]:
    """Return the same set as few cells as possible, none across a breakpoint."""
    whole: list[Cell] = []
    for cell in sorted(cells, key=lambda each: each.low):
        follows = whole and (whole[-1].high, whole[-1].stretch) == (cell.low, cell.stretch)
        whole.append(replace(cell, low=whole.pop().low) if follows else cell)
    return whole
