"""Privacy losses, seen through their moments."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sfumato.privacy.loss.lattice import LossLattice

#: How many numbers to hold in one array.
_BLOCK = 1 << 18


@dataclass(frozen=True)
class Atoms:
    """A loss, ``count`` times over, that takes few values: the values and their P-masses."""

    values: Disc
    masses: Disc
    count: int


class PrivacyLosses(ABC):
    """The sum of independent privacy losses of one kind, known by the moments of each.

    With P and Q the output distributions on two neighbouring tables, the loss is L = ln dP/dQ
    under P, and its moment at s is M(s) = E_P[e^(sL); L finite].  The moments of independent
    losses multiply, so the logarithms add.
    """

    #: How many different losses are added.
    members: int = 1
    #: The greatest real part at which moments are computed without overflow.
    ceiling: float = math.inf
    #: How far up the imaginary axis the envelope holds.
    horizon: float = math.inf

    #: Whether only bounds on real moments are known.
    real_only: bool = False
    #: Real points at which the moments are known best, where there are such.
    tilts: tuple[float, ...] = ()
    #: No finite loss is above this.
    greatest: float = math.inf

    @abstractmethod
    def log_moment(self, s: Disc) -> Disc:
        """Return ln M(s) of the sum at points of positive real part, to be read through exp."""

    def log_on_axis(self, real: float) -> float:
        """Return an upper bound on ln M(real)."""
        return upper_log(self.log_moment(Disc(np.array([real]))))

    def log_envelope(self, real: float, height: float) -> float:  # noqa: ARG002
        """Return an upper bound on ln abs M(real + it), for all t from ``height`` to horizon.

        Without more knowledge that is the moment on the axis: single values never fade.
        """
        return self.log_on_axis(real)

    def cost(self, real: float, height: float) -> float:  # noqa: ARG002
        """Return how much work a moment is at a point."""
        return self.members

    def cost_in_period(self) -> float:
        """Return how much work a moment is at each point of a whole period of the lattice."""
        return self.members

    def log_forever(self, real: float, height: float) -> float:
        """Return an upper bound on ln abs M(real + it), for all t from ``height`` on."""
        if math.isinf(self.horizon):
            return self.log_envelope(real, height)
        return self.log_on_axis(real)

    def atoms(self, most: int) -> list[Atoms] | None:  # noqa: ARG002
        """Return what sits on single values; None if nothing does, or on more than ``most``."""
        return None

    @property
    def purely_atomic(self) -> bool:
        """Whether the atoms are all there is."""
        return False

    def lattice(self) -> LossLattice | None:
        """Return the lattice that all finite losses lie on, where there is one."""
        return None

    def exactly_lost(self) -> Fraction | None:
        """Return the probability that the loss is infinite, where it is known exactly."""
        return Fraction(0) if self.log_finite() is None else None

    def log_finite(self) -> Disc | None:
        """Return ln of the probability that the loss is finite; None where it is 1."""
        return None


def blockwise(
    s: Disc, members: int, log_moment: Callable[[Disc, slice], Disc], each: int = 1
) -> Disc:
    """Return the sum over members of their logarithms at s, a block of both at a time.

    ``each`` says how many numbers a member needs at one point.
    """
    points = max(1, _BLOCK // each)
    return piecewise(s, points, lambda piece: _over_members(piece, members, log_moment, each))


def piecewise(s: Disc, points: int, log_moment: Callable[[Disc], Disc]) -> Disc:
    """Return logarithms of moments, so many points at a time."""
    pieces = [s[start : start + points] for start in range(0, s.mid.size, points)]
    return Disc.joined([log_moment(piece) for piece in pieces])


def _over_members(
    s: Disc, members: int, log_moment: Callable[[Disc, slice], Disc], each: int
) -> Disc:
    rows = max(1, _BLOCK // (s.mid.size * each))
    parts = [log_moment(s, slice(start, start + rows)) for start in range(0, members, rows)]
    return sum(parts[1:], parts[0])


def few_values(kinds: int, counts: Iterable[int], most: int) -> bool:
    """Tell whether a sum has at most so many values: of each count, losses of ``kinds`` values."""
    values = 1
    for count in counts:
        values *= math.comb(count + kinds - 1, kinds - 1)
        if values > most:
            return False
    return True


def short(value: float) -> float:
    """Round down to a float of 20 bits, so that its multiples are exact."""
    mantissa, exponent = math.frexp(value)
    return math.ldexp(math.floor(mantissa * 2**20), exponent - 20)


def upper_log(value: Disc) -> float:
    """Return an upper bound on ln of the size of what a disc of a logarithm stands for."""
    bound = float((value.mid.real + value.rad).max())
    return math.inf if math.isnan(bound) else bound
