"""Delta at an epsilon and epsilon at a delta, with certified bounds, in one direction."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.numeric import Disc, Enclosure, cached_property, float_above, float_below
from sfumato.privacy.inversion.contour import (
    LatticeContour,
    LineContour,
    best_tilt_for_delta,
    best_tilt_for_epsilon,
    exp_up,
    nodes_of_period,
)
from sfumato.privacy.inversion.enumeration import Enumeration, log_part, values_of_sum

if TYPE_CHECKING:
    from sfumato.privacy.loss import PrivacyLosses


_TRIES = 80
#: The longest first step away from a root, as a share of it.
_LONGEST = 1e-3


class DeltaCurve(Protocol):
    """What can be asked for delta, roughly and surely, from ``reach`` on."""

    reach: float

    def middle(self, epsilon: float) -> tuple[float, float]:
        """Return delta and its slope in epsilon, without bounds."""

    def delta(self, epsilon: float) -> Enclosure:
        """Return certified bounds on delta."""


def least_epsilon(curve: DeltaCurve, delta: Enclosure, most: float) -> Enclosure:
    """Return bounds on the least epsilon at a delta, of which ``most`` is known to be one.

    A rough root is found first; from there steps lead outwards until the bounds on delta prove
    the side.
    """
    least = max(curve.reach, 0.0)
    root, slope = _root(curve, delta.lower / 2 + delta.upper / 2, least, most)
    fall = max(-slope, 1e-300)
    upper = _proved_upper(curve, root, fall, delta.lower, most)
    return Enclosure(min(_proved_lower(curve, root, fall, delta.upper, least), upper), upper)


def _root(curve: DeltaCurve, delta: float, least: float, most: float) -> tuple[float, float]:
    """Solve middle(eps) = delta by Newton's steps on the logarithm, kept in a bracket."""
    low, high, point, slope = least, most, most, -1.0
    for _ in range(_TRIES):
        value, slope = curve.middle(point)
        low, high = (point, high) if value > delta else (low, point)
        step = math.inf
        if value > 0 > slope:
            step = (math.log(value) - math.log(delta)) * value / -slope
        moved = point + step if low < point + step < high else (low + high) / 2
        if abs(moved - point) <= 4e-16 * abs(point):
            break
        point = moved
    return point, slope


def _proved_upper(curve: DeltaCurve, root: float, fall: float, delta: float, most: float) -> float:
    """Step up from the root until delta there is certainly small enough."""
    point, stride = root, abs(root) * 1e-15
    for _ in range(_TRIES):
        if point >= most:
            break
        bound = curve.delta(point).upper
        if bound <= delta:
            return point
        stride = max(2 * stride, min(1.1 * (bound - delta) / fall, _LONGEST * root))
        point = root + stride
    return most


def _proved_lower(curve: DeltaCurve, root: float, fall: float, delta: float, least: float) -> float:
    """Step down from the root until delta there is certainly too great."""
    point, stride = root, abs(root) * 1e-15
    for _ in range(_TRIES):
        if point <= least:
            break
        bound = curve.delta(point).lower
        if bound >= delta:
            return point
        stride = max(2 * stride, min(1.1 * (delta - bound) / fall, _LONGEST * root))
        point = root - stride
    return least if curve.delta(least).lower >= delta else 0.0


#: Up to so many values of a loss are listed at once, and so many of a sum where no lattice is.
_FEW_LISTED, _MOST_LISTED = 1 << 10, 1 << 16
_MOST_WORK = 1 << 22
#: How far apart the copies of a period lie, times the tilt, as far as the effort goes.
_WINDOW = 60.0
#: Ln of the share of a moment below which atoms are left in the integral.
_NEGLIGIBLE = -32.0


class LossProfile:
    """The privacy profile of a sum of losses."""

    def __init__(self, losses: PrivacyLosses) -> None:
        self._losses = losses
        self._lattice = losses.lattice()
        self._lost = _lost(losses)

    @property
    def greatest(self) -> float:
        """No loss is above this."""
        return math.inf if self._lost.upper > 0 else self._losses.greatest

    @np.errstate(all="ignore")
    def delta(self, epsilon: float) -> Enclosure:
        """Return bounds on delta at an epsilon."""
        if epsilon >= self._losses.greatest:
            return self._lost
        if self._short_list is not None:
            return self._with_lost(self._short_list.delta(epsilon), 1.0)
        tilt = best_tilt_for_epsilon(self._losses, epsilon)
        if self._losses.real_only or math.isinf(tilt.bound):
            return self._with_lost(Enclosure(0.0, 1.0), exp_up(min(tilt.bound, 0.0)))
        curve = self._curve(tilt.real, epsilon, max(tilt.bound, -700.0), 1e-7)
        return self._with_lost(curve.delta(epsilon), exp_up(min(tilt.bound, 0.0)))

    @np.errstate(all="ignore")
    def most(self, delta: Fraction) -> float:
        """Return an epsilon that certainly holds at a delta, by the best of the real moments."""
        room = self._room(delta)
        if room.lower <= 0:
            return self.greatest
        tilt = best_tilt_for_delta(self._losses, math.log(room.lower))
        return max(min(tilt.bound * (1 + 1e-12), self._losses.greatest), 0.0)

    @np.errstate(all="ignore")
    def epsilon(self, delta: float | Fraction, tolerance: float) -> Enclosure:
        """Return bounds on the least epsilon at a delta."""
        room = self._room(Fraction(delta))
        if room.upper < 0:
            return Enclosure(math.inf, math.inf)
        if room.upper == 0:
            return Enclosure(self._losses.greatest * (1 - 1e-9), self._losses.greatest)
        if room.lower <= 0:
            return Enclosure(0.0, self.greatest)
        tilt = best_tilt_for_delta(self._losses, math.log(room.lower))
        most = min(tilt.bound * (1 + 1e-12), self._losses.greatest)
        if most <= 0:
            return Enclosure(0.0, 0.0)
        if self._losses.real_only or math.isinf(tilt.bound):
            return Enclosure(0.0, most)
        for _ in range(_TRIES):
            coarse = tolerance * tilt.real * most / 24
            curve = self._curve(tilt.real, most, math.log(room.upper), coarse)
            if curve.reach <= 0 or not curve.delta(curve.reach).upper <= room.lower:
                break
            most = curve.reach
            tilt = best_tilt_for_epsilon(self._losses, most)
        return least_epsilon(curve, room, most)

    def _curve(self, real: float, epsilon: float, log_delta: float, coarse: float) -> DeltaCurve:
        """Choose how to compute: list the values, sum over a lattice's period, or integrate."""
        if self._short_list is not None:
            return self._short_list
        if self._lattice is not None and self._fits(real):
            return LatticeContour(
                self._losses, self._lattice, real=real, epsilon=epsilon, log_delta=log_delta
            )
        atoms = self._listed(real)
        if atoms is not None and self._losses.purely_atomic:
            return atoms
        return LineContour(
            self._losses,
            atoms,
            real=real,
            epsilon=epsilon,
            log_delta=log_delta,
            coarse=coarse,
        )

    @cached_property
    def _short_list(self) -> Enumeration | None:
        """Every value, where they are few: then nothing has to be searched or integrated."""
        few = self._losses.atoms(_FEW_LISTED) if self._losses.purely_atomic else None
        if few is None or values_of_sum(few) > _MOST_WORK:
            return None
        return Enumeration(few)

    def _fits(self, real: float) -> bool:
        """Tell whether one period of the lattice is not too much work."""
        nodes = nodes_of_period(self._lattice, _WINDOW / real) if self._lattice else math.inf
        return nodes * self._losses.cost_in_period() <= _MOST_WORK

    def _room(self, delta: Fraction) -> Enclosure:
        """Return what a delta leaves when that of infinite losses is taken off."""
        lost = self._losses.exactly_lost()
        if lost is not None:
            return Enclosure(float_below(delta - lost), float_above(delta - lost))
        least, most = Fraction(self._lost.lower), Fraction(self._lost.upper)
        return Enclosure(float_below(delta - most), float_above(delta - least))

    def _listed(self, real: float) -> Enumeration | None:
        """List the values that have mass, where they are few and weigh something at the tilt."""
        atoms = self._losses.atoms(_MOST_LISTED)
        if atoms is None or values_of_sum(atoms) > _MOST_LISTED:
            return None
        point = Disc(np.array([real]))
        share = log_part(atoms, point) - self._losses.log_moment(point)
        return Enumeration(atoms) if share.mid[0].real > _NEGLIGIBLE else None

    def _with_lost(self, finite: Enclosure, most: float) -> Enclosure:
        lower = max(finite.lower, 0.0) + self._lost.lower
        return Enclosure(min(lower, 1.0), min(min(finite.upper, most) + self._lost.upper, 1.0))


def _lost(losses: PrivacyLosses) -> Enclosure:
    """Return the probability that the loss is infinite."""
    log = losses.log_finite()
    if log is None:
        return Enclosure(0.0, 0.0)
    lost = -log.expm1()
    return Enclosure(max(float(lost.mid[0] - lost.rad[0]), 0.0), float(lost.mid[0] + lost.rad[0]))
