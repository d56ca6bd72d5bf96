"""Privacy losses, seen through their moments.

A rule is a list of nodes with weights and a bound on what it misses.  The functions are
f(x) = density(x) times a factor that grows at most as e^growth off the real axis.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc, Ln

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]


#: Half of the distance from 1 to the next float.
UNIT = 2.0**-53
#: Make up for the rounding of bounds that are computed in floats: of long sums, and of few steps.
UP, SLIGHTLY_UP = 1 + 1e-9, 1 + 1e-12
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


@dataclass(frozen=True)
class LossLattice:
    """The points ``(offset + k step) unit`` for whole k; the unit is 1 or a logarithm."""

    step: Fraction
    offset: Fraction
    unit: Ln | None = None

    @classmethod
    def along(cls, epsilon: Fraction | Ln, step: int, offset: int) -> LossLattice:
        """Return the points ``(offset + k step) epsilon``; 0 lies on every lattice."""
        if epsilon == 0:
            return cls(Fraction(1), Fraction(0))
        if isinstance(epsilon, Ln):
            return cls(Fraction(step), Fraction(offset), epsilon)
        return cls(step * epsilon, offset * epsilon)

    def repeated(self, count: int) -> LossLattice:
        """Return the lattice of the sum of so many losses."""
        return LossLattice(self.step, self.offset * count, self.unit)

    def plus(self, other: LossLattice) -> LossLattice | None:
        """Return the lattice of the sum of a loss of each, or None where there is none."""
        if self.unit != other.unit:
            return None
        step = _common_step(self.step, other.step)
        return LossLattice(step, (self.offset + other.offset) % step, self.unit)


def common_lattice(lattices: Iterable[LossLattice | None]) -> LossLattice | None:
    """Return the lattice of a sum of losses, one on each; None where there is none."""
    total: LossLattice | None = None
    for lattice in lattices:
        total = lattice if total is None or lattice is None else total.plus(lattice)
        if total is None:
            return None
    return total


def _common_step(a: Fraction, b: Fraction) -> Fraction:
    denominator = lcm(a.denominator, b.denominator)
    return Fraction(gcd(int(a * denominator), int(b * denominator)), denominator)


class TotalLosses(PrivacyLosses):
    """Independent losses of several kinds, each so many times, added up."""

    def __init__(self, parts: Mapping[PrivacyLosses, int] | Iterable[PrivacyLosses]) -> None:
        self._counts = Counter(parts)
        parts = self._counts.keys()
        self.members = sum(part.members for part in parts)
        self.real_only = any(part.real_only for part in parts)
        self.tilts = tuple(tilt for part in parts for tilt in part.tilts)
        self.ceiling = min(part.ceiling for part in parts)
        greatest = sum(part.greatest * count for part, count in self._counts.items())
        self.greatest = greatest * (1 + (len(parts) + 3) * 2.0**-52)
        self.horizon = min(part.horizon for part in parts)

    def log_moment(self, s: Disc) -> Disc:
        """Add the logarithms."""
        logs = [_times(part.log_moment(s), count) for part, count in self._counts.items()]
        return sum(logs[1:], logs[0])

    def log_envelope(self, real: float, height: float) -> float:
        """Add the bounds."""
        return sum(count * part.log_envelope(real, height) for part, count in self._counts.items())

    def cost(self, real: float, height: float) -> float:
        """Add the work."""
        return sum(part.cost(real, height) for part in self._counts)

    def cost_in_period(self) -> float:
        """Add the work."""
        return sum(part.cost_in_period() for part in self._counts)

    def log_forever(self, real: float, height: float) -> float:
        """Add the bounds without end."""
        return sum(count * part.log_forever(real, height) for part, count in self._counts.items())

    def atoms(self, most: int) -> list[Atoms] | None:
        """Return the atoms of all parts; the sum has none if one part has none."""
        found: list[Atoms] = []
        for part, count in self._counts.items():
            here = part.atoms(most)
            if here is None:
                return None
            found += [replace(each, count=each.count * count) for each in here]
        few = (few_values(each.values.mid.size, [each.count], most) for each in found)
        return found if all(few) else None

    @property
    def purely_atomic(self) -> bool:
        """Whether the atoms are all there is, in every part."""
        return all(part.purely_atomic for part in self._counts)

    def lattice(self) -> LossLattice | None:
        """Return the common lattice, where there is one."""
        return common_lattice(
            (lattice := part.lattice()) and lattice.repeated(count)
            for part, count in self._counts.items()
        )

    def exactly_lost(self) -> Fraction | None:
        """Return the probability that a part is infinite, where all know theirs."""
        kept = Fraction(1)
        for part, count in self._counts.items():
            lost = part.exactly_lost()
            if lost is None:
                return None
            kept *= (1 - lost) ** count if lost else 1
        return 1 - kept

    def log_finite(self) -> Disc | None:
        """Add the logarithms of the probabilities that all are finite."""
        found = [(part.log_finite(), count) for part, count in self._counts.items()]
        logs = [_times(log, count) for log, count in found if log is not None]
        return sum(logs[1:], logs[0]) if logs else None


def _times(log: Disc, count: int) -> Disc:
    return log if count == 1 else log * count


#: What a rule may miss, next to a total mass of 1.
MISSED = 1e-19
LOG_MISSED = math.log(MISSED)
_POINTS = 32
#: The parameters of the ellipses in which a function is bounded.
_ELLIPSES = np.geomspace(1.05, 60.0, 40)
_MOST_PANELS = 1 << 9


@dataclass(frozen=True)
class QuadratureRule:
    """Nodes and weights; the integral is their sum up to ``missed``."""

    nodes: Disc
    weights: Disc
    missed: float


def gauss_legendre(
    start: float, end: float, log_bound: Callable[[Reals, Reals, Reals], Reals]
) -> QuadratureRule:
    """Return a rule over an interval, in as many equal panels as the bound asks for.

    ``log_bound(left, right, up)`` bounds ln abs f where the real part lies between ``left`` and
    ``right`` and the imaginary part within ``up``.  In the ellipse with foci at the ends of a
    panel and sum of half axes rho (half the panel), Gauss' rule of n points misses at most
    64/15 M rho^(-2n) / (1 - rho^-2), M the greatest value there :cite:p:`trefethen2013`.
    """
    panels = 1
    while panels < _MOST_PANELS and _worst(start, end, panels, log_bound) > LOG_MISSED:
        panels *= 2
    missed = panels * math.exp(min(_worst(start, end, panels, log_bound), 700.0))
    edges = np.linspace(start, end, panels + 1)
    half = (end - start) / panels / 2
    points, weights = _points()
    nodes = (edges[:-1, None] + half + half * points).ravel()
    around = 1e-15 * (abs(start) + abs(end))
    return QuadratureRule(Disc(nodes, around), _tiled(half * weights, panels), missed)


def _worst(
    start: float, end: float, panels: int, log_bound: Callable[[Reals, Reals, Reals], Reals]
) -> float:
    """Return ln of what the rule misses in the worst panel, in the best of the ellipses."""
    half = (end - start) / panels / 2
    centre = start + half * (2 * np.arange(panels)[:, None] + 1)
    wide, tall = half * (_ELLIPSES + 1 / _ELLIPSES) / 2, half * (_ELLIPSES - 1 / _ELLIPSES) / 2
    most = log_bound(centre - wide, centre + wide, tall)
    fall = 2 * _POINTS * np.log(_ELLIPSES) + np.log1p(-(_ELLIPSES**-2.0))
    return float((most - fall + math.log(64 / 15 * half)).min(axis=1).max())


@cache
def _points() -> tuple[Reals, Reals]:
    return np.polynomial.legendre.leggauss(_POINTS)


def _tiled(weights: Reals, times: int) -> Disc:
    tiled = np.tile(weights, times)
    return Disc(tiled, tiled * 1e-14)
