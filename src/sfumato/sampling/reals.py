"""Real noise, added exactly to real values and then rounded to a public grid.

The sum of a value and continuous noise is a real number; what is returned is the multiple of a
grid nearest to it, and then the float nearest to that multiple.  Rounding comes after the sum, so
it is post-processing of the textbook's mechanism, and no sensitivity grows.  The grid depends on
the scale alone.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, ctx

from sfumato.errors import InputError
from sfumato.numeric import any_float, as_ball, exact, shown, working_precision
from sfumato.sampling.stepped_sampler import SteppedSampler
from sfumato.sampling.stepped_weights import ExponentialDecay, GaussianCells, SteppedWeights
from sfumato.sampling.uniform import LazyUniform, read_positive, read_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.sampling.source import BitSource

    Reals = NDArray[np.float64]


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
    SteppedSampler(SteppedWeights(ExponentialDecay(Fraction(CELLS)), below=0)), _laplace_above
)
_GAUSSIAN = StandardNoise(
    SteppedSampler(SteppedWeights(GaussianCells(Fraction(CELLS)), below=0)), _gaussian_above
)


#: The base-2 logarithm of how many steps of the grid a scale has, rounded down.
_STEPS_A_SCALE = 24
#: Draws at a time, and sums at a time, so that the arrays stay in the processor's cache.
_CHUNK, _PIECE = 1 << 17, 1 << 14
#: Below this size exact sums are the quicker ones.
_VERY_FEW = 8
#: Grids whose powers of two, and those of their multiples, are ordinary floats.
_ORDINARY = 900
#: Above what floats lose in a sum of fewer than 2^30 steps: 3 roundings, and the cell's width.
_MARGIN = 2.0**-20
#: What is read without rounding.
_FLOATS = (np.float16, np.float32, np.float64)
#: Cells beyond which that bound does not hold.
_FAR_CELLS = CELLS << 5


def grid(scale: Any) -> Fraction:
    """Return the grid of real noise of a scale: a power of two, about scale / 2^24.

    Examples
    --------
    >>> from sfumato.sampling import grid
    >>> grid(1)
    Fraction(1, 16777216)
    """
    return _grid(read_positive(scale))


def add_laplace(values: Reals, scale: Any, *, source: BitSource | None = None) -> Reals:
    """Return values plus independent Laplace noise, rounded to the grid of the scale.

    Parameters
    ----------
    values
        Floats in any shape; NaN counts as 0, an infinity as the largest float.
    scale
        The scale b of the density exp(-abs(x)/b)/(2b); a float is the rational it stores.
    source
        Where bits come from; the operating system's where nothing is said.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.sampling import add_laplace
    >>> add_laplace(np.zeros((2, 3)), 10).shape
    (2, 3)
    """
    return _adder(standard_laplace(), read_positive(scale)).add(values, read_source(source))


def add_gaussian(values: Reals, sigma: Any, *, source: BitSource | None = None) -> Reals:
    """Return values plus independent Gaussian noise, rounded to the grid of the deviation.

    Parameters
    ----------
    values
        Floats in any shape; NaN counts as 0, an infinity as the largest float.
    sigma
        The standard deviation; a float is the rational it stores.
    source
        Where bits come from; the operating system's where nothing is said.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.sampling import add_gaussian
    >>> add_gaussian(np.zeros(3), 10).dtype
    dtype('float64')
    """
    return _adder(standard_gaussian(), read_positive(sigma, "sigma")).add(
        values, read_source(source)
    )


def add_laplace_exactly(
    value: Fraction, scale: Any, *, step: Fraction | None = None, source: BitSource | None = None
) -> Fraction:
    """Return an exact value plus Laplace noise, as a multiple of the grid or of a given step.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.sampling import add_laplace_exactly
    >>> drawn = add_laplace_exactly(Fraction(2**70), 10, step=Fraction(1, 8))
    >>> drawn.denominator <= 8
    True
    """
    return _add_exactly(standard_laplace(), value, read_positive(scale), step, source)


def add_gaussian_exactly(
    value: Fraction, sigma: Any, *, step: Fraction | None = None, source: BitSource | None = None
) -> Fraction:
    """Return an exact value plus Gaussian noise, as a multiple of the grid or of a given step.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.sampling import add_gaussian_exactly
    >>> drawn = add_gaussian_exactly(Fraction(1, 3), 10, step=Fraction(1, 8))
    >>> drawn.denominator <= 8
    True
    """
    return _add_exactly(standard_gaussian(), value, read_positive(sigma, "sigma"), step, source)


def _add_exactly(
    noise: StandardNoise,
    value: Fraction,
    scale: Fraction,
    step: Fraction | None,
    source: BitSource | None,
) -> Fraction:
    bits, width = read_source(source), _grid(scale) if step is None else read_positive(step, "step")
    if isinstance(value, (bool, str)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "value must be a number, not {value}",
            "write Fraction(1, 3), say",
            value=shown(value),
        )
    middle, cell = exact(value, "value"), noise.cells.one(bits)
    return noise.rounded(middle, scale, width, cell, bits) * width


@dataclass(frozen=True)
class _Adder:
    """Noise of one scale, with what floats need to know of it."""

    noise: StandardNoise
    scale: Fraction
    step: Fraction

    def add(self, values: Reals, source: BitSource) -> Reals:
        given = _read_values(values)
        flat = given.ravel()
        summed = np.empty_like(flat)
        cells = np.empty(min(len(flat), _CHUNK), dtype=np.int64)
        for start in range(0, len(flat), _CHUNK):
            some = cells[: len(flat) - start]
            self.noise.cells.fill(some, source)
            for place in range(0, len(some), _PIECE):
                part = slice(start + place, start + place + _PIECE)
                finite = np.nan_to_num(flat[part])
                self._add(finite, some[place : place + _PIECE], summed[part], source)
        return summed.reshape(given.shape)

    def _add(
        self, values: Reals, cells: NDArray[np.int64], summed: Reals, source: BitSource
    ) -> None:
        """Write the rounded sums; those that floats leave open are decided exactly."""
        if len(values) < _VERY_FEW or abs(_exponent(self.step)) > _ORDINARY:
            open_sums = np.arange(len(values))
        else:
            open_sums = self._add_in_floats(values, cells, summed)
        for place in open_sums:
            value, cell = Fraction(float(values[place])), int(cells[place])
            count = self.noise.rounded(value, self.scale, self.step, cell, source)
            summed[place] = nearest_finite(count * self.step)

    def _add_in_floats(
        self, values: Reals, cells: NDArray[np.int64], summed: Reals
    ) -> NDArray[np.int64]:
        """Write the sums that floats decide, and return the places of the others.

        The multiple of the grid below a value and the number of steps to add are floats without
        error, so that their sum is the float nearest to the exact one.
        """
        step = float(self.step)
        far = np.abs(values) >= 2.0**53 * step
        near = np.where(far, 0.0, values) if far.any() else values
        steps = near * (1 / step)
        below = np.floor(steps)
        steps -= below
        steps += 0.5
        steps += cells * float(self.scale / self.step / CELLS)
        whole = np.floor(steps)
        steps -= whole
        below *= step
        whole *= step
        np.add(np.where(far, values, below) if far.any() else below, whole, out=summed)
        doubtful = np.abs(steps - 0.5) > 0.5 - _MARGIN
        doubtful |= np.abs(cells) >= _FAR_CELLS
        return np.flatnonzero(doubtful)


def nearest_finite(value: Fraction) -> float:
    """Return the finite float nearest to a rational."""
    near = any_float(value)
    return near if math.isfinite(near) else math.copysign(sys.float_info.max, near)


def _read_values(values: Any) -> Reals:
    array = np.asarray(values)
    if isinstance(values, np.ma.MaskedArray) or array.dtype not in _FLOATS:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "values must be an array of floats, not of {dtype}",
            "write np.array([1.5]), or add noise to exact numbers one by one",
            dtype=array.dtype,
        )
    return array.astype(float, copy=False)


@lru_cache(maxsize=256)
def _grid(scale: Fraction) -> Fraction:
    return Fraction(2) ** (_exponent(scale) - _STEPS_A_SCALE)


@lru_cache(maxsize=256)
def _adder(noise: StandardNoise, scale: Fraction) -> _Adder:
    return _Adder(noise, scale, _grid(scale))


def _exponent(value: Fraction) -> int:
    """Return the greatest k with 2^k <= value."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1
