"""Standard real noise, drawn as a cell of width 2^-52 and refined within it when needed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from flint import arb, ctx

from sfumato.numeric import as_ball, working_precision
from sfumato.sampling.decays import ExponentialDecay, GaussianCells
from sfumato.sampling.lazy import LazyUniform
from sfumato.sampling.stepped import SteppedSampler
from sfumato.sampling.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.sampling.source import BitSource

__all__ = ["CELLS", "StandardNoise", "standard_gaussian", "standard_laplace"]

#: How many cells there are to a unit of the noise.
CELLS = 1 << 52
#: The bits that a difference of probabilities over one cell may lose.
_GUARD = 160


@dataclass(frozen=True)
class StandardNoise:
    """A distribution that is symmetric around 0, whose draws are cells [k, k+1) / 2^52.

    Parameters
    ----------
    cells
        Draws the cell's number k.
    survival
        The probability of a value above a non-negative number, in balls.
    """

    cells: SteppedSampler
    survival: Callable[[arb], arb]

    def rounded(
        self, value: Fraction, scale: Fraction, step: Fraction, cell: int, source: BitSource
    ) -> int:
        """Return the multiple of ``step`` nearest to value + scale·Z, for a Z in a given cell.

        Where the cell leaves several multiples possible, the place of Z within the cell is
        refined until one remains: the answer has the exact distribution.
        """
        middle, width = value / step + Fraction(1, 2), _steps_a_cell(scale, step)
        low, high = (_floor_of_sum(middle, width, end) for end in (cell, cell + 1))
        lazy = LazyUniform(source)
        while low < high:
            tried = (low + high + 1) // 2
            bound = (tried - middle) * step / scale
            if lazy.below(partial(self._share_above, bound, cell)):
                low = tried
            else:
                high = tried - 1
        return low

    def _share_above(self, bound: Fraction, cell: int) -> arb:
        """Return the probability of a value of at least ``bound``, given its cell."""
        with working_precision(ctx.prec + _GUARD):
            if cell < 0:
                return 1 - self._share_beyond(-bound, -1 - cell)
            return self._share_beyond(bound, cell)

    def _share_beyond(self, bound: Fraction, cell: int) -> arb:
        inner, outer = self._above(Fraction(cell, CELLS)), self._above(Fraction(cell + 1, CELLS))
        share = (self._above(bound) - outer) / (inner - outer)
        return share.max(arb(0)).min(arb(1))

    def _above(self, at: Fraction) -> arb:
        return self.survival(as_ball(at))


def standard_laplace() -> StandardNoise:
    """Return the distribution of density exp(-abs(z))/2."""
    return _LAPLACE


def standard_gaussian() -> StandardNoise:
    """Return the distribution of density exp(-z²/2)/√(2π)."""
    return _GAUSSIAN


@lru_cache(maxsize=256)
def _steps_a_cell(scale: Fraction, step: Fraction) -> Fraction:
    return scale / step / CELLS


def _floor_of_sum(start: Fraction, width: Fraction, count: int) -> int:
    """Return the floor of start + width·count, in integers alone."""
    whole = start.denominator * width.denominator
    return (
        start.numerator * width.denominator + width.numerator * count * start.denominator
    ) // whole


def _laplace_above(at: arb) -> arb:
    return (-at).exp() / 2


def _gaussian_above(at: arb) -> arb:
    return (at / arb(2).sqrt()).erfc() / 2


_LAPLACE = StandardNoise(
    SteppedSampler(Steps(ExponentialDecay(Fraction(CELLS)), below=0)), _laplace_above
)
_GAUSSIAN = StandardNoise(
    SteppedSampler(Steps(GaussianCells(Fraction(CELLS)), below=0)), _gaussian_above
)
