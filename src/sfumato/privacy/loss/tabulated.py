"""From a loss known by cells, or by its profile, to two distributions on a lattice that bracket it.

One distribution dominates another, in every composition, where its profile lies nowhere below
:cite:p:`zhu2022`.  Proof: :doc:`/proofs/domination` and :doc:`/proofs/loss-lattices`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import Disc
from sfumato.privacy.loss.base import UNIT, UP, Atoms, LossLattice, PrivacyLosses, blockwise
from sfumato.privacy.loss.broken_lines import (
    TINY,
    bend,
    convex,
    depth,
    loss_on_lattice,
    lowered,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.numeric import Enclosure
    from sfumato.privacy.loss.finite import FiniteLoss

    Reals = NDArray[np.float64]


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
        low = np.array([each.lower for each in down]) * shrunk * (1 - 16 * UNIT)
        high = np.array([each.upper for each in down]) * shrunk * (1 + 16 * UNIT)
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
    before = known.most[0] * most[0] / max(known.most[0] + most[0], TINY)
    depths = np.append(before, depth(most[:-1], most[1:], known.step))
    beyond = np.zeros(most.size)
    beyond[-1] = known.least[-1]
    return lowered(lattice, -known.zero, masses + Disc(beyond), depths)


#: Above the error of a Fourier transform in the 2-norm, for each doubling of its length.
_TRANSFORM = 16 * UNIT
#: From how many points on a transform pays.
_MANY_POINTS = 64
#: What a Fourier transform takes at each point, in moments of a single member.
_WORK_OF_TRANSFORM = 2.0


class TabulatedLosses(PrivacyLosses):
    """A loss of many values on a lattice.

    Its moment is a sum over the lattice.  At a few points the masses are laid out as a matrix, by
    whose rows and columns e^(sx) is a product.  At the points of one whole period, which the
    inversion for lattices asks for, all sums together are one Fourier transform.  Like the
    functions named in :class:`~sfumato.numeric.Disc`, numpy's transform is taken to be exact up to
    a few units in the last place for each doubling, in the 2-norm; a test checks it.

    Parameters
    ----------
    loss
        A distribution on whole multiples of a step.
    """

    purely_atomic = True

    def __init__(self, loss: FiniteLoss) -> None:
        lattice = loss.lattice
        if lattice is None or lattice.unit is not None:
            raise InputError(
                "E-NUMBER-FORM",
                "a tabulated loss lies on a lattice of rational step",
                "give one that does",
            )
        self._lattice, self._lost = lattice, loss.lost
        self._step, self._offset = float(lattice.step), Disc.of(lattice.offset)
        steps = (loss.values - self._offset).mid / self._step
        self._index = np.rint(steps).astype(np.int64)
        self._top = self._step * float(self._index[0])
        self._masses = Disc.joined([loss.masses])
        self._atoms = Atoms(loss.values, self._masses, 1)
        self._table = self._laid_out(self._masses.mid)
        self._around = self._laid_out(self._masses.rad)
        self.greatest = math.nextafter(float((loss.values.mid + loss.values.rad)[0]), math.inf)
        self.members = max(1, self._table.size // _MANY_POINTS)

    def _laid_out(self, weights: Reals) -> Reals:
        """Return weights as a matrix, row by row from the greatest loss down."""
        below = self._index[0] - self._index
        width = math.isqrt(int(below[-1])) + 1
        rows = int(below[-1]) // width + 1
        return np.asarray(np.bincount(below, weights, rows * width).reshape(rows, width), float)

    def log_moment(self, s: Disc) -> Disc:
        """Sum over the lattice, all points at once where they are those of a period."""
        if self._is_period(s):
            logs = self._over_period(s)
        else:
            logs = blockwise(s, 1, lambda piece, _: self._at(piece), each=sum(self._table.shape))
        return logs + s * self._offset

    def _at(self, s: Disc) -> Disc:
        """Return s top + ln of the sum of m e^(-s (top - x))."""
        rows, width = self._table.shape
        by_row, row_error = _powers(s, self._step * width * np.arange(float(rows)))
        by_place, place_error = _powers(s, self._step * np.arange(float(width)))
        error = row_error + place_error + 8 * (rows + width) * UNIT
        total = (by_row * _product(self._table, by_place)).sum(axis=0)
        sizes = (self._around + error * self._table) @ np.abs(by_place)
        around = (np.abs(by_row) * sizes).sum(axis=0) * UP + TINY
        return s * self._top + Disc(total, around).log()

    def _is_period(self, s: Disc) -> bool:
        """Tell whether the points go up one line from the real axis to half a period."""
        if s.mid.size < _MANY_POINTS or np.ptp(s.mid.real) > 0:
            return False
        return bool(np.allclose(s.mid.imag, self._heights(s.mid.size), rtol=1e-12, atol=0.0))

    def _heights(self, points: int) -> Reals:
        return math.pi / (self._step * (points - 1)) * np.arange(float(points))

    def _over_period(self, s: Disc) -> Disc:
        real, nodes = float(s.mid.real[0]), 2 * (s.mid.size - 1)
        below = Disc(self._step * (self._index - self._index[0]))
        weights = (below * real).exp() * self._masses
        folded = np.bincount(self._index % nodes, weights.mid, nodes)
        total = np.conj(np.fft.rfft(folded))
        rounding = _TRANSFORM * math.log2(nodes) * math.sqrt(nodes) * np.linalg.norm(folded)
        rounding += (self._index.size // nodes + 2) * UNIT * weights.mid.sum()
        off = s.rad + np.abs(s.mid.imag - self._heights(s.mid.size)) + 8 * UNIT * s.mid.imag
        reach = self._step * float(np.abs(self._index[[0, -1]]).max())
        moved = np.expm1(off * reach) * weights.mid.sum()
        around = (weights.rad.sum() + rounding + moved) * UP
        return Disc(total, around).log() + Disc(real) * Disc(self._top)

    def atoms(self, most: int) -> list[Atoms] | None:
        """Return the points of the lattice that have mass."""
        return [self._atoms] if self._index.size <= most else None

    def cost_in_period(self) -> float:
        """Return the work of a transform at each point."""
        return _WORK_OF_TRANSFORM

    def lattice(self) -> LossLattice:
        """Return the lattice that was given."""
        return self._lattice

    def log_finite(self) -> Disc | None:
        """Return ln of the probability that no loss is infinite."""
        if not self._lost:
            return None
        return (-Disc.joined([Disc.of(self._lost)])).log1p()


def _powers(s: Disc, down: Reals) -> tuple[NDArray[Any], float]:
    """Return e^(-s down), a row for each way down, and how wrong it may be as a share."""
    exponents = -s * Disc(down[:, None])
    return exponents.exp().mid, float(np.expm1(exponents.rad.max())) + 32 * UNIT


def _product(table: Reals, powers: NDArray[Any]) -> NDArray[Any]:
    """Multiply a real matrix by a real or complex one, without making the first complex."""
    if not np.iscomplexobj(powers):
        return np.asarray(table @ powers)
    return np.asarray(table @ powers.real + 1j * (table @ powers.imag))


_ROUNDING = 2.0**-48


def gridded(loss: FiniteLoss, cells: int) -> LossBracket:
    """Return distributions on a lattice around a loss that lies on none.

    Each value is split between the two points beside it; see
    :class:`~sfumato.privacy.loss.tabulated.LossCells`.  Masses that may be nothing are left out
    below.
    """
    masses = Disc(loss.masses.mid, np.broadcast_to(loss.masses.rad, loss.masses.mid.shape))
    sure = (masses.mid > masses.rad).astype(float)
    certain = Disc(masses.mid * sure, masses.rad * sure)
    upper, lower = (_laid(loss.values, each, cells) for each in (masses, certain))
    return LossBracket(upper.upper(loss.lost), lower.lower())


def _laid(values: Disc, masses: Disc, cells: int) -> LossCells:
    """Sort masses into the cells of a lattice, and how far they may be off with them."""
    step = lattice_step(float(np.ptp(values.mid)), cells)
    first = math.floor(values.mid.min() / float(step))
    places = values.mid - first * float(step)
    split = halves(places, masses.mid, float(step), cells + 2)
    around = halves(places, masses.rad, float(step), cells + 2)
    left, right = (
        Disc(each, (each + unsure) * _ROUNDING + unsure + TINY)
        for each, unsure in zip(split, around, strict=True)
    )
    reach = float(np.abs(values.mid).max()) * _ROUNDING + float(np.max(values.rad))
    return LossCells(step, first, left, right, Fraction(reach))
