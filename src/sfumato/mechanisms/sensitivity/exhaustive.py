"""Comparing all pairs of neighbours, where the rows are listed and the tables small."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING

from sfumato.mechanisms.sensitivity.outcome import Outcome
from sfumato.privacy import AddRemove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.mechanisms.sensitivity.judge import Judge
    from sfumato.mechanisms.sensitivity.space import Space

__all__ = ["can_list", "compare_all"]

#: A table as the places of its rows in the domain; sorted where order does not count.
_Key = tuple[int, ...]

_LONGEST_LIST = 1 << 16
_LARGEST_TABLE = 64


def can_list(space: Space, effort: int) -> bool:
    """Tell whether all pairs of neighbours can be compared with so many comparisons."""
    rows = space.domain.size
    if rows is None or rows > _LONGEST_LIST or space.most > _LARGEST_TABLE:
        return False
    counts = range(space.fewest, space.most + 1)
    calls = sum(rows**count for count in counts)
    tables = calls if space.ordered else sum(comb(count + rows - 1, count) for count in counts)
    neighbours: int = _ways(space, rows) ** min(space.relation.count, _LARGEST_TABLE)
    return calls <= effort and tables * min(tables, neighbours) <= effort


def _ways(space: Space, rows: int) -> int:
    """Return a bound on how many tables one change leads to, or adds a row to where it is all."""
    if not isinstance(space.relation, AddRemove) or space.ordered:
        return (space.most + 1) * (rows + 1)
    return rows + 1 if space.relation.count == 1 else rows + space.most + 1


def compare_all(space: Space, judge: Judge) -> bool:
    """Compare outputs on all pairs of neighbours, smallest tables first; tell whether all were."""
    for one, other in _pairs(space, _all_outcomes(space, judge)):
        if judge.done:
            return False
        judge.weigh(one, other)
    return judge.witness is None


def _pairs(space: Space, outcomes: dict[_Key, list[Outcome]]) -> Iterator[tuple[Outcome, Outcome]]:
    for key, found in outcomes.items():
        yield from ((each, each) for each in found if each.failure)
        yield from combinations(found, 2)
        for near in _ball(key, space):
            if near > key and near in outcomes:
                yield from product(found, outcomes[near])


def _all_outcomes(space: Space, judge: Judge) -> dict[_Key, list[Outcome]]:
    """Return what the function does on each table: once, or in each order that differs."""
    values = list(space.domain.landmarks())
    found: defaultdict[_Key, list[Outcome]] = defaultdict(list)
    for count in range(space.fewest, space.most + 1):
        for places in product(range(len(values)), repeat=count):
            outcome = Outcome.of(judge.function, tuple(values[place] for place in places))
            known = found[_key(places, space)]
            if not any(map(outcome.is_like, known)):
                known.append(outcome)
    return dict(found)


def _key(places: _Key, space: Space) -> _Key:
    return places if space.ordered else tuple(sorted(places))


def _ball(key: _Key, space: Space) -> set[_Key]:
    """Return the tables that at most ``relation.count`` changes lead to, itself among them.

    None on the way is larger than the largest: rows can be removed first.
    """
    reached = edge = {key}
    for _ in range(space.relation.count):
        edge = {near for each in edge for near in _one_change(each, space)} - reached
        if not edge:
            break
        reached = reached | edge
    return reached


def _one_change(key: _Key, space: Space) -> Iterator[_Key]:
    rows, places = range(space.domain.size or 0), range(len(key))
    if not isinstance(space.relation, AddRemove):
        for place, row in product(places, rows):
            yield _key((*key[:place], row, *key[place + 1 :]), space)
        return
    yield from (key[:place] + key[place + 1 :] for place in places)
    if len(key) < space.most:
        for place, row in product(range(len(key) + 1), rows):
            yield _key((*key[:place], row, *key[place:]), space)
