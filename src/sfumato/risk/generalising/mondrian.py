"""Cells generalised one by one: cut the people into regions, as small as the targets allow.

Strict multidimensional Mondrian :cite:p:`lefevre2006mondrian`: a region is cut in two at the median
of its widest column, again and again, as long as both parts reach the targets.  A merge of parts
that reach them does too, so it is enough to look at one cut at a time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.risk.attacks.render import shown
from sfumato.risk.generalising.hierarchy import STAR, Label, as_day, as_number, as_text
from sfumato.risk.generalising.partition import Partition, Targets, failing_classes, finest
from sfumato.risk.generalising.recoding import Change, Recoded, Recoding
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.cells import CodedCells, CodedColumn
    from sfumato.risk.generalising.ladders import Ladder, Odd


_SEPARATOR = re.compile(r'[,;、，"]')
_EMPTY = shown("")
_READERS = {"numbers": as_number, "dates": as_day}
_HOW = {True: mark("stretches from..to"), False: mark("sets of values")}


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


def scale_of(column: CodedColumn, ladder: Ladder) -> Scale:
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
        change=Change(
            scale.ladder.column,
            mark("as it is") if untouched else _HOW[scale.measured > 0],
            level=0 if untouched else None,
            levels=None,
            made=scale.ladder.made and not scale.measured,
        ),
        labels=tuple(found),
        bits=np.array(bits),
        codes=codes,
    )


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


def check_cuts(cells: CodedCells, ladders: Sequence[Ladder]) -> None:
    """Refuse hierarchies that were given for columns that are cut at medians instead."""
    for column, ladder in zip(cells.columns, ladders, strict=True):
        if not ladder.made and scale_of(column, ladder).measured:
            raise InputError(
                "E-ARGUMENT-CONFLICT",
                "the column {column!r} is given a hierarchy, and mondrian cuts numbers and "
                "dates at their own medians",
                "give it none, or choose another method",
                column=column.name,
            )


def cut_regions(
    cells: CodedCells,
    ladders: Sequence[Ladder],
    targets: Targets,
    progress: Callable[[int, int], None] | None = None,
) -> Recoding | None:
    """Return what becomes of each cell, or None where not even the whole table is enough.

    Parameters
    ----------
    cells
        The table in short.
    ladders
        The levels of each quasi-identifier: they say which categories are near each other, and
        what several are called together; numbers and dates are near by size.
    targets
        What the classes should be.
    progress
        Told how many cells are in regions that are final, and of how many.
    """
    whole = finest(cells)
    everyone = np.ones(len(whole.sizes), dtype=np.bool_)
    cutting = _Cutting(
        [scale_of(*each) for each in zip(cells.columns, ladders, strict=True)],
        targets,
        [each.of_table(everyone) for each in whole.spreads],
    )
    if cutting.fails(whole):
        return None
    regions: list[Partition] = []
    done = 0
    for region in cutting.regions(whole):
        regions.append(region)
        done += len(region.sizes)
        if progress is not None:
            progress(done, len(whole.sizes))
    columns = [label_regions(each, regions, cells.counts) for each in cutting.scales]
    return Recoding(tuple(columns), everyone)


@dataclass(frozen=True, eq=False)
class _Cutting:
    """How regions are cut.

    Attributes
    ----------
    scales
        The columns.
    targets
        What each region should be.
    tables
        The shares of each sensitive column in the whole table.
    """

    scales: Sequence[Scale]
    targets: Targets
    tables: Sequence[NDArray[np.float64]]

    def regions(self, whole: Partition) -> Iterator[Partition]:
        """Yield the regions that can be cut no further, each as the cells in it."""
        waiting = [whole]
        while waiting:
            region = waiting.pop()
            parts = self._cut(region)
            if parts:
                waiting += parts
            else:
                yield region

    def fails(self, region: Partition) -> bool:
        """Tell whether a region, as one class, misses a target."""
        one = region.merged(np.zeros(len(region.sizes), dtype=np.int64))
        return bool(failing_classes(self.targets, one, self.tables).any())

    def _cut(self, region: Partition) -> list[Partition]:
        """Return both parts of the first cut that may be, the widest column first."""
        if region.sizes.sum() < 2 * self.targets.k:
            return []
        for scale in sorted(self.scales, key=lambda each: -each.width(region.members)):
            left = _median_cut(scale.ranks[region.members], region.sizes, self.targets.k)
            if left is not None:
                parts = [region.only(~left), region.only(left)]
                if not any(map(self.fails, parts)):
                    return parts
        return []


def _median_cut(
    ranks: NDArray[np.int64], sizes: NDArray[np.int64], k: int
) -> NDArray[np.bool_] | None:
    """Return which cells lie left of the cut nearest to the median that leaves k rows each."""
    found, place = np.unique(ranks, return_inverse=True)
    left = np.cumsum(np.bincount(place, sizes))[:-1]
    total = sizes.sum()
    may_be = np.minimum(left, total - left) >= k
    if not may_be.any():
        return None
    off = np.where(may_be, np.abs(2 * left - total), np.inf)
    is_left: NDArray[np.bool_] = ranks <= found[np.argmin(off)]
    return is_left
