"""Privacy profiles that are broken lines with corners on a lattice, above and below a convex curve.

Seen as a function of t = e^epsilon, the profile E_P[(1 - t e^-L)+] of a loss L is convex, falls
from 1 at t = 0, and has a P-mass p at the loss ln t where its slope grows by p/t.  Everything here
is written in P-masses, so that nothing overflows and nothing small is a difference of greater
numbers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.base import UNIT, UP
from sfumato.privacy.loss.finite import FiniteLoss

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy.loss.base import LossLattice

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]

#: How surely the lower profile must stay above 0 where it ends.
_MARGIN = 1.01
#: How far losses in one block may be apart.
_FARTHEST = 200.0
TINY = 1e-300


def loss_on_lattice(
    lattice: LossLattice, index: Whole, masses: Disc, lost: Fraction = Fraction(0)
) -> FiniteLoss:
    """Return the loss with these masses at these points of a lattice, given from the least on."""
    values = Disc.of(lattice.step) * Disc(index[::-1].astype(float)) + Disc.of(lattice.offset)
    return FiniteLoss(values, masses[::-1], lost, lattice)


def depth(left: Reals, right: Reals, step: float) -> Reals:
    """Return how far the corner of a cell lies below its chord.

    ``left`` and ``right`` are the P-masses at its edges that have the P- and Q-mass of the cell;
    or, where only the profile is known, the masses of the chords at the edges.
    """
    shrunk = np.exp(-step) * right
    return np.asarray(-np.expm1(-step) * left * right / np.maximum(left + shrunk, TINY) * UP)


def lowered(lattice: LossLattice, first: int, masses: Disc, depths: Reals) -> FiniteLoss:
    """Return the loss whose profile lies below that of the masses by the depths beside each edge.

    ``depths[k]`` is that of the cell before edge k; nothing is below the chord after the last.
    All losses that are greater than some edge are moved down to it: this lowers the profile by
    its value there, and before in proportion to t, which is enough for the cell before.
    """
    width = float(lattice.step)
    drop = np.maximum(depths, np.append(depths[1:], 0.0))
    end = _end(masses.mid, drop, width)
    drop[end] = 0.0
    moved = Disc.joined([masses[:end], masses[end:].sum()])
    line = moved - bend(Disc(drop[: end + 1]), width)
    kept, found = convex(line, width)
    return loss_on_lattice(lattice, first + kept, found)


def _end(masses: Reals, drop: Reals, step: float) -> int:
    """Return the last edge to use: from there on nothing is left of the profile."""
    profile = _profile(masses, step)
    short = np.append(profile < _MARGIN * drop, [True])
    end = min(max(int(np.argmax(short)) - 1, 0), int(np.flatnonzero(masses > 0)[-1]))
    while end > 0:
        moved = profile[end] * np.exp(-step * np.arange(end, 0, -1.0))
        short = profile[:end] - moved < _MARGIN * drop[:end]
        if not short.any():
            break
        end = int(np.argmax(short))
    return end


def _profile(masses: Reals, step: float) -> Reals:
    """Return delta at every edge, as a sum from the greatest loss down.

    The masses from an edge on are added up as seen from it, block by block: within one no
    exponential leaves the doubles, however far losses reach.
    """
    size = max(int(_FARTHEST / step), 1)
    seen, beyond = np.empty(masses.size), 0.0
    for stop in range(masses.size, 0, -size):
        block = slice(max(stop - size, 0), stop)
        away = step * np.arange(masses[block].size)
        ahead = np.cumsum((masses[block] * np.exp(-away))[::-1])[::-1]
        rest = beyond * np.exp(-away[-1] - step)
        seen[block] = np.exp(away) * (ahead + rest)
        beyond = float(seen[block.start])
    rise = -np.expm1(-step) * seen[1:]
    return np.append(np.cumsum(rise[::-1])[::-1], 0.0)


def convex(masses: Disc, step: float) -> tuple[Whole, Disc]:
    """Leave out edges until every mass is surely positive; return those kept and their masses.

    Where a broken line bends the wrong way, the chord across lies below it.  A mass that may be
    positive is moved down to the next edge that is kept, which lowers the line too.  So the result
    lies below the line; and chords that lie above it still lie above a convex curve.
    """
    kept, found = np.arange(masses.mid.size), masses
    while True:
        good = found.mid > found.rad
        good[-1] = True
        if good.all():
            return kept, found
        kept, found = _without(~good, kept, found, step)


def _without(
    left_out: NDArray[np.bool_], edges: Whole, masses: Disc, step: float
) -> tuple[Whole, Disc]:
    """Split the masses that are left out between the edges beside, so that P- and Q-mass stay."""
    kept, gone = edges[~left_out], np.flatnonzero(left_out)
    right = np.cumsum(~left_out)[gone]
    left = np.maximum(right - 1, 0)
    way = step * (edges[gone] - np.append(-np.inf, kept)[right])
    rest = step * (kept[right] - edges[gone])
    upward = np.expm1(-way) / np.expm1(-way - rest)
    downward = np.exp(-way) * np.expm1(-rest) / np.expm1(-way - rest)

    def split(weights: Reals) -> Reals:
        up = np.bincount(right, weights * upward, kept.size)
        return np.asarray(up + np.bincount(left, weights * downward, kept.size), float)

    moved, rounding = masses[gone], (gone.size + 64) * UNIT
    unsure = np.where(moved.mid + moved.rad > 0, moved.size, 0.0)
    around = split(moved.rad + rounding * np.abs(moved.mid)) + np.bincount(right, unsure, kept.size)
    around = (around + np.bincount(left, unsure, kept.size)) * UP
    return kept, masses[~left_out] + Disc(split(moved.mid), around)


def bend(values: Disc, step: float) -> Disc:
    """Return t times the growth of the slope in t at each edge of a broken line.

    The line starts from 0 at t = 0 and stays level after the last edge.
    """
    rise, width = values[1:] - values[:-1], Disc(step)
    after = Disc.joined([rise / width.expm1(), Disc(np.zeros(1))])
    before = Disc.joined([values[:1], rise / -(-width).expm1()])
    return after - before
