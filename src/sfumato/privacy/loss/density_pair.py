"""The loss of a pair of densities, between two losses of finitely many values.

The line is cut into cells with bounds l and u on ln p/q.  A cell's p- and q-mass on the values l
and u alone lose at least as much as the cell does: the profile at a level outside of (l, u) does
not change, and inside a chord lies above a convex curve :cite:p:`doroshenko2022`.  A cell as a
single outcome loses at most as much, for that is post-processing.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from sfumato.errors import NoEnclosureError
from sfumato.information import continuous, renyi_divergence
from sfumato.numeric import Disc, Enclosure, float_above, float_below, working_precision
from sfumato.privacy.inversion.enumeration import Enumeration
from sfumato.privacy.loss.base import Atoms, PrivacyLosses
from sfumato.privacy.loss.broken_lines import TINY
from sfumato.privacy.loss.finite import FiniteLoss
from sfumato.privacy.loss.tabulated import profile_bracket

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.information.continuous import Cell, ContinuousDistribution, Declared
    from sfumato.privacy.loss.tabulated import LossBracket

    Density = ContinuousDistribution | Declared
    DensityPair = tuple[Any, Any]


#: How many cells the line is cut into, and of how many the profile of two directions is made.
_MOST_PIECES, _CELLS = 1 << 11, 1 << 11
#: A tail with no bound on the loss is cut until it weighs less.
_NEGLIGIBLE = 1e-30
#: Bounds on a loss that are so close are as good as one.
_NARROW = 1e-12
#: Wider cells than this are no worse than others of the same mass.
_WIDE = 40.0
_GOAL = 1e-18


@dataclass(frozen=True)
class _Piece:
    """The masses of a cell, and bounds on ln p/q."""

    p: arb
    q: arb
    low: float
    high: float

    def weight(self, noise: float) -> float:
        """Return how much cutting it helps: first of all where the loss has no bound."""
        size = float(self.p)
        if math.isinf(self.high):
            return math.inf if size > max(_NEGLIGIBLE, noise) else 0.0
        width = min(self.high - self.low, _WIDE)
        return 0.0 if width <= _NARROW or size <= noise else size * width**2


@dataclass(frozen=True)
class DensityCells:
    """A pair of densities by pieces of the line.

    Attributes
    ----------
    pieces
        Where both have a density.
    lost
        What p gives to where q has none.
    declared
        Whether masses are known up to a declared accuracy only.
    """

    pieces: Sequence[_Piece]
    lost: arb
    declared: bool

    def upper(self) -> FiniteLoss:
        """Return a loss of finitely many values that dominates."""
        masses: defaultdict[float, arb] = defaultdict(arb)
        lost = self.lost
        for piece in self.pieces:
            if math.isinf(piece.high):
                lost += piece.p
                continue
            down = _share_below(piece)
            masses[piece.high] += piece.p - down
            if down != 0:
                masses[piece.low] += down
        return _loss(masses, lost, Fraction(float_above(lost)))

    def lower(self) -> FiniteLoss | None:
        """Return a loss that is dominated; None where masses are not known well enough."""
        if self.declared:
            return None
        masses: defaultdict[float, arb] = defaultdict(arb)
        rest = arb(0)
        for piece in self.pieces:
            ratio = float_below((piece.p / piece.q).log())
            if math.isfinite(ratio):
                masses[ratio] += piece.p
            else:
                rest += piece.p
        masses[min(masses)] += rest
        return _loss(masses, self.lost, Fraction(float_below(self.lost)))


def _share_below(piece: _Piece) -> arb:
    """Return which part of the p-mass goes to the lower end, so that the q-mass stays as well."""
    if piece.high - piece.low <= _NARROW or math.isinf(piece.low):
        return arb(0)
    low, shrunk = arb(piece.low), (arb(piece.low) - arb(piece.high)).exp()
    share = (piece.q * low.exp() - piece.p * shrunk) / (1 - shrunk)
    return share.max(arb(0)).min(piece.p)


def _loss(masses: Mapping[float, arb], lost: arb, counted: Fraction) -> FiniteLoss:
    """Return a loss by its values, with what is counted as lost.

    By which that differs from what is lost, it is moved between infinity and a finite value.
    """
    values = sorted(masses, reverse=True)
    least = np.array([max(float_below(masses[each]), 0.0) for each in values])
    most = np.array([float_above(masses[each]) for each in values])
    heaviest = int(most.argmax()) if Fraction(float_below(lost)) < counted else 0
    gap = float_above(lost) - float_below(lost)
    least[heaviest], most[heaviest] = least[heaviest] - gap, most[heaviest] + gap
    around = Disc((least + most) / 2, (most - least) * (0.5 + 1e-15) + TINY)
    return FiniteLoss(Disc(np.array(values)), around, counted)


@lru_cache(maxsize=32)
def density_cells(p: Any, q: Any) -> DensityCells:
    """Return the line cut so that no cell loses much by its bounds."""
    with working_precision(continuous.bits_for(p, q)):
        pair = continuous.pair_of(p, q)
        declared = isinstance(p, continuous.Declared) or isinstance(q, continuous.Declared)
        lost, number = arb(0), count()
        waiting: list[tuple[float, int, Cell, _Piece]] = []

        def place(cell: Cell) -> None:
            here, there = pair.masses(cell)
            low, high = pair.log_ratio(cell)
            piece = _Piece(here, there, float_below(low), float_above(high))
            heapq.heappush(waiting, (-piece.weight(pair.noise), next(number), cell, piece))

        for cell in pair.cells:
            if pair.is_singular(cell):
                lost += pair.masses(cell)[0]
            else:
                place(cell)
        while waiting and -waiting[0][0] > _GOAL and len(waiting) < _MOST_PIECES:
            for part in heapq.heappop(waiting)[2].split():
                place(part)
        return DensityCells([piece for *_, piece in waiting], lost, declared)


def worst_of_densities(pairs: Sequence[DensityPair]) -> LossBracket:
    """Return losses around that whose profile is the greatest of several, as their relation is.

    See :func:`~sfumato.privacy.loss.ratio_pair.worst_pair`.
    """
    cells = [density_cells(p, q) for p, q in pairs]
    upper, lower = [each.upper() for each in cells], [each.lower() for each in cells]
    above = [_Listed.of(each) for each in upper]
    below = [_Listed.of(each) for each in lower if each is not None]

    @cache
    def profile(x: float) -> Enclosure:
        most = min(max(each.delta(x).upper for each in above), 1.0)
        least = max((each.delta(x).lower for each in below), default=0.0)
        return Enclosure(min(max(least, 0.0), most), most)

    greatest = max(each.reach for each in above)
    return profile_bracket(profile, profile, greatest=greatest, cells=_CELLS)


@dataclass(frozen=True)
class _Listed:
    """A loss by its values, and where what lies beyond no longer matters."""

    values: Enumeration
    lost: float
    reach: float

    @classmethod
    def of(cls, loss: FiniteLoss) -> _Listed:
        beyond = np.cumsum(loss.masses.mid + loss.masses.rad)
        place = min(int(np.searchsorted(beyond, _NEGLIGIBLE)), beyond.size - 1)
        values = Enumeration([Atoms(loss.values, loss.masses, 1)])
        return cls(values, float(loss.lost), max(float(loss.values.mid[place]), _NARROW))

    def delta(self, x: float) -> Enclosure:
        found = self.values.delta(x)
        return Enclosure(found.lower + self.lost, (found.upper + self.lost) * (1 + 1e-15))


class DensityMoments(PrivacyLosses):
    """The worst of some pairs of densities, of which only bounds on real moments are known."""

    real_only = True

    def __init__(self, pairs: Sequence[DensityPair]) -> None:
        self._pairs = pairs

    def log_moment(self, s: Disc) -> Disc:
        """Return s times the greatest Rényi divergence of order 1 + s, which grows with it."""
        points = [Fraction(mid) + Fraction(rad) for mid, rad in zip(*_real(s), strict=True)]
        return Disc(np.array([self._bound(each) for each in points]))

    def _bound(self, point: Fraction) -> float:
        return greatest_divergence(self._pairs, 1 + point) * float_above(point) * (1 + 1e-15)


def greatest_divergence(pairs: Sequence[DensityPair], order: Fraction) -> float:
    """Return an upper bound on the greatest Rényi divergence, infinite where none is known."""
    try:
        found: list[Any] = [renyi_divergence(p, q, order=order) for p, q in pairs]
    except NoEnclosureError:
        return math.inf
    return max(float(each.upper) for each in found)


def _real(s: Disc) -> tuple[list[float], list[float]]:
    real = s.mid.real
    return real.tolist(), np.broadcast_to(s.rad, real.shape).tolist()
