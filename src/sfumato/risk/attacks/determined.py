"""Which sums follow from published sums, by exact arithmetic.

Unknown figures are added up in published sums.  A sum of some of them follows from those exactly
if its row of zeros and ones is in the space that their rows span :cite:p:`chin1982`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import flint

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


#: How great a system of sums that depend on each other may be: sums times unknowns.
MOST_ENTRIES = 1_000_000


def determined_sums(
    published: Sequence[frozenset[int]],
    wanted: Sequence[frozenset[int]],
    unknowns: int,
    *,
    advice: str = "publish fewer columns at a time",
) -> list[bool]:
    """Tell which sums of unknown figures follow from the published ones.

    Parameters
    ----------
    published
        For each published sum, the numbers of the figures in it.
    wanted
        For each sum that is asked for, the numbers of the figures in it.
    unknowns
        How many figures there are; their numbers begin with 0.
    advice
        What to do where too many sums depend on each other.
    """
    alike = _told_apart(published, unknowns)
    sums = {frozenset(alike.of[each] for each in members) for members in published}
    known = _one_by_one(sums)
    systems = _systems({members - known for members in sums} - {frozenset()}, advice)
    found = []
    for members in wanted:
        groups = alike.whole_groups(members)
        found.append(groups is not None and _follows(groups - known, systems))
    return found


@dataclass(frozen=True)
class _Alike:
    """Figures that every published sum has together, as one."""

    of: list[int]
    sizes: list[int]

    def whole_groups(self, members: frozenset[int]) -> frozenset[int] | None:
        """Return the groups that figures make up, or None where one is torn apart."""
        counts: dict[int, int] = defaultdict(int)
        for each in members:
            counts[self.of[each]] += 1
        whole = all(self.sizes[group] == count for group, count in counts.items())
        return frozenset(counts) if whole else None


def _told_apart(published: Sequence[frozenset[int]], unknowns: int) -> _Alike:
    """Return which figures can be told apart by the sums that they are in."""
    inside: list[list[int]] = [[] for _ in range(unknowns)]
    for place, members in enumerate(published):
        for each in members:
            inside[each].append(place)
    numbers: dict[tuple[int, ...], int] = {}
    of = [numbers.setdefault(tuple(each), len(numbers)) for each in inside]
    sizes = [0] * len(numbers)
    for group in of:
        sizes[group] += 1
    return _Alike(of, sizes)


def _one_by_one(sums: Iterable[frozenset[int]]) -> frozenset[int]:
    """Return the figures that are left alone in a sum, again and again taking out known ones."""
    left = [set(members) for members in sums]
    holding: dict[int, list[set[int]]] = defaultdict(list)
    for members in left:
        for each in members:
            holding[each].append(members)
    alone = [members for members in left if len(members) == 1]
    known: set[int] = set()
    while alone:
        found = set(alone.pop())
        known |= found
        for each in found:
            for members in holding[each]:
                members.discard(each)
                if len(members) == 1:
                    alone.append(members)
    return frozenset(known)


@dataclass(frozen=True)
class _System:
    """Sums that share figures: the figures in order, and the sums in reduced form."""

    figures: list[int]
    pivots: list[int]
    reduced: flint.fmpz_mat
    unit: flint.fmpz


def _systems(sums: Iterable[frozenset[int]], advice: str) -> dict[int, _System]:
    """Return the system that each figure is in."""
    found = {}
    for members in _sharing(sums):
        system = _reduced(members, advice)
        found.update(dict.fromkeys(system.figures, system))
    return found


def _sharing(sums: Iterable[frozenset[int]]) -> list[list[frozenset[int]]]:
    """Return the sums in parts that have no figure in common."""
    parent: dict[int, int] = {}

    def root(figure: int) -> int:
        while parent.setdefault(figure, figure) != figure:
            parent[figure] = parent[parent[figure]]
            figure = parent[figure]
        return figure

    ordered = sorted(sums, key=sorted)
    for members in ordered:
        first, *others = members
        for each in others:
            parent[root(each)] = root(first)
    parts: dict[int, list[frozenset[int]]] = defaultdict(list)
    for members in ordered:
        parts[root(min(members))].append(members)
    return list(parts.values())


def _reduced(sums: list[frozenset[int]], advice: str) -> _System:
    """Return the reduced row echelon form, over the rationals with one denominator."""
    figures = sorted(frozenset().union(*sums))
    if len(sums) * len(figures) > MOST_ENTRIES:
        raise InputError(
            "E-TOO-LARGE",
            "the tables overlap in too many ways to be subtracted exactly: {count:,} cells "
            "cut across each other, and tell {other_count:,} groups of people apart",
            "{advice}",
            count=len(sums),
            other_count=len(figures),
            advice=advice,
        )
    rows = [[int(each in members) for each in figures] for members in sums]
    reduced, unit, rank = flint.fmpz_mat(rows).rref()
    table = reduced.tolist()[:rank]
    pivots = [next(place for place, entry in enumerate(row) if entry != 0) for row in table]
    return _System(figures, pivots, flint.fmpz_mat(table), unit)


def _follows(figures: frozenset[int], systems: dict[int, _System]) -> bool:
    """Tell whether a sum of figures is a combination of the sums of its systems."""
    if not all(each in systems for each in figures):
        return False
    parts: dict[int, list[int]] = defaultdict(list)
    for each in figures:
        parts[id(systems[each])].append(each)
    return all(_is_combination(part, systems[part[0]]) for part in parts.values())


def _is_combination(figures: list[int], system: _System) -> bool:
    wanted = [int(each in figures) for each in system.figures]
    weights = flint.fmpz_mat([[wanted[place] for place in system.pivots]])
    combined = (weights * system.reduced).tolist()[0]
    return all(entry == one * system.unit for entry, one in zip(combined, wanted, strict=True))
