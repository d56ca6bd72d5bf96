"""Losses that take finitely many values: randomized response and its family."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc, float_below
from sfumato.privacy.loss.base import Atoms, PrivacyLosses, blockwise, common_lattice, few_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.privacy.loss.base import LossLattice


#: Up to so many losses, what is lost is kept as a rational.
_FEW_LOSSES = 64


@dataclass(frozen=True, eq=False)
class FiniteLoss:
    """The values of one loss, the greatest first, their P-masses, and what is infinite.

    The masses and ``lost`` add up to 1.
    """

    values: Disc
    masses: Disc
    lost: Fraction = Fraction(0)
    lattice: LossLattice | None = None


class FiniteLosses(PrivacyLosses):
    """Many losses, each of the same number of values."""

    purely_atomic = True

    def __init__(self, counts: Mapping[FiniteLoss, int]) -> None:
        self._counts = dict(counts)
        self._weights = np.array(list(counts.values()), dtype=float).reshape(-1, 1)
        self._greatest = _matrix([loss.values[:1] for loss in counts])[:, 0]
        self._below = _matrix([loss.values - loss.values[:1] for loss in counts])
        self._masses = _matrix([loss.masses for loss in counts])
        self._lost = Disc.stack([loss.lost for loss in counts])
        self.members = self._masses.mid.size
        highest = self._greatest.mid + self._greatest.rad
        self.greatest = float((highest * self._weights).sum()) * (1 + self.members * 2.0**-52)

    def log_moment(self, s: Disc) -> Disc:
        """Add up the members: s times the greatest value, and what the lower ones take away."""
        return blockwise(s, len(self._counts), self._block, each=self._below.mid.shape[1])

    def _block(self, s: Disc, rows: slice) -> Disc:
        taken = ((self._below[rows] * s).expm1() * self._masses[rows]).sum(axis=1)
        logs = self._greatest[rows] * s + (taken - self._lost[rows]).log1p()
        return (logs * self._weights[rows]).sum(axis=0)

    def atoms(self, most: int) -> list[Atoms] | None:
        """Return the values of each."""
        if not few_values(self._below.mid.shape[1], self._counts.values(), most):
            return None
        return [Atoms(loss.values, loss.masses, count) for loss, count in self._counts.items()]

    def lattice(self) -> LossLattice | None:
        """Return the common lattice of all, where there is one."""
        return common_lattice(
            loss.lattice and loss.lattice.repeated(count) for loss, count in self._counts.items()
        )

    def exactly_lost(self) -> Fraction | None:
        """Return the probability that some loss is infinite, if it has few enough digits."""
        if sum(count for loss, count in self._counts.items() if loss.lost) > _FEW_LOSSES:
            return None
        kept = Fraction(1)
        for loss, count in self._counts.items():
            kept *= (1 - loss.lost) ** count if loss.lost else 1
        return 1 - kept

    def log_finite(self) -> Disc | None:
        """Return ln of the probability that no loss is infinite."""
        if not any(loss.lost for loss in self._counts):
            return None
        return ((-self._lost).log1p() * self._weights).sum(axis=0)


def _matrix(rows: list[Disc]) -> Disc:
    """Stack rows of equal length, with an axis of points at the end."""
    mids = np.stack([row.mid for row in rows])
    rads = np.stack([np.broadcast_to(row.rad, row.mid.shape) for row in rows])
    return Disc(mids[:, :, None], rads[:, :, None])


class _OnRealAxis(PrivacyLosses):
    """Losses of which nothing is known off the real axis."""

    real_only = True

    def log_envelope(self, real: float, height: float) -> float:  # noqa: ARG002
        """Return no bound."""
        return math.inf


class ConcentratedLosses(_OnRealAxis):
    """Zero-concentrated steps by rho: ln M(c) is at most c (c + 1) times their sum."""

    def __init__(self, counts: Mapping[Fraction, int]) -> None:
        self._rho = Disc.stack([rho * count for rho, count in counts.items()]).sum(axis=0)

    def log_moment(self, s: Disc) -> Disc:
        """Return the bound at real points."""
        return s * (s + 1) * self._rho


class RenyiLosses(_OnRealAxis):
    """A step with Rényi bounds at some orders: ln M(c) is at most c times that at 1 + c.

    The divergence grows with the order, so the next order for which a bound is known serves.
    """

    def __init__(self, curve: Sequence[tuple[Fraction, Fraction]]) -> None:
        self.tilts = tuple(float_below(order - 1) for order, _ in curve)
        self._bounds = np.array([float(bound) * (1 + 1e-15) for _, bound in curve])

    def log_moment(self, s: Disc) -> Disc:
        """Return the bound at real points; infinite beyond the last order."""
        real = s.mid.real
        index = np.searchsorted(self.tilts, real)
        bounds = np.append(self._bounds, math.inf)[index]
        return Disc(real * bounds, np.where(np.isinf(bounds), 0.0, real * bounds * 1e-15))
