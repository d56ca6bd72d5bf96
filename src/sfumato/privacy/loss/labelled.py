"""Losses of which only bounds on real moments are known: Rényi and zero-concentrated labels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc, float_below
from sfumato.privacy.loss.base import PrivacyLosses

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction


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
