"""Thousands of different Laplace losses, by a few hundred of them and what the others differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

#: How many neighbours in epsilon are taken together: so many groups of them are made.
_GROUPS = 512
_UP = 1 + 1e-9


class Crowd:
    """Groups of neighbouring epsilons, each by its centre and the moments around it.

    With r = e^(-(2s+1) eps) and g = 1 - (1 - r) s/(2s+1), the logarithm of a moment has, as a
    function of epsilon, the second derivative s (s+1) r/g^2 and the third
    s (s+1) r (s r - s - 1)/g^3.  A group is the value and the second derivative at the centre;
    the rest of Taylor's formula is at most the greatest third derivative in the group.
    """

    def __init__(self, epsilons: Reals, counts: Reals) -> None:
        order = np.argsort(epsilons)
        starts = np.linspace(0, epsilons.size, _GROUPS, endpoint=False).astype(int)
        values, weights = epsilons[order], counts[order]
        self.weights = np.add.reduceat(weights, starts)
        self.centres = np.add.reduceat(values * weights, starts) / self.weights
        away = np.abs(values - np.repeat(self.centres, np.diff([*starts, values.size])))
        self._first = np.add.reduceat(weights * away, starts) * 2.0**-50
        self._second = np.add.reduceat(weights * away**2, starts) / 2
        self._third = np.add.reduceat(weights * away**3, starts) / 6 * _UP
        self._reach = np.maximum.reduceat(away, starts) * _UP

    def correction(self, s: Disc) -> Disc:
        """Return what the members differ from their centres by, summed over all groups."""
        point, centre = s.mid, self.centres[:, None]
        width = 2 * point + 1
        ratio = np.exp(-width * centre)
        size = 1 - (1 - ratio) * (point / width)
        bend = point * (point + 1) * ratio / size**2
        mid = np.einsum("ij,i->j", bend, self._second)
        around = np.einsum("ij,i->j", self._rest(s, ratio, size), np.ones(centre.size))
        return Disc(mid, around + np.abs(mid) * 2.0**-40)

    def _rest(self, s: Disc, ratio: NDArray[np.complex128], size: NDArray[np.complex128]) -> Reals:
        """Bound what Taylor's formula leaves; r grows from the centre by e^(abs(2s+1) reach)."""
        far = np.abs(s.mid)
        reach = self._reach[:, None]
        grown = np.exp((2 * far + 1) * reach)
        least = np.abs(size) - far * np.abs(ratio) * grown * reach
        turn = far * (1 + np.abs(ratio) * grown) + 1
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            third = far * (far + 1) * np.abs(ratio) * grown * turn / least**3
        rest = third * self._third[:, None] + (far + 1) * self._first[:, None]
        return np.where(least > 0, rest, np.inf)
