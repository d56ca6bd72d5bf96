"""Columns in the order in which they are cut, and what the parts are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.risk.attacks.words import shown
from sfumato.risk.generalising.hierarchy import STAR
from sfumato.risk.generalising.recoding import Recoded
from sfumato.risk.generalising.values import as_day, as_number, as_text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.cells import Column
    from sfumato.risk.generalising.hierarchy import Label
    from sfumato.risk.generalising.ladder import Ladder
    from sfumato.risk.generalising.odd import Odd
    from sfumato.risk.generalising.partition import Partition

__all__ = ["Scale", "label_regions", "scale_of"]


@dataclass(frozen=True, eq=False)
class Scale:
    """A column in the order in which it is cut.

    Attributes
    ----------
    ladder
        Its levels.
    places
        The values in order: for each rank, the place of its value.
    ranks
        For each cell, the rank of its value.
    measured
        How many values, the first in order, are numbers or days: a stretch of them tells all in
        between.
    """

    ladder: Ladder
    places: NDArray[np.int64]
    ranks: NDArray[np.int64]
    measured: int

    def width(self, members: NDArray[np.int64]) -> float:
        """Return how much of the column some cells stretch over, from 0 to 1."""
        ranks = self.ranks[members]
        return float(ranks.max() - ranks.min()) / max(len(self.places) - 1, 1)


def scale_of(column: Column, ladder: Ladder) -> Scale:
    """Return a column in order: numbers and days by size, categories by their tree.

    What is none among numbers comes after them, and what is missing comes last.
    """
    values = column.values.to_pylist()
    measure = _measure(values, ladder.odd)
    if measure is not None:
        last = max(each for each in measure if each is not None)
        keys = [(each is None, last if each is None else each) for each in measure]
        places = np.array(sorted(range(len(values)), key=keys.__getitem__))
    else:
        places = np.lexsort([rung.codes for rung in ladder.rungs])
    rank = np.empty(len(places), dtype=np.int64)
    rank[places] = np.arange(len(places))
    measured = sum(each is not None for each in measure or [])
    return Scale(ladder, places, rank[column.codes], measured)


def label_regions(scale: Scale, regions: Sequence[Partition], counts: NDArray[np.int64]) -> Recoded:
    """Return what becomes of a column whose cells say only in which region they lie.

    Parameters
    ----------
    scale
        The column.
    regions
        The cells of each region.
    counts
        How many rows each cell has.
    """
    having = np.bincount(scale.ranks, counts, len(scale.places))
    found: dict[Label, int] = {}
    bits: list[float] = []
    codes = np.zeros(len(counts), dtype=np.int64)
    untouched = True
    for region in regions:
        ranks = np.unique(scale.ranks[region.members])
        untouched &= len(ranks) == 1
        label, told = _label(scale, ranks)
        code = codes[region.members] = found.setdefault(label, len(found))
        bits += [np.inf] * (len(found) - len(bits))
        # A value may be written as a set is: it tells no more than that.
        bits[code] = min(bits[code], float(np.log2(counts.sum() / having[told].sum())))
    return Recoded(
        name=scale.ladder.column,
        how=mark("as it is") if untouched else _HOW[scale.measured > 0],
        labels=tuple(found),
        bits=np.array(bits),
        codes=codes,
        level=0 if untouched else None,
        made=scale.ladder.made and not scale.measured,
    )


_SEPARATOR = re.compile(r'[,;、，"]')
_EMPTY = shown("")
_READERS = {"numbers": as_number, "dates": as_day}
_HOW = {True: mark("stretches from..to"), False: mark("sets of values")}


def _measure(values: Sequence[Any], odd: Odd | None) -> list[Any] | None:
    """Return what the values are ordered by; None where too many are neither number nor day."""
    known = [each for each in values if each is not None]
    for kind, read in _READERS.items():
        is_kind = odd.kind == kind if odd else all(read(each) is not None for each in known)
        if known and is_kind:
            return [read(each) for each in values]
    return None


def _label(scale: Scale, ranks: NDArray[np.int64]) -> tuple[Label, NDArray[np.int64]]:
    """Return what the values of a region are called together, and the ranks that this tells."""
    labels = scale.ladder.rungs[0].labels
    names = [labels[place] for place in scale.places[ranks]]
    if len(names) == 1:
        return names[0], ranks
    measured = int(np.count_nonzero(ranks < scale.measured))
    if measured > 1:
        between = np.arange(ranks[0], ranks[measured - 1] + 1)
        ranks = np.concatenate([between, ranks[measured:]])
        names = [f"{names[0]}..{names[measured - 1]}", *names[measured:]]
    if len(names) == 1:
        return names[0], ranks
    return _in_common(scale, ranks) or _set(names), ranks


def _in_common(scale: Scale, ranks: NDArray[np.int64]) -> Label:
    """Return the label of the hierarchy that stands for these values and for no other.

    A star says nothing at all, so it stands for nothing less than all values.
    """
    for rung in scale.ladder.rungs[1:]:
        codes = rung.codes[scale.places]
        label = rung.labels[int(codes[ranks[0]])]
        alike = np.flatnonzero(codes == codes[ranks[0]])
        if np.array_equal(alike, ranks) and (label != STAR or len(ranks) == len(codes)):
            return label
    return None


def _set(names: Sequence[Label]) -> str:
    members = [_EMPTY if each is None else _member(as_text(each)) for each in names]
    return f"{{{', '.join(members)}}}"


def _member(text: str) -> str:
    """Return a member of a set, in quotes where it could be taken for several or for none."""
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if _SEPARATOR.search(text) or text.strip() == _EMPTY else text
