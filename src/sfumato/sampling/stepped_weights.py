"""A distribution on the integers, cut into steps that are drawn by one inverse CDF.

The magnitudes are cut into cells of 2^shift members; over each cell the weight is a *floor*, equal
for all its members, plus a *box* on top of the floor that the true weight fills in part.  Floors
and boxes are the components; the cells too far out to have components of their own are the tail.
Everything here is exact: a probability is a ball at the precision in force, a decision is taken by
as many bits and as fine balls as it needs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, repeat
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, ctx

from sfumato.errors import InternalError
from sfumato.numeric import as_ball, cached_property, working_precision
from sfumato.sampling.uniform import LazyUniform

if TYPE_CHECKING:
    from fractions import Fraction

    from flint import fmpz
    from numpy.typing import NDArray

    from sfumato.sampling.source import BitSource


#: The base-2 logarithm of how many cells a scale spans, rounded down.
_CELLS_A_SCALE = 5
_BITS = 160
_WORD = 64
#: The bits of the greatest value of a component; one of the tail has a few more.
_NARROW = 58


@dataclass(frozen=True)
class SteppedWeights:
    """A distribution on the integers: a value x >= 0 has the weight of the magnitude x.

    A value x < 0 has the weight of the magnitude -1 - x + ``below``.

    Parameters
    ----------
    decay
        The weights of the magnitudes.
    below
        The magnitude of -1: 1 for a distribution that is symmetric around 0, 0 for one around -1/2,
        None for a distribution without negative values.
    """

    decay: Decay
    below: int | None

    @cached_property
    def shift(self) -> int:
        """The base-2 logarithm of how many members a cell has."""
        return max(0, int(self.decay.scale).bit_length() - 1 - _CELLS_A_SCALE)

    @cached_property
    def members(self) -> int:
        """How many magnitudes a cell has."""
        return 1 << self.shift

    @cached_property
    def cells(self) -> int:
        """How many cells of each sign have components of their own."""
        return 1 + int(self.decay.reach * self.decay.scale) // self.members

    @cached_property
    def wide(self) -> bool:
        """Whether values are too great for 64-bit integers, with room for those of the tail."""
        return self.shift + self.cells.bit_length() > _NARROW

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The cell c of each component, as -1 - c for negative values; floors before boxes."""
        cells = np.arange(self.cells)
        floors = np.concatenate([cells, ~cells][: len(self._signs)])
        return np.tile(floors, 1 if self.shift == 0 else 2)

    @cached_property
    def first_box(self) -> int:
        """The index of the first component that is a box."""
        return self.cells * len(self._signs)

    @cached_property
    def starts(self) -> NDArray[Any]:
        """For each component the value whose exclusive or with a member's number is that member."""
        codes: NDArray[Any] = self.codes.astype(object) if self.wide else self.codes
        return np.asarray(np.where(codes < 0, ~(~codes << self.shift), codes << self.shift))

    @cached_property
    def thresholds(self) -> NDArray[np.uint64]:
        """The cumulative probabilities of the components in units of 2^-64, rounded down.

        One that lies at a whole unit within the precision may be rounded down once more; so a
        cumulative probability is at least its threshold, and less than two units above.
        """
        with working_precision(_BITS):
            masses = self._masses()
            unit = arb(2) ** _WORD / self._total(masses)
            floors = [_whole((total * unit).lower().floor()) for total in accumulate(masses)]
        return np.array([min(each, (1 << _WORD) - 1) for each in floors], dtype=np.uint64)

    def cumulative(self, index: int) -> arb:
        """Return the probability of the components up to an index, at the precision in force."""
        masses = self._masses()
        return sum(masses[: index + 1], arb(0)) / self._total(masses)

    def component(self, word: int, source: BitSource) -> int:
        """Return the component that a uniform number falls in, given its first 64 bits.

        It is the number of components whose cumulative probabilities are not above; those that 64
        bits do not tell apart are told apart by more bits and finer balls.
        """
        lazy = LazyUniform(source, prefix=word, bits=_WORD)
        low = int(np.searchsorted(self.thresholds, np.uint64(max(word, 1) - 1), side="left"))
        high = int(np.searchsorted(self.thresholds, np.uint64(word), side="right"))
        while low < high and not lazy.below(partial(self.cumulative, low)):
            low += 1
        return low

    def filled(self, code: int, member: int) -> arb:
        """Return the share of its cell's box that the weight of a member fills."""
        sign, cell = (self._signs[-1], ~code) if code < 0 else (0, code)
        if member in {0, self.members - 1}:
            return arb(1 if member == 0 else 0)
        floor = self._edge(sign, cell, self.members - 1)
        return (self._edge(sign, cell, member) - floor) / (self._edge(sign, cell) - floor)

    def from_tail(self, source: BitSource) -> tuple[int, bool]:
        """Return a value of a cell beyond the components, and whether it is accepted."""
        negative = len(self._signs) > 1 and LazyUniform(source).below(self._negative_tail)
        sign, cell = self._signs[-1 if negative else 0], self.cells
        while not LazyUniform(source).below(partial(self._share_of_first, sign, cell)):
            cell += 1
        member = source.integer(self.shift) if self.shift else 0
        value = (cell << self.shift) + member
        accepted = LazyUniform(source).below(
            lambda: self._edge(sign, cell, member) / self._edge(sign, cell)
        )
        return (~value if negative else value), accepted

    @cached_property
    def _signs(self) -> tuple[int, ...]:
        """For each sign the least magnitude it has."""
        return (0,) if self.below is None else (0, self.below)

    def _masses(self) -> list[arb]:
        """Return the unnormalised masses of the components, a member's weight as the unit."""
        inner = self._edges(0)
        if self.shift == 0:
            return inner
        outer = self._edges(self.members - 1)
        return outer + [high - low for high, low in zip(inner, outer, strict=True)]

    def _edges(self, member: int) -> list[arb]:
        """Return the weights of one member of every cell, those of equal signs computed once."""
        found = {
            sign: self.decay.weights(sign + member, self.members, self.cells)
            for sign in self._signs
        }
        return [weight for sign in self._signs for weight in found[sign]]

    def _edge(self, sign: int, cell: int, member: int = 0) -> arb:
        return self.decay.weight(sign + cell * self.members + member)

    def _tails(self) -> list[arb]:
        """Return for each sign the unnormalised mass of the cells without components."""
        first = self.cells * self.members
        found = {sign: self.decay.beyond(sign + first, self.members) for sign in self._signs}
        return [found[sign] for sign in self._signs]

    def _total(self, masses: list[arb]) -> arb:
        return sum(masses, arb(0)) + sum(self._tails(), arb(0))

    def _negative_tail(self) -> arb:
        """Return how likely a value of the tail is negative."""
        tails = self._tails()
        return tails[-1] / sum(tails, arb(0))

    def _share_of_first(self, sign: int, cell: int) -> arb:
        """Return how likely a cell is among itself and those farther out."""
        first = sign + cell * self.members
        return self.decay.weight(first) / self.decay.beyond(first, self.members)


def _whole(ball: arb) -> int:
    found: fmpz | None = ball.unique_fmpz()
    if found is None:
        raise InternalError("E-INTERNAL", "a floor of a lower end was no single integer")
    return int(found)


_TERMS_AT_ONCE = 64


class Decay(ABC):
    """Weights of the magnitudes 0, 1, 2, …, falling, and by ever greater or equal ratios.

    Attributes
    ----------
    scale
        The magnitude over which the weight falls by a factor of about e.
    reach
        How many scales hold all but 2^-32 of the weight.
    """

    scale: Fraction
    reach: int

    @cached_property
    def _near(self) -> float:
        return float(self.scale)

    @abstractmethod
    def weight(self, at: int) -> arb:
        """Return a ball around the weight of a magnitude, at the precision in force."""

    def weights(self, start: int, step: int, count: int) -> list[arb]:
        """Return the weights of so many magnitudes in equal steps."""
        return [self.weight(start + index * step) for index in range(count)]

    @abstractmethod
    def drop(self, start: Any, distance: Any) -> Any:
        """Return ln(weight(start) / weight(start + distance)) in floats, to a relative 2^-44.

        Takes floats, or arrays of them.
        """

    def beyond(self, start: int, step: int) -> arb:
        """Return a ball around the sum of the weights in equal steps, without end.

        The terms are added until a geometric series bounds the rest below the precision in force.
        """
        total, count = arb(0), _TERMS_AT_ONCE
        while True:
            *terms, last, following = self.weights(start, step, count + 1)
            total += sum(terms, arb(0))
            rest = last / (1 - following / last)
            if rest < total * arb(2) ** -ctx.prec:
                return total + rest.union(arb(0))
            start, total = start + count * step, total + last


@dataclass(frozen=True)
class ExponentialDecay(Decay):
    """The weight exp(-a/scale)."""

    scale: Fraction
    reach = 23

    def weight(self, at: int) -> arb:
        """Return exp(-at/scale)."""
        return (-as_ball(at / self.scale)).exp()

    def weights(self, start: int, step: int, count: int) -> list[arb]:
        """Return the weights as powers of one ratio."""
        ratio = self.weight(step)
        return list(accumulate(repeat(ratio, count - 1), mul, initial=self.weight(start)))

    def drop(self, start: Any, distance: Any) -> Any:  # noqa: ARG002 - the same everywhere
        """Return distance/scale."""
        return distance / self._near

    def beyond(self, start: int, step: int) -> arb:
        """Return the geometric series in closed form."""
        return self.weight(start) / -(-as_ball(step / self.scale)).expm1()


@dataclass(frozen=True)
class GaussianDecay(Decay):
    """The weight exp(-a²/(2 scale²))."""

    scale: Fraction
    reach = 7

    def weight(self, at: int) -> arb:
        """Return exp(-at²/(2 scale²))."""
        return self.weights(at, 1, 1)[0]

    def weights(self, start: int, step: int, count: int) -> list[arb]:
        """Return the weights, with the scale read once."""
        rate = as_ball(-1 / (2 * self.scale**2))
        return [(rate * at**2).exp() for at in range(start, start + count * step, step)]

    def drop(self, start: Any, distance: Any) -> Any:
        """Return distance (2 start + distance) / (2 scale²)."""
        return (distance / self._near) * ((2 * start + distance) / self._near) / 2


@dataclass(frozen=True)
class GaussianCells(Decay):
    """The probability that a Gaussian of deviation ``scale`` has a magnitude in [a, a+1).

    The scale is at least 2^40, so that a weight differs from the density in the middle of its
    cell by less than a relative 2^-70.
    """

    scale: Fraction
    reach = 7

    def weight(self, at: int) -> arb:
        """Return erfc(at/(√2 scale)) - erfc((at+1)/(√2 scale))."""
        with working_precision(ctx.prec + 2 * int(self.scale).bit_length()):
            root = as_ball(self.scale) * arb(2).sqrt()
            return (at / root).erfc() - ((at + 1) / root).erfc()

    def drop(self, start: Any, distance: Any) -> Any:
        """Return distance (2 start + 1 + distance) / (2 scale²): between the cells' middles."""
        return (distance / self._near) * ((2 * start + 1 + distance) / self._near) / 2
