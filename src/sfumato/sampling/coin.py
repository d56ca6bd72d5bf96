"""Coins of an exact probability: a rational, e to a rational, or any number that balls enclose."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import as_ball, exact, fraction_below, shown, working_precision
from sfumato.refusal import Argument
from sfumato.sampling.uniform import LazyUniform, in_chunks, read_size, read_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.sampling.source import BitSource


_WORD_BITS = 64
_FIRST_BITS = 192
_MOST_BITS = 1 << 14


def bernoulli(
    probability: Fraction | float | Decimal, size: int, *, source: BitSource | None = None
) -> NDArray[np.bool_]:
    """Toss coins that fall true with exactly the given probability.

    Parameters
    ----------
    probability
        A number from 0 to 1; a float is the rational it stores, so write ``Fraction(1, 10)``
        for one tenth.
    size
        How many to toss.
    source
        Where random bits come from; the operating system, unless said otherwise.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.sampling import SeededSource, bernoulli
    >>> bernoulli(Fraction(1, 3), 5, source=SeededSource(1)).tolist()
    [False, False, True, False, True]
    >>> bernoulli(1, 2)
    array([ True,  True])
    """
    return _tossed(_rational_coin(_read_number(probability, "probability")), size, source)


def bernoulli_exp(
    exponent: Fraction | float | Decimal, size: int, *, source: BitSource | None = None
) -> NDArray[np.bool_]:
    """Toss coins that fall true with probability exp(-exponent), exactly.

    Parameters
    ----------
    exponent
        Any number of 0 or more; a float is the rational it stores.
    size
        How many to toss.
    source
        Where random bits come from; the operating system, unless said otherwise.

    Examples
    --------
    >>> from sfumato.sampling import SeededSource, bernoulli_exp
    >>> bernoulli_exp(1, 5, source=SeededSource(1)).tolist()
    [False, False, True, False, True]
    >>> bernoulli_exp(0, 2)
    array([ True,  True])
    """
    return _tossed(_exponential_coin(_read_number(exponent, "exponent")), size, source)


def coin_of_ball(
    probability: Callable[[], arb], size: int, *, source: BitSource | None = None
) -> NDArray[np.bool_]:
    """Toss coins whose probability is any real number that ball arithmetic encloses.

    Parameters
    ----------
    probability
        A function that returns a ball around the number, at the precision in force; the balls
        must shrink as the precision grows.
    size
        How many to toss.
    source
        Where random bits come from; the operating system, unless said otherwise.

    Examples
    --------
    >>> from flint import arb
    >>> from sfumato.sampling import SeededSource, coin_of_ball
    >>> coin_of_ball(lambda: arb(2).log(), 5, source=SeededSource(1)).tolist()
    [False, True, True, False, True]
    """
    return _tossed(_Coin.of_ball(probability), size, source)


@dataclass(frozen=True)
class _Coin:
    """A coin as 64-bit words see it: true below ``low``, false from ``high`` on.

    The few words between them are the first bits of a number that more bits decide.
    """

    low: int
    high: int
    ball: Callable[[], arb]

    @classmethod
    def of_ball(cls, ball: Callable[[], arb]) -> _Coin:
        bits = _FIRST_BITS
        while bits <= _MOST_BITS:
            with working_precision(bits):
                scaled = _read_ball(ball) * arb(2) ** _WORD_BITS
                if scaled.rad() < 1:
                    return cls(_floor(scaled), -_floor(-scaled), ball)
            bits *= 2
        raise InputError(
            "E-FUNCTION-RESULT",
            "the enclosure of a probability must narrow as the working precision grows",
        )

    def toss(self, count: int, source: BitSource) -> NDArray[np.bool_]:
        words = source.words(count)
        heads = words < self.low
        for place in (heads != (words < self.high)).nonzero()[0]:
            number = LazyUniform(source, prefix=int(words[place]), bits=_WORD_BITS)
            heads[place] = number.below(self.ball)
        return heads


@lru_cache(maxsize=256)
def _rational_coin(probability: Fraction) -> _Coin:
    if not 0 <= probability <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "probability must lie between 0 and 1, not {probability}",
            "write 0.5, say",
            probability=shown(probability),
        )
    return _Coin.of_ball(partial(as_ball, probability))


@lru_cache(maxsize=256)
def _exponential_coin(exponent: Fraction) -> _Coin:
    if exponent < 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "exponent must be 0 or more, not {exponent}",
            "1 gives probability 1/e",
            exponent=shown(exponent),
        )
    return _Coin.of_ball(partial(_power_of_e, -exponent))


def _power_of_e(exponent: Fraction) -> arb:
    return as_ball(exponent).exp()


def _tossed(coin: _Coin, size: int, source: BitSource | None) -> NDArray[np.bool_]:
    count, bits = read_size(size), read_source(source)
    return in_chunks(lambda some: coin.toss(some, bits), count, np.bool_)


def _floor(ball: arb) -> int:
    """Return the greatest integer that no point of a ball lies below."""
    return math.floor(fraction_below(ball.lower().floor()))


def _read_ball(ball: Any) -> arb:
    value = ball() if callable(ball) else None
    if not isinstance(value, arb) or value < 0 or value > 1:
        raise InputError(
            "E-FUNCTION-RESULT",
            "probability must be a function that returns a ball within 0 and 1",
            "write lambda: arb(1) / 3, say",
        )
    return value


def _read_number(value: Any, name: str) -> Fraction:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a number, not {value}",
            "write 0.5 or Fraction(1, 3), say",
            name=Argument(name),
            value=shown(value),
        )
    return exact(value, name)
