"""Reports that are one bit for each choice."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.sampling import bernoulli, uniform_below
from sfumato.survey.client.protocols import Unary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.sampling import BitSource
    from sfumato.survey.client.protocols import Permanent, Subset

    Bits = NDArray[np.uint8]
    Whole = NDArray[np.int64]

__all__ = ["permanent", "subset", "unary"]

_HALF = Fraction(1, 2)
#: Cells filled at a time, so that they stay in the processor's cache.
_BLOCK = 1 << 20


def unary(protocol: Unary, answers: Whole, source: BitSource) -> Bits:
    """Return a bit for each person and choice: a fair one for the answer, rare ones else.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.sampling import SeededSource
    >>> from sfumato.survey.client.protocols import Unary
    >>> from sfumato.survey.client.ratios import read_loss
    >>> from sfumato.survey.crowd.sets import unary
    >>> unary(Unary(3, read_loss(1)), np.array([0, 2]), SeededSource(1)).shape
    (2, 3)
    """
    bits = _coins(protocol.miss, (len(answers), protocol.choices), source)
    bits[np.arange(len(answers)), answers] = bernoulli(_HALF, len(answers), source=source)
    return bits


def permanent(protocol: Permanent, answers: Whole, source: BitSource) -> Bits:
    """Return the first report of each person, whose permanent bits are then forgotten.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.sampling import SeededSource
    >>> from sfumato.survey.client.protocols import Permanent
    >>> from sfumato.survey.client.ratios import read_loss
    >>> from sfumato.survey.crowd.sets import permanent
    >>> permanent(Permanent(3, read_loss(1), read_loss(3)), np.array([0, 2]), SeededSource(1)).shape
    (2, 3)
    """
    drawn = unary(Unary(protocol.choices, protocol.lifetime), answers, source)
    drawn ^= _coins(1 - protocol.kept, drawn.shape, source)
    return drawn


def subset(protocol: Subset, answers: Whole, source: BitSource) -> Bits:
    """Return a set of the protocol's size for each person.

    The others are first taken by independent coins, so that of all sets of as many others each
    is as likely; then one after the other is put in or taken out, each with the same chance,
    until there are as many as there should be.  That leaves all sets of that size alike.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.sampling import SeededSource
    >>> from sfumato.survey.client.protocols import Subset
    >>> from sfumato.survey.client.ratios import read_loss
    >>> from sfumato.survey.crowd.sets import subset
    >>> subset(Subset(9, read_loss(1)), np.array([0, 2]), SeededSource(1)).sum(axis=1)
    array([2, 2]...)
    """
    sets = np.empty((len(answers), protocol.choices), dtype=np.uint8)
    taken = bernoulli(protocol.hit, len(answers), source=source)
    share = protocol.size * 256 // protocol.choices
    for part in _blocks(len(answers), protocol.choices):
        rows = sets[part]
        np.less(source.read(rows.size).reshape(rows.shape), share, out=rows.view(np.bool_))
        rows[np.arange(len(rows)), answers[part]] = taken[part]
        _even_out(rows, answers[part], protocol.size, source)
    return sets


def _even_out(sets: Bits, answers: Whole, size: int, source: BitSource) -> None:
    """Put random others into sets that are too small, and out of those that are too large."""
    over = sets.sum(axis=1, dtype=np.int64) - size
    late = np.flatnonzero(over)
    while late.size:
        places = uniform_below(sets.shape[1], late.size, source=source)
        fit = (places != answers[late]) & (sets[late, places] == (over[late] > 0))
        rows, places = late[fit], places[fit]
        sets[rows, places] ^= 1
        over[rows] -= np.sign(over[rows])
        late = late[over[late] != 0]


def _coins(probability: Fraction, shape: tuple[int, int], source: BitSource) -> Bits:
    """Toss a coin for each cell: a byte decides all but one in 256 of them."""
    coins = np.empty(shape, dtype=np.uint8)
    first, rest = divmod(256 * probability, 1)
    for part in _blocks(*shape):
        cells = coins[part].reshape(-1)
        drawn = source.read(cells.size)
        np.less(drawn, first, out=cells.view(np.bool_))
        tied = np.flatnonzero(drawn == first)
        cells[tied] = bernoulli(rest, tied.size, source=source)
    return coins


def _blocks(rows: int, columns: int) -> Iterator[slice]:
    step = max(1, _BLOCK // columns)
    return (slice(start, start + step) for start in range(0, rows, step))
