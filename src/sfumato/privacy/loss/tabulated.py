"""From a loss known by cells, or by its profile, to two distributions on a lattice that bracket it.

One distribution dominates another, in every composition, where its profile lies nowhere below
:cite:p:`zhu2022`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.broken_lines import bend, convex, depth, loss_on_lattice, lowered
from sfumato.privacy.loss.lattice import LossLattice

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.numeric import Enclosure
    from sfumato.privacy.loss.finite import FiniteLoss

    Reals = NDArray[np.float64]

_UNIT = 2.0**-53
_TINY = 1e-300
#: Losses beyond this are as good as infinite.
_FARTHEST = 300.0


@dataclass(frozen=True)
class LossBracket:
    """Two losses around a loss, which is dominated by ``upper`` and dominates ``lower``."""

    upper: FiniteLoss
    lower: FiniteLoss


def lattice_step(greatest: float, cells: int) -> Fraction:
    """Return a step so great that ``cells`` of it reach a loss, whose multiples are floats."""
    mantissa, exponent = math.frexp(greatest / cells)
    return Fraction(math.ceil(mantissa * 2**20)) * Fraction(2) ** (exponent - 20)


def halves(losses: Reals, masses: Reals, step: float, cells: int) -> tuple[Reals, Reals]:
    """Sort losses of 0 or more into cells of one step each; return what each edge gets of its cell.

    A P-mass p at x gives p (1 - e^(a-x)) / (1 - e^-step) to the right edge of its cell and the
    rest to the left edge a, so that the cell keeps its P-mass and its Q-mass.  By rounding, x is
    moved by at most a few units in its last place.
    """
    cell = np.minimum((losses / step).astype(np.int64), cells - 1)
    way = np.clip(losses - cell * step, 0.0, step)
    upward = masses * (np.expm1(-way) / np.expm1(-step))
    parts = (np.bincount(cell, each, cells) for each in (masses - upward, upward))
    left, right = (np.asarray(part, float) for part in parts)
    return left, right


@dataclass(frozen=True)
class LossCells:
    """A loss by cells between neighbouring points of a lattice.

    Parameters
    ----------
    step
        The width of a cell.
    first
        The left edge of the first cell, in steps.
    left, right
        The P-masses on the edges of each cell that together have its P- and Q-mass: see
        :func:`halves`.
    slack
        How far the losses may lie from where they were sorted to.
    """

    step: Fraction
    first: int
    left: Disc
    right: Disc
    slack: Fraction = Fraction(0)

    @property
    def _edges(self) -> Disc:
        none = Disc(np.zeros(1))
        return Disc.joined([self.left, none]) + Disc.joined([none, self.right])

    def upper(self, lost: Fraction = Fraction(0)) -> FiniteLoss:
        """Return the loss on the edges, with what the cells do not hold counted as infinite.

        The profile at an edge does not change when losses move within a cell and its P- and
        Q-mass stay.  So that of this distribution joins points of the true one by chords, which lie
        above a convex curve :cite:p:`doroshenko2022`.
        """
        edges = self._edges
        kept = np.flatnonzero(edges.mid > 0)
        lattice = LossLattice(self.step, self.slack)
        return loss_on_lattice(lattice, self.first + kept, edges[kept], lost)

    def lower(self) -> FiniteLoss:
        """Return a distribution on the edges that the true one dominates.

        Merging each cell into one loss is post-processing; the merged profile has one corner a
        cell, at some depth below the chord between two true points.  With both its ends lowered
        by the depth, the chord lies below it.
        """
        left, right = self.left.mid + self.left.rad, self.right.mid + self.right.rad
        depths = np.append(0.0, depth(left, right, float(self.step)))
        return lowered(LossLattice(self.step, -self.slack), self.first, self._edges, depths)


def profile_bracket(
    delta: Callable[[float], Enclosure],
    reverse: Callable[[float], Enclosure],
    *,
    greatest: float,
    cells: int,
) -> LossBracket:
    """Return two distributions around a pair of which only the profiles are known, both ways.

    Above the profile lie the chords between its known points; below it lie, in each cell, the
    chords of the two cells beside, drawn on.  What is lost beyond ``greatest`` is infinite in the
    upper distribution and ``greatest`` in the lower one.

    Parameters
    ----------
    delta, reverse
        Certified bounds on the profile of P against Q, and of Q against P, at epsilons from 0 on.
    greatest
        Where to stop: at a bound on all losses, or where delta no longer matters.
    cells
        How many cells to lay from 0 to there.
    """
    step = lattice_step(min(greatest, _FARTHEST), cells)
    points = float(step) * np.arange(cells + 1)
    up, down = [delta(x) for x in points], [reverse(x) for x in points[:0:-1]]
    known = _Points.around_zero(float(step), up, down, np.exp(-points[:0:-1]))
    lattice = LossLattice(step, Fraction(0))
    return LossBracket(_above(lattice, known), _below(lattice, known))


@dataclass(frozen=True)
class _Points:
    """Bounds on delta less (1 - t)+ at whole steps, as many below 0 as above."""

    step: float
    least: Reals
    most: Reals

    @classmethod
    def around_zero(
        cls, step: float, up: list[Enclosure], down: list[Enclosure], shrunk: Reals
    ) -> _Points:
        """Put both ways on one line: delta(-x) is 1 - e^-x + e^-x reverse(x)."""
        low = np.array([each.lower for each in down]) * shrunk * (1 - 16 * _UNIT)
        high = np.array([each.upper for each in down]) * shrunk * (1 + 16 * _UNIT)
        falling = np.maximum.accumulate([each.lower for each in up[::-1]])[::-1]
        least = np.concatenate([low, falling])
        most = np.concatenate([high, np.minimum.accumulate([each.upper for each in up])])
        return cls(step, np.clip(least, 0.0, most), most)

    @property
    def zero(self) -> int:
        return self.least.size // 2

    def masses(self, values: Reals) -> Disc:
        """Return the masses of the broken line through values; (1 - t)+ is a mass of 1 at 0."""
        corner = np.zeros(values.size)
        corner[self.zero] = 1.0
        return bend(Disc(values), self.step) + Disc(corner)


def _above(lattice: LossLattice, known: _Points) -> FiniteLoss:
    end = known.zero + int(np.argmin(known.most[known.zero :]))
    values = known.most[: end + 1]
    kept, masses = convex(known.masses(values), known.step)
    return loss_on_lattice(lattice, kept - known.zero, masses, Fraction(float(values[-1])))


def _below(lattice: LossLattice, known: _Points) -> FiniteLoss:
    """Take the chords beside each cell as steep as what is known of their ends allows."""
    masses = known.masses(known.least)
    unsure = np.pad(known.most - known.least, 1)
    steeper = np.maximum(unsure[:-2], unsure[2:]) / -np.expm1(-known.step)
    most = np.maximum(masses.mid + masses.rad + steeper, 0.0)
    # Before the first point the profile is at least 1 - t.
    before = known.most[0] * most[0] / max(known.most[0] + most[0], _TINY)
    depths = np.append(before, depth(most[:-1], most[1:], known.step))
    beyond = np.zeros(most.size)
    beyond[-1] = known.least[-1]
    return lowered(lattice, -known.zero, masses + Disc(beyond), depths)
