"""Reports that are one bit for each choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.sampling.sparing import each_below, many_coins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.sampling import BitSource
    from sfumato.survey.client.protocols import Permanent, Subset, Unary

    Bits = NDArray[np.uint8]
    Whole = NDArray[np.int64]

__all__ = ["subset", "unary"]

#: Cells drawn at a time, so that they stay in the processor's cache; and people, if those are more.
_BLOCK, _PEOPLE = 1 << 18, 1 << 12


def unary(protocol: Unary | Permanent, answers: Whole, source: BitSource) -> Bits:
    """Return a bit for each person and choice, by independent coins.

    The first report of a permanent answer is of the same kind: each of its bits is drawn and
    flipped apart from the others, which is one coin.
    """
    people, choices = len(answers), protocol.choices
    bits = many_coins(protocol.miss, people * choices, source=source).reshape(people, choices)
    bits[np.arange(people), answers] = many_coins(protocol.hit, people, source=source)
    return bits.view(np.uint8)


def subset(protocol: Subset, answers: Whole, source: BitSource) -> Bits:
    """Return a set of the protocol's size for each person."""
    taken = many_coins(protocol.hit, len(answers), source=source)
    sets = np.empty((len(answers), protocol.choices), dtype=np.uint8)
    step = max(_PEOPLE, _BLOCK // protocol.choices)
    for start in range(0, len(answers), step):
        some = slice(start, start + step)
        sets[some] = _sets_with(answers[some], taken[some], protocol, source).T
    return sets


def _sets_with(
    answers: Whole, taken: NDArray[np.bool_], protocol: Subset, source: BitSource
) -> NDArray[np.bool_]:
    """Return a column for each person: the answer where it is taken, and enough of the others.

    Of the others that are left, each is taken with the probability that leaves all sets alike.  The
    last choice waits in the row of the answer, until the answer's own bit is put there.
    """
    last, people = protocol.choices - 1, np.arange(len(answers))
    sets = np.empty((protocol.choices, len(answers)), dtype=np.bool_)
    draws = each_below(range(last, 0, -1), len(answers), source=source)
    wanted = (protocol.size - taken).astype(draws.dtype)
    for row, drawn in enumerate(draws):
        wanted -= np.less(drawn, wanted, out=sets[row])
    sets[last] = sets[np.minimum(answers, last - 1), people]
    sets[answers, people] = taken
    return sets
