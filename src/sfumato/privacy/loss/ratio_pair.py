"""The loss of a pair of finite distributions, in rationals throughout."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import Disc, Ln, as_ball
from sfumato.privacy.loss.base import LossLattice
from sfumato.privacy.loss.finite import FiniteLoss

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


#: Up to so many values are looked for a lattice, with numbers of at most so many bits.
_FEW_RATIOS, _SHORT = 64, 512


@dataclass(frozen=True, eq=False)
class RatioPair:
    """Two distributions by the ratios of their probabilities.

    Attributes
    ----------
    ratios
        The finite ratios p/q above 0, each once, the greatest first.
    masses
        What p gives to each.
    lost
        What p gives to outcomes that are impossible under q.
    """

    ratios: tuple[Fraction, ...]
    masses: tuple[Fraction, ...]
    lost: Fraction

    @classmethod
    def of(cls, p: Iterable[Fraction], q: Iterable[Fraction]) -> RatioPair:
        """Return a pair, given by the probabilities of the same outcomes."""
        masses: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        lost = Fraction(0)
        for here, there in zip(p, q, strict=True):
            if there == 0:
                lost += here
            elif here:
                masses[here / there] += here
        ratios = tuple(sorted(masses, reverse=True))
        return cls(ratios, tuple(masses[each] for each in ratios), lost)

    @property
    def greatest(self) -> Fraction | None:
        """The greatest ratio, at least 1; None where it is infinite."""
        return None if self.lost else max([*self.ratios[:1], Fraction(1)])

    def excess(self, odds: Fraction) -> Fraction:
        """Return the sum of max(0, p - odds q), exactly."""
        total = self.lost
        for ratio, mass in zip(self.ratios, self.masses, strict=True):
            if ratio <= odds:
                break
            total += mass - odds * (mass / ratio)
        return total

    def excess_ball(self, level: arb) -> arb:
        """Return the same for odds of e^level."""
        odds, total = level.exp(), as_ball(self.lost)
        for ratio, mass in zip(self.ratios, self.masses, strict=True):
            gain = as_ball(mass) - odds * as_ball(mass / ratio)
            if gain < 0:
                break
            total += gain.max(0)
        return total

    def odds_at(self, delta: Fraction) -> Fraction | None:
        """Return the least odds of 1 or more at which the excess is at most δ; None if none are.

        Between two ratios the excess is P - odds Q for the sets of all greater ones, so it is the
        greatest (P - δ)/Q over these.
        """
        if self.lost > delta:
            return None
        odds, here, there = Fraction(1), self.lost, Fraction(0)
        for ratio, mass in zip(self.ratios, self.masses, strict=True):
            here, there = here + mass, there + mass / ratio
            odds = max(odds, (here - delta) / there)
        return odds

    def renyi_ball(self, order: Fraction) -> arb:
        """Return the Rényi divergence of an order above 1."""
        if self.lost:
            return arb.pos_inf()
        above = as_ball(order - 1)
        terms = zip(self.ratios, self.masses, strict=True)
        powers = (as_ball(mass) * (above * as_ball(ratio).log()).exp() for ratio, mass in terms)
        return (sum(powers, arb(0)).log() / above).max(arb(0))

    def loss(self) -> FiniteLoss:
        """Return the privacy loss, by its values."""
        values = _listed([Ln(each) for each in self.ratios])
        return FiniteLoss(values, _listed(self.masses), self.lost, _lattice(self.ratios))


def _listed(numbers: Sequence[Fraction | Ln]) -> Disc:
    column = Disc.stack(numbers)
    return Disc(column.mid.ravel(), column.rad.ravel())


def worst_pair(pairs: Sequence[RatioPair]) -> RatioPair:
    """Return the pair whose excess, at odds of 1 or more, is the greatest of those of several.

    Below 1 it is what the symmetry of the relation makes of it: the excess f has
    f(t) = 1 - t + t f(1/t), so that losses come in pairs of opposite sign, with odds between their
    masses.  The greatest of several excesses is convex with them, and a pair has it
    :cite:p:`zhu2022`.  Its corners are those of the single ones, and where two of them cross.

    Parameters
    ----------
    pairs
        Together they have to be symmetric: each pair with its mirror image, or a sample of such.
    """
    odds = sorted({Fraction(1), *(each for pair in pairs for each in pair.ratios if each > 1)})
    curves = [_excesses(pair, odds) for pair in pairs]
    corners = [(Fraction(1), max(line[0] for line in curves))]
    for place, (start, end) in enumerate(pairwise(odds)):
        corners += _upper_chords([line[place : place + 2] for line in curves], start, end)
    slopes = [(high - low) / (end - start) for (start, low), (end, high) in pairwise(corners)]
    bends = zip(corners[1:], pairwise([*slopes, Fraction(0)]), strict=True)
    above = [(ratio, after - before) for (ratio, _), (before, after) in bends if after > before]
    lost = corners[-1][1]
    even = 1 - lost - sum(mass * (ratio + 1) for ratio, mass in above)
    listed = [
        *((ratio, ratio * mass) for ratio, mass in reversed(above)),
        *([(Fraction(1), even)] if even else []),
        *((1 / ratio, mass) for ratio, mass in above),
    ]
    return RatioPair(tuple(ratio for ratio, _ in listed), tuple(mass for _, mass in listed), lost)


def _excesses(pair: RatioPair, odds: Sequence[Fraction]) -> list[Fraction]:
    """Return the excess at rising odds, going through them from the greatest down."""
    values, here, there, place = [], pair.lost, Fraction(0), 0
    for each in reversed(odds):
        while place < len(pair.ratios) and pair.ratios[place] > each:
            mass = pair.masses[place]
            here, there = here + mass, there + mass / pair.ratios[place]
            place += 1
        values.append(here - each * there)
    return values[::-1]


def _upper_chords(
    ends: Sequence[Sequence[Fraction]], start: Fraction, end: Fraction
) -> list[tuple[Fraction, Fraction]]:
    """Return the corners, after the start, of the greatest of some straight lines between odds."""
    corners, width = [], end - start
    at, value = start, max(low for low, _ in ends)
    slope = max((high - low) / width for low, high in ends if low == value)
    while True:
        ahead = [
            (at + (value - _at(line, start, width, at)) / (steep - slope), steep)
            for line in ends
            if (steep := (line[1] - line[0]) / width) > slope
        ]
        near = min((point for point, _ in ahead if point < end), default=None)
        if near is None:
            break
        value, at = value + slope * (near - at), near
        slope = max(steep for point, steep in ahead if point == near)
        corners.append((at, value))
    return [*corners, (end, max(high for _, high in ends))]


def _at(line: Sequence[Fraction], start: Fraction, width: Fraction, point: Fraction) -> Fraction:
    return line[0] + (line[1] - line[0]) * (point - start) / width


def _lattice(ratios: Sequence[Fraction]) -> LossLattice | None:
    """Return the lattice on which the logarithms lie, where all are powers of one number."""
    if len(ratios) > _FEW_RATIOS or any(_bits(each) > _SHORT for each in ratios):
        return None
    sizes = [max(each, 1 / each) for each in ratios if each != 1]
    base = _common_root(sizes)
    if base is None:
        return None
    if base == 1:
        return LossLattice(Fraction(1), Fraction(0))
    powers = [_power_of(base, each) for each in ratios]
    step = reduce(gcd, (each - powers[0] for each in powers)) or abs(powers[0]) or 1
    return LossLattice(Fraction(step), Fraction(powers[0] % step), Ln(base))


def _bits(ratio: Fraction) -> int:
    return max(ratio.numerator.bit_length(), ratio.denominator.bit_length())


def _common_root(sizes: Sequence[Fraction]) -> Fraction | None:
    """Return the greatest number of which all are whole powers, by Euclid's algorithm.

    A quotient of two powers of one number has no more digits than the greater one.
    """
    root = Fraction(1)
    for each in sizes:
        one, other = max(root, each), min(root, each)
        for _ in range(_SHORT):
            if other == 1:
                break
            rest = one / other
            if _bits(rest) > _bits(one):
                return None
            one, other = max(rest, other), min(rest, other)
        if other != 1:
            return None
        root = one
    return root


def _power_of(base: Fraction, ratio: Fraction) -> int:
    if ratio < 1:
        return -_power_of(base, 1 / ratio)
    power = 0
    while ratio != 1:
        ratio, power = ratio / base, power + 1
    return power
