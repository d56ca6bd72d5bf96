"""The box or ball that points lie in, as declared, and the whole numbers that stand for them.

A value between its bounds is a whole number of steps from the middle, at most 2^bits either way.
All that is added up of points is added up in steps, so that it is exact in any order, on any
machine.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil, log2
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.domain import L1Ball

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]


#: How many numbers a block has, so that it stays in the processor's cache.
_NUMBERS = 1 << 17
_LEAST_ROWS, _MOST_ROWS = 1 << 11, 1 << 15

Found = TypeVar("Found")
Part = TypeVar("Part")


def in_blocks(rows: int, found: Callable[[slice], Found], *, width: int = 8) -> list[Found]:
    """Return what is found of each block of rows, in order."""
    return in_threads(blocks_of(rows, width), found)


def blocks_of(rows: int, width: int) -> list[slice]:
    """Return blocks of rows with so many numbers each; one at least, the first the longest."""
    size = min(max(_NUMBERS // width, _LEAST_ROWS), _MOST_ROWS)
    return [slice(at, min(at + size, rows)) for at in range(0, max(rows, 1), size)]


def in_threads(parts: Sequence[Part], found: Callable[[Part], Found]) -> list[Found]:
    """Return what is found of each part, in order, by as many threads as there are cores."""
    workers = min(cores(), len(parts))
    if workers == 1:
        return [found(each) for each in parts]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(found, parts))


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


#: Distances are pulled in by whole numbers of 1/65536.
PULL = 1 << 16


def pulled_in(distances: Reals, ball: Ball) -> Reals:
    """Return distances in steps, those beyond the ball pulled in towards the centre."""
    sizes = np.abs(distances)
    if ball.norm == "l1":
        norms = sizes.sum(axis=1)
    else:
        norms = np.floor(np.sqrt((sizes * sizes).sum(axis=1))) + 1
    beyond = norms > ball.radius
    far = np.floor(ball.radius * PULL / norms[beyond])
    shorter = np.floor(sizes[beyond] * far[:, None] / PULL)
    distances[beyond] = np.copysign(shorter, distances[beyond])
    return distances


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


#: Every whole number up to here is exact in double precision.
_EXACT_BITS = 53
#: More steps would gain nothing, and three bytes hold so many.
_MOST_BITS = 22
_FEWEST_BITS = 4


@dataclass(frozen=True, eq=False)
class GridBox:
    """A box, and how fine its grid is.

    Parameters
    ----------
    low, high
        The bounds of each coordinate.
    bits
        A coordinate has 2^bits steps from the middle to either bound.
    reach
        How far centres may lie from the middle, in half widths of the box.
    """

    low: Reals
    high: Reals
    bits: int
    reach: int = 1

    @property
    def dimensions(self) -> int:
        """How many coordinates there are."""
        return len(self.low)

    @property
    def unit(self) -> int:
        """How many steps there are from the middle to a bound."""
        return 1 << self.bits

    @property
    def radius(self) -> int:
        """How many steps the coordinates of a point are from the middle at most, all together."""
        return self.dimensions * self.unit

    @property
    def ball(self) -> Ball | None:
        """What points are pulled into; None where all of the box will do."""
        return None

    @property
    def middle(self) -> Reals:
        """What a missing value counts as."""
        return self.low / 2 + self.high / 2

    @property
    def scale(self) -> Reals:
        """How many steps there are in one of each coordinate's own units."""
        return self.unit / (self.high / 2 - self.low / 2)

    def whole(self, values: Reals) -> Reals:
        """Return points in steps: between the bounds, what is missing in the middle.

        They are whole numbers, held as floats because those multiply faster.
        """
        steps = np.empty(values.shape)
        in_blocks(
            len(values),
            lambda rows: self._fill(steps[rows], values[rows]),
            width=self.dimensions,
        )
        return steps

    def _fill(self, steps: Reals, values: Reals) -> None:
        """Write values in steps; no value decides whether numpy has something to say."""
        with np.errstate(all="ignore"):
            np.copyto(steps, values)
            np.copyto(steps, self.middle, where=np.isnan(steps))
            np.clip(steps, self.low, self.high, out=steps)
            steps -= self.middle
            steps *= self.scale
            np.clip(steps, -self.unit, self.unit, out=steps)
            steps += 0.5
            np.floor(steps, out=steps)

    def inside(self, places: Reals) -> Reals:
        """Return places in steps, those outside brought in."""
        return np.clip(places, -self.unit, self.unit)

    def reached(self, middles: Reals, halves: Reals) -> NDArray[np.bool_]:  # noqa: ARG002
        """Tell which cells a point can lie in, by their middles and half their sides."""
        return np.ones(len(middles), dtype=np.bool_)

    def drawn(self, number: int, random: np.random.Generator, *, within: float = 1.0) -> Reals:
        """Return places drawn uniformly, as shares of the unit, within a share of the whole."""
        return random.uniform(-within, within, (number, self.dimensions))

    def real(self, steps: Reals | Whole) -> Reals:
        """Return what lies so many steps from the middle, in the coordinates' own units."""
        return self.middle + np.asarray(steps, dtype=np.float64) / self.scale

    def held(self, steps: Reals) -> Whole:
        """Return centres as whole steps, none further from the middle than the reach."""
        most = self.reach * self.unit
        return np.clip(np.floor(steps + 0.5), -most, most).astype(np.int64)


@dataclass(frozen=True, eq=False, kw_only=True)
class GridBall(GridBox):
    """An L1 ball, and how fine the grid of the box around it is.

    A point outside is pulled in once it is in whole steps, as ``Ball`` describes, so that it is at
    most as many steps from the centre as the radius is long, for certain.

    Parameters
    ----------
    domain
        The ball.
    """

    domain: L1Ball

    @property
    def radius(self) -> int:
        """How many steps the coordinates of a point are from the centre at most, all together."""
        return self.unit

    @property
    def ball(self) -> Ball:
        """What points are pulled into."""
        return Ball(self.unit)

    @property
    def middle(self) -> Reals:
        """The centre, which a missing value counts as."""
        return self.domain.middle(self.dimensions)

    @property
    def scale(self) -> Reals:
        """How many steps there are in one of the coordinates' units."""
        return np.full(self.dimensions, self.unit / self.domain.radius)

    def _fill(self, steps: Reals, values: Reals) -> None:
        super()._fill(steps, values)
        pulled_in(steps, self.ball)

    def inside(self, places: Reals) -> Reals:
        """Return places in steps, those outside scaled towards the centre."""
        norms = np.abs(places).sum(axis=1, keepdims=True)
        return np.asarray(places / np.maximum(norms / self.radius, 1.0))

    def reached(self, middles: Reals, halves: Reals) -> NDArray[np.bool_]:
        """Tell which cells a point can lie in, by their middles and half their sides."""
        least = np.maximum(np.abs(middles) - halves, 0.0).sum(axis=1)
        return np.asarray(least <= self.radius)

    def drawn(self, number: int, random: np.random.Generator, *, within: float = 1.0) -> Reals:
        """Return places drawn uniformly, as shares of the radius, within a share of the whole."""
        return within * uniform_in_ball(number, self.dimensions, random)


def uniform_in_ball(points: int, dimensions: int, random: np.random.Generator) -> Reals:
    """Return points that are uniform in the L1 unit ball.

    Exponential variables, divided by the sum of one more of them, are uniform below the simplex
    :cite:p:`devroye1986`; signs are tossed.
    """
    drawn = random.standard_exponential((points, dimensions + 1))
    signs = random.choice([-1.0, 1.0], (points, dimensions))
    found: Reals = signs * drawn[:, :-1] / drawn.sum(axis=1, keepdims=True)
    return found


def space_of(low: Reals, high: Reals, *, reach: int = 1, domain: L1Ball | None = None) -> GridBox:
    """Return the space between bounds, as fine as products of its numbers stay exact.

    Of a ball they are those of the box around it.  For x within the box and c within the reach,
    2x·c - |c|² and |x - c|² are at most (1 + reach)²·d·2^(2·bits), which is at most 2^53.
    """
    room = _EXACT_BITS - ceil(log2((1 + reach) ** 2 * len(low)))
    if room < 2 * _FEWEST_BITS:
        raise InputError(
            "E-TOO-LARGE",
            "{count:,} coordinates are too many to add points up exactly",
            "give fewer",
            count=len(low),
        )
    bits = min(_MOST_BITS, room // 2)
    if domain is None:
        return GridBox(low, high, bits, reach)
    return GridBall(low, high, bits, reach, domain=domain)
