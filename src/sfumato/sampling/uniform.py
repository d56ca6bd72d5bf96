"""Uniform integers, uniform orders, and how all samplers draw: checked, in chunks, by rejection."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, fmpz

from sfumato.errors import InputError
from sfumato.numeric import exact, read_count, shown, working_precision
from sfumato.refusal import Argument
from sfumato.sampling.source import BitSource, system_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike, NDArray


_STEP = 64


class LazyUniform:
    """A uniform real number in [0, 1), known to as many bits as were needed so far.

    Compared with a real number that ball arithmetic encloses at any precision, it draws bits and
    refines the ball until they part: the comparison is the true one, so that
    ``LazyUniform(source).below(p)`` is a coin of probability exactly p.

    Parameters
    ----------
    source
        Where its bits come from.
    prefix, bits
        What is known of it: the first ``bits`` binary digits, as an integer.

    Examples
    --------
    >>> from flint import arb
    >>> from sfumato.sampling import LazyUniform, SeededSource
    >>> LazyUniform(SeededSource(1)).below(lambda: arb(1))
    True
    >>> LazyUniform(SeededSource(1), prefix=0b10, bits=2).below(lambda: 1 / arb(3))
    False
    """

    def __init__(self, source: BitSource, prefix: int = 0, bits: int = 0) -> None:
        self._source = source
        self.prefix = prefix
        self.bits = bits

    def below(self, ball: Callable[[], arb]) -> bool:
        """Tell whether the number lies below another, which ``ball`` encloses at any precision.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.sampling import LazyUniform, SeededSource
        >>> LazyUniform(SeededSource(1), prefix=0, bits=1).below(lambda: arb(2).log())
        True
        """
        while (answer := self._decided(ball)) is None:
            self.prefix = (self.prefix << _STEP) | self._source.integer(_STEP)
            self.bits += _STEP
        return answer

    def _decided(self, ball: Callable[[], arb]) -> bool | None:
        with working_precision(self.bits + 2 * _STEP):
            bound = ball() * arb(2) ** self.bits
            if bound >= arb(fmpz(self.prefix + 1)):
                return True
            if bound <= arb(fmpz(self.prefix)):
                return False
        return None


_MOST_DRAWS = 1 << 40
#: The least scale is what the float 1e-6 stores, which is a little less than a millionth.
_LEAST, _GREATEST = Fraction(1e-6), Fraction(10**18)


def read_size(size: Any, name: str = "size") -> int:
    """Return how many draws are asked for: a whole number of 0 or more."""
    return read_count(size, name, least=0, most=_MOST_DRAWS)


def read_source(source: Any) -> BitSource:
    """Return where bits come from: the given source, or the operating system's for None.

    Examples
    --------
    >>> from sfumato.sampling import system_source
    >>> from sfumato.sampling.uniform import read_source
    >>> read_source(None) is system_source()
    True
    """
    if source is None:
        return system_source()
    if not isinstance(source, BitSource):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "source must be a source of bits, not {source}",
            "leave it out, or in tests write source=SeededSource(1)",
            source=shown(source),
        )
    return source


def read_scale(scale: Any, name: str = "scale") -> Fraction:
    """Return the scale of whole-number noise, exactly, or refuse what cannot be drawn.

    Examples
    --------
    >>> from sfumato.sampling import read_scale
    >>> read_scale(0.5)
    Fraction(1, 2)
    >>> read_scale(1e20)
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: scale must be from 1e-6 to 1e18, not 1e+20; choose other units
    """
    number = read_positive(scale, name)
    if not _LEAST <= number <= _GREATEST:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be from 1e-6 to 1e18, not {scale}",
            "choose other units",
            name=Argument(name),
            scale=shown(scale),
        )
    return number


def read_positive(value: Any, name: str = "scale") -> Fraction:
    """Return a number above 0, exactly: a float is the rational it stores."""
    if isinstance(value, (bool, str)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a number, not {value}",
            "write 10, say",
            name=Argument(name),
            value=shown(value),
        )
    number = exact(value, name)
    if number.numerator <= 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 0, not {value}",
            "write 10, say",
            name=Argument(name),
            value=shown(value),
        )
    return number


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
