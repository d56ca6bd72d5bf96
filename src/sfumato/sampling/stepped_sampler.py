"""Draws from a stepped distribution: one short word picks the outcome, in nearly all cases.

A 16-bit word picks a floor in all but a few per cent of cases, and the member of its cell is
uniform: one table look-up and one exclusive or.  The other cases draw 64 bits more; a box is
accepted by the true ratio, or all is drawn again; and where the bits fall on a boundary, balls and
more bits decide.  Nothing is rounded: the distribution is the true one.

The draws are as exact as those of one word each, and several times as fast where there are
hundreds of millions of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sfumato.numeric import cached_property
from sfumato.sampling.coin import bernoulli
from sfumato.sampling.uniform import LazyUniform, read_size, read_source, uniform_below

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from sfumato.sampling.source import BitSource
    from sfumato.sampling.stepped_weights import SteppedWeights

    Words = NDArray[np.uint64]


#: Draws whose open cases are resolved together.
_CHUNK = 1 << 18
#: Draws looked up at a time, so that the arrays stay in the processor's cache.
_PIECE = 1 << 15
#: Below this size every draw goes the same way, so that time says nothing about its outcome.
_FEW = 1 << 11
#: Below this size the draws are made one by one.
_VERY_FEW = 8
#: Entries before the first component, so that no index is among Python's ready-made integers.
_PADDING = 512
#: Above the error of the share of a box in floats, which is below 2^-44.
_MARGIN = 2.0**-36
_UNIT = 2.0**-64
_ONE = np.uint64(1)
_UNDECIDED = np.iinfo(np.int64).min


class _Single(NamedTuple):
    """What one draw needs, arranged so that its time says nothing about its outcome.

    A search would find the frequent thresholds sooner, so the word is compared with all of them.
    Python keeps its integers up to 256 at hand and makes all others: the padding makes every index
    greater, and values are kept shifted until they lie in an array.
    """

    shift: int
    thresholds: Words
    starts: NDArray[Any]
    inner: NDArray[np.float64]


@dataclass(frozen=True)
class SteppedSampler:
    """Independent draws from a stepped distribution.

    Parameters
    ----------
    steps
        The distribution.
    """

    steps: SteppedWeights

    def draw(self, size: int, source: BitSource) -> NDArray[Any]:
        """Return so many draws: 64-bit integers, Python's own where those are too short."""
        drawn = np.empty(size, dtype=object if self.steps.wide else np.int64)
        for part in self.parts(drawn):
            self.fill(part, source)
        return drawn

    def parts(self, drawn: NDArray[Any]) -> Iterator[NDArray[Any]]:
        """Yield the consecutive parts of an array that are filled one at a time."""
        for start in range(0, len(drawn), _CHUNK):
            yield drawn[start : start + _CHUNK]

    def fill(self, drawn: NDArray[Any], source: BitSource) -> None:
        """Fill an array with draws."""
        if len(drawn) < _VERY_FEW:
            drawn[:] = [self._shifted_one(source) for _ in range(len(drawn))]
            drawn -= self._single.shift
        elif len(drawn) < _FEW or self.steps.wide:
            drawn[:] = self._resolved(source.words(len(drawn)), source)
        else:
            self._look_up(drawn, source)

    def one(self, source: BitSource) -> int:
        """Return one draw."""
        return self._shifted_one(source) - self._single.shift

    def _shifted_one(self, source: BitSource) -> int:
        while True:
            value, accepted = self._proposed_one(source.words(3), source)
            if accepted:
                return value

    def _proposed_one(self, words: Words, source: BitSource) -> tuple[int, bool]:
        """Return a shifted value and whether it is accepted, by the same work whatever it is."""
        steps, single = self.steps, self._single
        word, member, height = words[0], words.item(1), words.item(2)
        index = int(np.count_nonzero(single.thresholds <= word))
        if word - single.thresholds[index - 1] <= _ONE:
            index = steps.component(int(word), source) + _PADDING
        if index == len(single.starts):
            value, accepted = steps.from_tail(source)
            return value + single.shift, accepted
        start = single.starts.item(index)
        if steps.shift == 0:
            return start, True
        member >>= 64 - steps.shift
        met = self._met_one(index, member, height, source)
        return start ^ member, met or index < steps.first_box + _PADDING

    def _met_one(self, index: int, member: int, height: int, source: BitSource) -> bool:
        inner, drop = self._single.inner.item(index), self.steps.decay.drop
        whole = math.expm1(-drop(inner, self.steps.members - 1.0))
        filled = 1 - math.expm1(-drop(inner, float(member))) / whole
        if abs(height * _UNIT - filled) > _MARGIN:
            return height * _UNIT < filled
        return self._met_exactly(int(self.steps.codes[index - _PADDING]), member, height, source)

    @cached_property
    def _single(self) -> _Single:
        steps, shift = self.steps, 1 << (90 if self.steps.wide else 62)
        return _Single(
            shift,
            np.concatenate([np.zeros(_PADDING, dtype=np.uint64), steps.thresholds]),
            np.concatenate([np.zeros(_PADDING, dtype=steps.starts.dtype), steps.starts + shift]),
            np.concatenate([np.zeros(_PADDING), self._inner(steps.codes)]),
        )

    def _inner(self, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the least magnitude in each cell."""
        inner = np.where(codes < 0, ~codes, codes).astype(float) * self.steps.members
        return np.asarray(inner + (codes < 0) * float(self.steps.below or 0))

    def _met_exactly(self, code: int, member: int, height: int, source: BitSource) -> bool:
        lazy = LazyUniform(source, prefix=height, bits=64)
        return lazy.below(partial(self.steps.filled, code, member))

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        """For each 16-bit head the start of the floor it decides for, or ``_UNDECIDED``."""
        heads = np.arange(1 << 16, dtype=np.uint64) << np.uint64(48)
        before = np.maximum(heads, np.uint64(1)) - np.uint64(1)
        after = heads + np.uint64((1 << 48) - 1)
        first = np.searchsorted(self.steps.thresholds, before, side="left")
        last = np.searchsorted(self.steps.thresholds, after, side="right")
        decided = (first == last) & (first < self.steps.first_box)
        starts = self.steps.starts[np.where(decided, first, 0)]
        return np.asarray(np.where(decided, starts, _UNDECIDED), dtype=np.int64)

    def _look_up(self, drawn: NDArray[np.int64], source: BitSource) -> None:
        """Fill an array by the table, and by longer words where that leaves draws open."""
        places, tops = [], []
        for start in range(0, len(drawn), _PIECE):
            part = drawn[start : start + _PIECE]
            heads = source.shorts(len(part))
            np.take(self._table, heads, out=part, mode="wrap")
            undecided = np.flatnonzero(part == _UNDECIDED)
            if self.steps.shift:
                np.bitwise_xor(part, self._members(len(part), source), out=part)
            places.append(undecided + start)
            tops.append(heads[undecided])
        tails = source.words(sum(map(len, tops))) >> np.uint64(16)
        words = (np.concatenate(tops).astype(np.uint64) << np.uint64(48)) | tails
        drawn[np.concatenate(places)] = self._resolved(words, source)

    def _members(self, size: int, source: BitSource) -> NDArray[Any]:
        """Return uniform numbers of members of cells, in as few bits as will do."""
        width = next(each for each in (16, 32, 64) if each >= self.steps.shift)
        drawn = source.read(size * width // 8).view(f"u{width // 8}")
        drawn >>= drawn.dtype.type(width - self.steps.shift)
        return drawn.view(np.int64) if width == 64 else drawn

    def _resolved(self, words: Words, source: BitSource) -> NDArray[Any]:
        """Return the draws that 64-bit words lead to; what is rejected is drawn afresh."""
        drawn = np.empty(len(words), dtype=self.steps.starts.dtype)
        waiting = np.arange(len(words))
        while len(waiting):
            values, accepted = self._proposed(self._components(words, source), source)
            drawn[waiting[accepted]] = values[accepted]
            waiting = waiting[~accepted]
            words = source.words(len(waiting))
        return drawn

    def _components(self, words: Words, source: BitSource) -> NDArray[np.int64]:
        """Return the component that each word falls in; the tail is the one after the last."""
        thresholds = self.steps.thresholds
        found = self._indexed(words) if len(words) >= _FEW else _searched(thresholds, words)
        nearest = thresholds[np.maximum(found, 1) - 1]
        for place in np.flatnonzero(words - nearest <= 1):
            found[place] = self.steps.component(int(words[place]), source)
        return found

    def _indexed(self, words: Words) -> NDArray[np.int64]:
        """Return how many thresholds each word has passed; search only where heads are crowded."""
        thresholds, (first, crowded) = self.steps.thresholds, self._index
        heads = words >> np.uint64(48)
        found: NDArray[np.int64] = first[heads]
        found += thresholds[np.minimum(found, len(thresholds) - 1)] <= words
        np.minimum(found, len(thresholds), out=found)
        search = np.flatnonzero(crowded[heads])
        found[search] = _searched(thresholds, words[search])
        return found

    @cached_property
    def _index(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """For each 16-bit head how many thresholds lie below it, and whether several lie in it."""
        heads = np.arange(1 << 16, dtype=np.uint64) << np.uint64(48)
        first = np.searchsorted(self.steps.thresholds, heads, side="left")
        counts = np.diff(first, append=len(self.steps.thresholds))
        return first, np.asarray(counts > 1)

    def _proposed(
        self, components: NDArray[np.int64], source: BitSource
    ) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return a value for each component, and whether it is accepted."""
        tail = components == len(self.steps.codes)
        known = np.where(tail, 0, components)
        values, accepted = self.steps.starts[known], np.ones(len(known), dtype=bool)
        if self.steps.shift:
            members = self._members(len(known), source)
            values = values ^ members
            boxes = known >= self.steps.first_box
            tested = np.flatnonzero(boxes | (len(known) < _FEW))
            met = self._met(self.steps.codes[known[tested]], members[tested], source)
            accepted[tested] = met | ~boxes[tested]
        for place in np.flatnonzero(tail):
            values[place], accepted[place] = self.steps.from_tail(source)
        return values, accepted

    def _met(
        self, codes: NDArray[np.int64], members: NDArray[Any], source: BitSource
    ) -> NDArray[np.bool_]:
        """Return whether chance meets the part of a box that each member's weight fills."""
        steps, inner = self.steps, self._inner(codes)
        whole = np.expm1(-steps.decay.drop(inner, steps.members - 1.0))
        filled = 1 - np.expm1(-steps.decay.drop(inner, members.astype(float))) / whole
        words = source.words(len(codes))
        height = words * _UNIT
        met = np.asarray(height < filled)
        for place in np.flatnonzero(np.abs(height - filled) <= _MARGIN):
            code, member, word = int(codes[place]), int(members[place]), int(words[place])
            met[place] = self._met_exactly(code, member, word, source)
        return met


def _searched(thresholds: Words, words: Words) -> NDArray[np.int64]:
    return np.searchsorted(thresholds, words, side="right")


_BYTE = 1 << 8
#: Draws at a time, so that their bytes stay in the processor's cache.
_SHORT_CHUNK = 1 << 17
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
    for start in range(0, len(heads), _SHORT_CHUNK):
        part = heads[start : start + _SHORT_CHUNK]
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
    for start in range(0, len(drawn), _SHORT_CHUNK):
        part = drawn[start : start + _SHORT_CHUNK]
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
