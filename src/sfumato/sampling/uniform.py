"""Uniform integers, uniform orders, and how all samplers draw: checked, in chunks, by rejection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import read_count
from sfumato.sampling.reading import read_size, read_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike, NDArray

    from sfumato.sampling.source import BitSource

__all__ = ["accepted", "in_chunks", "permutation", "uniform_below"]

#: Draws at a time, so that the arrays stay in the processor's cache.
_CHUNK = 1 << 14
_WORDS = 1 << 64


def uniform_below(bound: int, size: int, *, source: BitSource | None = None) -> NDArray[Any]:
    """Return integers drawn uniformly from 0, 1, ..., bound - 1.

    A word beyond the greatest multiple of the bound is drawn again; how often says nothing about
    the integer that is returned.

    Parameters
    ----------
    bound
        Any whole number of 1 or more.  Up to 2**63 the integers come in an array of int64, beyond
        it in an array of Python's own.
    size
        How many to draw.
    source
        Where random bits come from; the operating system, unless said otherwise.

    Examples
    --------
    >>> from sfumato.sampling import SeededSource, uniform_below
    >>> uniform_below(6, 10, source=SeededSource(1)).tolist()
    [1, 3, 1, 3, 4, 5, 5, 1, 3, 2]
    >>> uniform_below(10**30, 2, source=SeededSource(1)).dtype
    dtype('O')
    """
    below = read_count(bound, "bound")
    count, bits = read_size(size), read_source(source)
    if below > _WORDS // 2:
        return _great_integers(below, count, bits)
    limit = _WORDS - _WORDS % below

    def draw(some: int) -> NDArray[np.uint64]:
        return accepted(bits.words, lambda words: words < limit, some) % np.uint64(below)

    return in_chunks(draw, count, np.int64)


def _great_integers(bound: int, count: int, source: BitSource) -> NDArray[Any]:
    width = (bound - 1).bit_length()

    def propose(some: int) -> NDArray[Any]:
        return np.array([source.integer(width) for _ in range(some)], dtype=object)

    return accepted(propose, lambda integers: integers < bound, count)


def permutation(count: int, *, source: BitSource | None = None) -> NDArray[np.int64]:
    """Return 0, 1, ..., count - 1 in an order drawn uniformly from all orders.

    The order is that of independent random keys; where two keys are equal, all are drawn again.

    Parameters
    ----------
    count
        How many things to put in order.
    source
        Where random bits come from; the operating system, unless said otherwise.

    Examples
    --------
    >>> from sfumato.sampling import SeededSource, permutation
    >>> permutation(5, source=SeededSource(1)).tolist()
    [2, 4, 1, 0, 3]
    """
    things, bits = read_size(count, "count"), read_source(source)
    while True:
        keys = bits.words(things)
        order = np.argsort(keys)
        in_order = keys[order]
        if (in_order[1:] != in_order[:-1]).all():
            return order.astype(np.int64, copy=False)


def accepted(
    propose: Callable[[int], NDArray[Any]],
    fits: Callable[[NDArray[Any]], NDArray[np.bool_]],
    count: int,
) -> NDArray[Any]:
    """Return so many proposals that fit; each that does not is proposed again, by itself."""
    drawn = propose(count)
    late = np.flatnonzero(~fits(drawn))
    while late.size:
        again = propose(late.size)
        drawn[late] = again
        late = late[~fits(again)]
    return drawn


def in_chunks(draw: Callable[[int], NDArray[Any]], count: int, dtype: DTypeLike) -> NDArray[Any]:
    """Return so many draws, made a chunk at a time so that memory stays that of the answer."""
    drawn = np.empty(count, dtype=dtype)
    for start in range(0, count, _CHUNK):
        part = drawn[start : start + _CHUNK]
        part[:] = draw(len(part))
    return drawn
