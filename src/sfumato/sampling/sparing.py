"""Very many draws of little each: one or two bytes decide nearly all, and more bits the others.

The draws are as exact as those of one word each, and several times as fast where there are
hundreds of millions of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.sampling.coin import bernoulli
from sfumato.sampling.reading import read_size, read_source
from sfumato.sampling.uniform import uniform_below

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.sampling.source import BitSource

__all__ = ["each_below", "many_below", "many_coins"]

_BYTE = 1 << 8
#: Draws at a time, so that their bytes stay in the processor's cache.
_CHUNK = 1 << 17
#: Up to these bounds words of 16 and of 32 bits will do: few of them are drawn again.
_SMALL, _LARGE = 1 << 11, 1 << 31


def many_coins(
    probability: Fraction, size: int, *, source: BitSource | None = None
) -> NDArray[np.bool_]:
    """Toss very many coins that fall true with exactly the given probability.

    A byte decides, but for one in 256: that one is the first byte of a number whose other bits
    are a coin of their own.

    Parameters
    ----------
    probability
        A fraction from 0 to 1.
    size
        How many to toss.
    source
        Where random bits come from; the operating system, unless said otherwise.
    """
    bits, fair = read_source(source), Fraction(probability) * _BYTE
    whole, rest = int(fair), fair - int(fair)
    heads = np.empty(read_size(size), dtype=np.bool_)
    for start in range(0, len(heads), _CHUNK):
        part = heads[start : start + _CHUNK]
        drawn = bits.read(len(part))
        np.less(drawn, whole, out=part)
        if rest:
            open_ones = np.flatnonzero(drawn == whole)
            part[open_ones] = bernoulli(rest, len(open_ones), source=bits)
    return heads


def many_below(bound: int, size: int, *, source: BitSource | None = None) -> NDArray[np.int64]:
    """Return very many integers drawn uniformly from 0, 1, ..., bound - 1.

    Parameters
    ----------
    bound
        A whole number of 1 or more, up to 2**63.
    size
        How many to draw.
    source
        Where random bits come from; the operating system, unless said otherwise.
    """
    if bound > _LARGE:
        return uniform_below(bound, size, source=source)
    bits, drawn = read_source(source), np.empty(read_size(size), dtype=np.int64)
    for start in range(0, len(drawn), _CHUNK):
        part = drawn[start : start + _CHUNK]
        part[:] = each_below([bound], len(part), source=bits)[0]
    return drawn


def each_below(
    bounds: Sequence[int], size: int, *, source: BitSource | None = None
) -> NDArray[np.unsignedinteger[Any]]:
    """Return a row of uniform integers for each of some bounds, all below their bound.

    An integer is the whole part of bound · word/2**16; a word whose remainder is among the few
    that would make some integers likelier is drawn again :cite:p:`lemire2019fast`.

    Parameters
    ----------
    bounds
        Whole numbers from 1 to 2**31; above 2,048 a word has 32 bits.
    size
        How many to draw below each.
    source
        Where random bits come from; the operating system, unless said otherwise.
    """
    bits, words = read_source(source), _Words(16 if max(bounds) <= _SMALL else 32)
    scales = np.array(bounds, dtype=words.product)[:, None]
    drawn = words.scaled(scales, size, bits)
    late = np.flatnonzero(words.biased(drawn, scales))
    while late.size:
        again = words.scaled(scales[late // size], 1, bits)
        drawn.ravel()[late] = again.ravel()
        late = late[words.biased(again, scales[late // size]).ravel()]
    return np.asarray(drawn >> words.width, dtype=words.word)


@dataclass(frozen=True)
class _Words:
    """Words of so many bits, and their products with bounds."""

    width: int

    @property
    def word(self) -> np.dtype[Any]:
        return np.dtype(f"u{self.width // 8}")

    @property
    def product(self) -> np.dtype[Any]:
        return np.dtype(f"u{self.width // 4}")

    def scaled(self, scales: NDArray[Any], size: int, source: BitSource) -> NDArray[Any]:
        words = source.read(len(scales) * size * self.word.itemsize).view(self.word)
        return np.asarray(np.multiply(words.reshape(-1, size), scales, dtype=self.product))

    def biased(self, products: NDArray[Any], scales: NDArray[Any]) -> NDArray[np.bool_]:
        few = np.array(2**self.width % scales, dtype=self.word)
        return np.asarray(products.astype(self.word) < few)
