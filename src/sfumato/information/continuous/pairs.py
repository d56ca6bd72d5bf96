"""Two distributions: how their log-likelihood ratio runs on a cell, and what the cell weighs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from flint import acb, arb

from sfumato.information.continuous.log_densities import Envelope, Piece, slope_gap
from sfumato.numeric import as_ball, as_fmpq

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.information.continuous.distributions import ContinuousDistribution


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


class DensityPair(Protocol):
    """What the searches need to know of two distributions ``p`` and ``q``."""

    @property
    def cells(self) -> Sequence[Cell]:
        """The cells on which ``p`` has a density."""

    @property
    def noise(self) -> float:
        """A probability so small that cutting a cell of it finer gains nothing."""

    def is_singular(self, cell: Cell) -> bool:
        """Tell whether ``q`` has no density on the cell."""

    def log_ratio(self, cell: Cell) -> tuple[arb, arb]:
        """Return a lower and an upper bound of ``log p/q`` over the cell."""

    def attained(self, cell: Cell) -> arb:
        """Return a lower bound of the supremum of ``log p/q`` over a cell that is not singular."""

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """Return the probability of the cell under ``p`` and under ``q``."""


class BallPair:
    """A pair of distributions that ball arithmetic can evaluate; see ``DensityPair``."""

    noise = 0.0

    def __init__(self, p: ContinuousDistribution, q: ContinuousDistribution) -> None:
        self._distributions = (p, q)
        self._pieces: dict[int, tuple[Piece, Piece]] = {}
        self.cells: list[Cell] = []
        for cell in cut_line({*p.breakpoints, *q.breakpoints}):
            above, below = p.piece(cell.middle), q.piece(cell.middle)
            if above is not None:
                self.cells.append(cell)
            if above is not None and below is not None:
                self._pieces[cell.stretch] = (above, below)

    def is_singular(self, cell: Cell) -> bool:
        """See ``DensityPair``."""
        return cell.stretch not in self._pieces

    def pieces(self, cell: Cell) -> tuple[Piece, Piece]:
        """Return the two formulas that hold on a cell that is not singular."""
        return self._pieces[cell.stretch]

    def tails(self, cell: Cell) -> tuple[Envelope, Envelope]:
        """Return the envelopes of both log densities on an infinite cell."""
        end, direction = cell.anchor
        p, q = self.pieces(cell)
        return p.tail(as_fmpq(end), direction), q.tail(as_fmpq(end), direction)

    def log_ratio(self, cell: Cell) -> tuple[arb, arb]:
        """See ``DensityPair``: by the ends where monotone, by the mean value theorem elsewhere."""
        if self.is_singular(cell):
            return arb.pos_inf(), arb.pos_inf()
        if not cell.is_finite:
            p, q = self.tails(cell)
            return p.lower.minus(q.upper).least(), p.upper.minus(q.lower).greatest()
        return self._log_ratio_between(cell, *cell.ends)

    def attained(self, cell: Cell) -> arb:
        """See ``DensityPair``."""
        if not cell.is_finite:
            p, q = self.tails(cell)
            return p.lower.minus(q.upper).greatest()
        low, high = cell.ends
        return self._log_ratio_at(cell, low).max(self._log_ratio_at(cell, high))

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """See ``DensityPair``."""
        p, q = self._distributions
        return mass(p, cell), arb(0) if self.is_singular(cell) else mass(q, cell)

    def _log_ratio_between(self, cell: Cell, low: Fraction, high: Fraction) -> tuple[arb, arb]:
        p, q = self.pieces(cell)
        whole = arb(as_fmpq(low)).union(arb(as_fmpq(high)))
        slope = slope_gap(p, q, whole)
        if slope >= 0 or slope <= 0:
            first, last = self._log_ratio_at(cell, low), self._log_ratio_at(cell, high)
            return first.min(last), first.max(last)
        centre = cell.middle
        near = self._log_ratio_at(cell, centre) + slope * (whole - as_fmpq(centre))
        if not near.is_finite():
            return arb.neg_inf(), arb.pos_inf()
        return near.lower(), near.upper()

    def _log_ratio_at(self, cell: Cell, point: Fraction) -> arb:
        p, q = self.pieces(cell)
        x = acb(as_fmpq(point))
        return (p.log_density(x) - q.log_density(x)).real


def mass(distribution: ContinuousDistribution, cell: Cell) -> arb:
    """Return the probability of a cell, from the side on which nothing cancels."""
    if cell.low == -math.inf:
        return arb(1) if cell.high == math.inf else distribution.cdf(as_ball(cell.high))
    if cell.high == math.inf:
        return distribution.survival(as_ball(cell.low))
    low, high = as_ball(cell.low), as_ball(cell.high)
    below = distribution.cdf(high)
    if below <= 0.5:
        return (below - distribution.cdf(low)).max(0)
    return (distribution.survival(low) - distribution.survival(high)).max(0)
