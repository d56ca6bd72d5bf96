"""Losses of Laplace noise and of bounded-range choices: an exponential body below epsilon."""

from __future__ import annotations

import math
from abc import abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.base import (
    SLIGHTLY_UP,
    UNIT,
    UP,
    Atoms,
    LossLattice,
    PrivacyLosses,
    blockwise,
    few_values,
)
from sfumato.privacy.loss.finite import FiniteLoss

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]


class DiscreteLaplaceLosses(PrivacyLosses):
    """Noise of P(k) ∝ e^(-abs(k)/scale), shifted by whole steps.

    The loss is epsilon = shift/scale below the first centre, -epsilon above the second, and falls
    by 2/scale a step between.  With a = e^(-1/scale) and r = e^(-(2s+1)/scale) the moment is
    e^(s epsilon) (1 + r^shift + (1-a) (r - r^shift)/(1-r)) / (1+a).
    """

    def __init__(self, scale: Fraction, shift: int) -> None:
        self._scale, self._shift = scale, shift
        self._rate, self._epsilon = Disc.of(1 / scale), Disc.of(Fraction(shift) / scale)
        self.greatest = float(Fraction(shift) / scale) * (1 + 1e-15)
        self.horizon = math.pi / 2 * float(scale)

    def log_moment(self, s: Disc) -> Disc:
        """Return s epsilon and the logarithm of the two ends and the series between them."""
        width = 2 * s + 1
        ratio, last = (-width * self._rate).exp(), (-width * self._epsilon).exp()
        series = (-self._rate).expm1() * (ratio - last) / (-width * self._rate).expm1()
        size = (1 + last + series) / (1 + (-self._rate).exp())
        return s * self._epsilon + size.log()

    def log_envelope(self, real: float, height: float) -> float:
        """Return the ends at full size, and the series over what its ratio keeps from 1."""
        rate, epsilon, width = float(self._rate.mid), float(self._epsilon.mid), 2 * real + 1
        ratio, last = math.exp(-width * rate), math.exp(-width * epsilon)
        apart = 2 * math.sqrt(ratio) * math.sin(min(height * rate, math.pi / 2))
        series = -math.expm1(-rate) * (ratio + last) / max(apart, -math.expm1(-width * rate))
        size = (1 + last + series) / (1 + math.exp(-rate))
        bound = real * epsilon + math.log(size * SLIGHTLY_UP)
        return min(bound, self.log_on_axis(real))

    def lattice(self) -> LossLattice:
        """Return steps of 2/scale."""
        return LossLattice(2 / self._scale, self._shift / self._scale)


def discrete_laplace(scale: Fraction, shift: int) -> FiniteLoss:
    """Return the loss of one such event by its values: shift + 1 of them."""
    rate = Disc.of(1 / scale)
    steps = np.arange(shift + 1.0)
    masses = (-rate * steps).exp()
    inner = masses[1:-1] * -(-rate).expm1()
    whole = 1 + (-rate).exp()
    values = rate * (shift - 2 * steps)
    return FiniteLoss(values, Disc.joined([masses[:1], inner, masses[-1:]]) / whole)


#: How many neighbours in epsilon are taken together: so many groups of them are made.
_GROUPS = 512


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
        self._third = np.add.reduceat(weights * away**3, starts) / 6 * UP
        self._reach = np.maximum.reduceat(away, starts) * UP

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


#: From how many different members on neighbours are taken together.
_MANY = 1 << 10


class _ManyLosses(PrivacyLosses):
    """Many losses of one kind, each known by an epsilon that it never exceeds."""

    def __init__(self, counts: Mapping[float, int]) -> None:
        self._counts = dict(counts)
        self._epsilons = Disc.stack(list(counts))
        self._weights = np.array(list(counts.values()), dtype=float).reshape(-1, 1)
        self.members = len(self._counts)
        self.greatest = float((self._epsilons.mid * self._weights).sum()) * SLIGHTLY_UP

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
        logs = real * self._epsilons.mid + np.log(self._faded(least, spread) * SLIGHTLY_UP)
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
        carried = reach * (epsilon.rad + 8 * UNIT * epsilon.mid) + 4 * s.rad * (epsilon.mid + 1)
        return Disc(size, (carried + 64 * UNIT) * SLIGHTLY_UP).log()

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
