"""Losses of Laplace noise and of bounded-range choices: an exponential body below epsilon."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.base import Atoms, PrivacyLosses, blockwise, few_values
from sfumato.privacy.loss.crowded import Crowd

if TYPE_CHECKING:
    from collections.abc import Mapping


_UP = 1 + 1e-12
_UNIT = 2.0**-53
#: From how many different members on neighbours are taken together.
_MANY = 1 << 10


class _ManyLosses(PrivacyLosses):
    """Many losses of one kind, each known by an epsilon that it never exceeds."""

    def __init__(self, counts: Mapping[float, int]) -> None:
        self._counts = dict(counts)
        self._epsilons = Disc.stack(list(counts))
        self._weights = np.array(list(counts.values()), dtype=float).reshape(-1, 1)
        self.members = len(self._counts)
        self.greatest = float((self._epsilons.mid * self._weights).sum()) * _UP

    def log_moment(self, s: Disc) -> Disc:
        """Add up the members: s epsilon, and what the losses below epsilon take away."""
        return blockwise(s, self.members, self._block)

    def _block(self, s: Disc, rows: slice) -> Disc:
        epsilons = self._epsilons[rows]
        logs = s * epsilons + self._log_below(s, epsilons)
        return (logs * self._weights[rows]).sum(axis=0)

    @abstractmethod
    def _log_below(self, s: Disc, epsilon: Disc) -> Disc:
        """Return ln E[e^(s (L - epsilon))] of each member."""

    def log_envelope(self, real: float, height: float) -> float:
        """Add up the members: what is spread out fades with the height."""
        far = np.hypot(2 * height, 2 * real + 1)
        least = np.exp(-(2 * real + 1) * self._epsilons.mid)
        whole = -np.expm1(-(2 * real + 1) * self._epsilons.mid)
        spread = np.minimum((1 + least) / far, whole / (2 * real + 1))
        logs = real * self._epsilons.mid + np.log(self._faded(least, spread) * _UP)
        return float((logs * self._weights).sum())

    @abstractmethod
    def _faded(self, least: np.ndarray, spread: np.ndarray) -> np.ndarray:
        """Return the size of the moment over e^(s epsilon), from bounds on r and (1-r)/(2s+1)."""


class LaplaceLosses(_ManyLosses):
    """Laplace events by epsilon = sensitivity / scale.

    Half of the mass sits at epsilon, half of e^-epsilon at -epsilon, and between them lies the
    density e^((x - epsilon)/2) / 4.  With r = e^(-(2s+1) epsilon) the moment is
    e^(s epsilon) (1 - (1 - r) s/(2s+1)).
    """

    def __init__(self, counts: Mapping[float, int]) -> None:
        super().__init__(counts)
        self._crowd: Crowd | None = None
        if len(counts) > _MANY:
            self._crowd = Crowd(self._epsilons.mid[:, 0], self._weights[:, 0])

    def log_moment(self, s: Disc) -> Disc:
        """Add up the members; of very many, groups of neighbours and how they differ."""
        if self._crowd is None:
            return super().log_moment(s)
        centres = Disc(self._crowd.centres[:, None], self._crowd.centres[:, None] * 2.0**-51)
        logs = s * centres + self._log_below(s, centres)
        total = (logs * self._crowd.weights[:, None]).sum(axis=0) + self._crowd.correction(s)
        return total if np.isfinite(total.rad).all() else super().log_moment(s)

    def _log_below(self, s: Disc, epsilon: Disc) -> Disc:
        """Return ln(1 - (1 - r) s/(2s+1)), in plain arithmetic where most of the time goes.

        abs(r) <= 1 and abs(s/(2s+1)) <= 1, so the exponent's error carries over at full size and
        all other roundings come to less than 64 units.
        """
        width = 2 * s.mid + 1
        ratio = np.exp(-width * epsilon.mid)
        size = 1 - (1 - ratio) * (s.mid / width)
        reach = np.abs(width)
        carried = reach * (epsilon.rad + 8 * _UNIT * epsilon.mid) + 4 * s.rad * (epsilon.mid + 1)
        return Disc(size, (carried + 64 * _UNIT) * _UP).log()

    def _faded(self, least: np.ndarray, spread: np.ndarray) -> np.ndarray:
        return np.asarray((1 + least + spread) / 2)

    def atoms(self, most: int) -> list[Atoms] | None:
        """Return the two ends of each."""
        if not few_values(2, self._counts.values(), most):
            return None
        return [_ends(Disc.of(epsilon), count) for epsilon, count in self._counts.items()]


def _ends(epsilon: Disc, count: int) -> Atoms:
    masses = Disc.joined([Disc(0.5), 0.5 * (-epsilon).exp()])
    return Atoms(Disc.joined([epsilon, -epsilon]), masses, count)


class BoundedRangeLosses(_ManyLosses):
    """Exponential mechanisms by epsilon, each possibly chosen after seeing the others' results.

    A pair of bounded range has its losses within some [t - epsilon, t]; at a threshold y the
    worst has them at the two ends :cite:p:`dong2020optimal`, and the worst t is (epsilon + y)/2,
    which gives delta(y) = (e^(epsilon/2) - e^(y/2))^2 / (e^epsilon - 1).  This is the profile of a
    loss with the density e^((epsilon + x)/2) / (2 (e^epsilon - 1)) on (-epsilon, epsilon), which
    therefore dominates every mechanism of bounded range.  With r = e^(-(2s+1) epsilon) its moment
    is e^(s epsilon) (1 - r) / ((2s+1) (1 - e^-epsilon)).
    """

    def _log_below(self, s: Disc, epsilon: Disc) -> Disc:
        width = 2 * s + 1
        return ((-width * epsilon).expm1() / (-epsilon).expm1() / width).log()

    def _faded(self, least: np.ndarray, spread: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return np.asarray(spread / -np.expm1(-self._epsilons.mid))
