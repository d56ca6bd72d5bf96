"""Losses that take very many values on a lattice."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import Disc
from sfumato.privacy.loss.base import PrivacyLosses, blockwise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy.loss.finite import FiniteLoss
    from sfumato.privacy.loss.lattice import LossLattice

    Reals = NDArray[np.float64]

_UNIT = 2.0**-53
_UP, _TINY = 1 + 1e-9, 1e-300
#: Above the error of a Fourier transform in the 2-norm, for each doubling of its length.
_TRANSFORM = 16 * _UNIT
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
        error = row_error + place_error + 8 * (rows + width) * _UNIT
        total = (by_row * _product(self._table, by_place)).sum(axis=0)
        sizes = (self._around + error * self._table) @ np.abs(by_place)
        around = (np.abs(by_row) * sizes).sum(axis=0) * _UP + _TINY
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
        rounding += (self._index.size // nodes + 2) * _UNIT * weights.mid.sum()
        off = s.rad + np.abs(s.mid.imag - self._heights(s.mid.size)) + 8 * _UNIT * s.mid.imag
        reach = self._step * float(np.abs(self._index[[0, -1]]).max())
        moved = np.expm1(off * reach) * weights.mid.sum()
        around = (weights.rad.sum() + rounding + moved) * _UP
        return Disc(total, around).log() + Disc(real) * Disc(self._top)

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
    return exponents.exp().mid, float(np.expm1(exponents.rad.max())) + 32 * _UNIT


def _product(table: Reals, powers: NDArray[Any]) -> NDArray[Any]:
    """Multiply a real matrix by a real or complex one, without making the first complex."""
    if not np.iscomplexobj(powers):
        return np.asarray(table @ powers)
    return np.asarray(table @ powers.real + 1j * (table @ powers.imag))
