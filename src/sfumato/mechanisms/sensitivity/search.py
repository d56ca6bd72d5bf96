"""A search for neighbouring tables that violate a declared sensitivity."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb
from numbers import Integral
from random import Random
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.mechanisms.base import ONE_ROW
from sfumato.mechanisms.sensitivity.declared import Norm, Sensitivity, read_norm
from sfumato.mechanisms.sensitivity.domains import read_domain
from sfumato.mechanisms.sensitivity.report import SensitivityReport
from sfumato.mechanisms.sensitivity.rounding import grain, in_fractions
from sfumato.mechanisms.sensitivity.space import (
    ABSENT,
    PairSpace,
    Slot,
    TablePair,
    patterns,
)
from sfumato.mechanisms.sensitivity.witness import Judge, Outcome, Witness
from sfumato.numeric import read_count, shown
from sfumato.privacy import AddRemove, Person, Relation, read_relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


#: A table as the places of its rows in the domain; sorted where order does not count.
_Key = tuple[int, ...]

_LONGEST_LIST = 1 << 16
_LARGEST_TABLE = 64
_STARTS = 16
_PATIENCE = 200


def can_list(space: PairSpace, effort: int) -> bool:
    """Tell whether all pairs of neighbours can be compared with so many comparisons."""
    rows = space.domain.size
    if rows is None or rows > _LONGEST_LIST or space.most > _LARGEST_TABLE:
        return False
    counts = range(space.fewest, space.most + 1)
    calls = sum(rows**count for count in counts)
    tables = calls if space.ordered else sum(comb(count + rows - 1, count) for count in counts)
    neighbours: int = _ways(space, rows) ** min(space.relation.count, _LARGEST_TABLE)
    return calls <= effort and tables * min(tables, neighbours) <= effort


def _ways(space: PairSpace, rows: int) -> int:
    """Return a bound on how many tables one change leads to, or adds a row to where it is all."""
    if not isinstance(space.relation, AddRemove) or space.ordered:
        return (space.most + 1) * (rows + 1)
    return rows + 1 if space.relation.count == 1 else rows + space.most + 1


def compare_all(space: PairSpace, judge: Judge) -> bool:
    """Compare outputs on all pairs of neighbours, smallest tables first; tell whether all were."""
    for one, other in _pairs(space, _all_outcomes(space, judge)):
        if judge.done:
            return False
        judge.weigh(one, other)
    return judge.witness is None


def _pairs(
    space: PairSpace, outcomes: dict[_Key, list[Outcome]]
) -> Iterator[tuple[Outcome, Outcome]]:
    for key, found in outcomes.items():
        yield from ((each, each) for each in found if each.failure)
        yield from combinations(found, 2)
        for near in _ball(key, space):
            if near > key and near in outcomes:
                yield from product(found, outcomes[near])


def _all_outcomes(space: PairSpace, judge: Judge) -> dict[_Key, list[Outcome]]:
    """Return what the function does on each table: once, or in each order that differs."""
    values = list(space.domain.landmarks())
    found: defaultdict[_Key, list[Outcome]] = defaultdict(list)
    for count in range(space.fewest, space.most + 1):
        for places in product(range(len(values)), repeat=count):
            outcome = judge.outcome(tuple(values[place] for place in places))
            known = found[_key(places, space)]
            if not any(map(outcome.is_like, known)):
                known.append(outcome)
    return dict(found)


def _key(places: _Key, space: PairSpace) -> _Key:
    return places if space.ordered else tuple(sorted(places))


def _ball(key: _Key, space: PairSpace) -> set[_Key]:
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


def _one_change(key: _Key, space: PairSpace) -> Iterator[_Key]:
    rows, places = range(space.domain.size or 0), range(len(key))
    if not isinstance(space.relation, AddRemove):
        for place, row in product(places, rows):
            yield _key((*key[:place], row, *key[place + 1 :]), space)
        return
    yield from (key[:place] + key[place + 1 :] for place in places)
    if len(key) < space.most:
        for place, row in product(range(len(key) + 1), rows):
            yield _key((*key[:place], row, *key[place:]), space)


def step(pair: TablePair, space: PairSpace, random: Random) -> TablePair:
    """Return a pair one move away: another cell, one row more or less, another order."""
    return random.choice(_MOVES)(pair, space, random)


def smaller(pair: TablePair, space: PairSpace, rows: int) -> Iterator[TablePair]:
    """Go through the pairs with so many shared rows less, where tables may be as small."""
    shared = pair.shared
    if min(len(pair.left), len(pair.right)) - rows < space.fewest:
        return
    for start in range(0, len(shared) - rows + 1, rows):
        yield pair.without(shared[start : start + rows])


def _change_a_row(pair: TablePair, space: PairSpace, random: Random) -> TablePair:
    index = random.randrange(len(pair.slots))
    slot = pair.slots[index]
    if slot.shared:
        row = _another(slot.left, pair, space, random)
        return pair.with_slot(index, slot._replace(left=row, right=row))
    on_the_left = slot.right is ABSENT or (slot.left is not ABSENT and random.randrange(2) == 0)
    row = _another(slot.left if on_the_left else slot.right, pair, space, random)
    changed = slot._replace(left=row) if on_the_left else slot._replace(right=row)
    return pair.with_slot(index, changed)


def _another(row: Any, pair: TablePair, space: PairSpace, random: Random) -> Any:
    kind = random.randrange(4)
    if kind == 0:
        return random.choice(space.domain.corners)
    if kind == 1:
        return random.choice(pair.left + pair.right)
    return space.domain.nudge(row, random)


def _add_a_row(pair: TablePair, space: PairSpace, random: Random) -> TablePair:
    if max(len(pair.left), len(pair.right)) >= space.most:
        return _change_a_row(pair, space, random)
    row = random.choice((space.domain.draw(random), *pair.left, *pair.right))
    place = random.choice(pair.slots).place
    index = random.randrange(len(pair.slots) + 1)
    slot = Slot(row, row, shared=True, place=place)
    return TablePair((*pair.slots[:index], slot, *pair.slots[index:]))


def _drop_a_row(pair: TablePair, space: PairSpace, random: Random) -> TablePair:
    shared = pair.shared
    if not shared or min(len(pair.left), len(pair.right)) <= space.fewest:
        return _change_a_row(pair, space, random)
    return pair.without([random.choice(shared)])


def _reorder(pair: TablePair, space: PairSpace, random: Random) -> TablePair:
    """Exchange two rows of the first table, or show those of the second in another order."""
    if not space.ordered and random.randrange(2):
        return space.shuffled(pair, random)
    one, other = (random.randrange(len(pair.slots)) for _ in range(2))
    first, second = pair.slots[one], pair.slots[other]
    return pair.with_slot(one, second).with_slot(other, first)


_MOVES = (*(_change_a_row,) * 4, _add_a_row, _drop_a_row, _reorder)


def check_sensitivity(
    function: Callable[[list[Any]], Any],
    *,
    sensitivity: Any,
    domain: Any,
    sizes: Any = (0, 8),
    relation: Relation | None = None,
    norm: Norm = "l1",
    ordered: bool = False,
    effort: int = 10_000,
    seed: int = 0,
) -> SensitivityReport:
    """Look for two neighbouring tables whose outputs differ by more than was declared.

    All pairs are compared where the domain is listed and small enough; then, and only then, a
    report without a witness is a proof.  Otherwise telling pairs come first (extremes, outliers,
    empty tables, each listed value once), then random ones, from which the search climbs to
    greater distances.  Distances are exact: rounding inside ``function`` is found, and none is
    added.  Outputs that are too far apart by no more than floats round are reported as rounding,
    and the search is made again with all rows as Fractions, where the function then returns
    rationals: these decide.  A function that raises, returns no finite numbers, or returns more or
    other lists of them on some table of the domain is a violation too: it would tell of a row by
    that.

    Parameters
    ----------
    function
        Takes a list of rows and returns a number, or a list or array of numbers.  It must always
        return the same for the same list.
    sensitivity
        What is claimed: a number, meant as the decimal that was written, so ``Fraction(1, 3)``
        rather than ``1 / 3``; or a :class:`Sensitivity`, which is checked in all of its norms.
    domain
        What a row may be: ``(0, 110)`` for the floats between two ends; a list or a range of
        values; a tuple of these, one a column, for rows that are tuples.
    sizes
        How many rows a table may have: a number, or the fewest and the most.
    relation
        Which tables are neighbours: by default what the sensitivity says, or add or remove one row.
    norm
        The norm of a claim that is a number, and that in which the search climbs.
    ordered
        Whether the order of rows is public and kept.  By default it is neither, and a table may be
        given to the function in any order.
    effort
        How many pairs to compare at most.
    seed
        Starts the search.  It is no noise: the same seed finds the same.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.mechanisms.sensitivity import check_sensitivity
    >>> print(check_sensitivity(sum, sensitivity=1, domain=(100, 101)))
    violated (add or remove one row, L1): the outputs are 100 apart in L1, above the declared 1; \
tables [] and [100.0], outputs 0 and 100.0
    >>> check_sensitivity(sum, sensitivity=101, domain=range(100, 102), sizes=(0, 4)).exhausted
    True

    The mean of ten answers of 0 or 1 moves by a tenth, and by a little more in floats:

    >>> mean = check_sensitivity(
    ...     lambda rows: sum(rows) / 10,
    ...     sensitivity="1/10",
    ...     domain=[0, 1],
    ...     sizes=10,
    ...     relation=sf.privacy.Substitute(),
    ... )
    >>> mean.violated, mean.holds, mean.exactly.holds
    (False, False, True)
    """
    claimed = _read_claim(sensitivity, relation, read_norm(norm))
    space = _read_space(domain, sizes, claimed.relation, ordered)
    random = Random(_read_seed(seed))  # noqa: S311  (a search, not noise)
    effort = read_count(effort, "effort")
    judge = Judge(_read_function(function), claimed, norm, effort, _read_slack(sensitivity))
    report = _report(space, judge, random)
    if report.witness is not None or judge.rounding is None:
        return report
    again = judge.afresh(row=in_fractions)
    if not _is_exact(judge.rounding, again):
        return report
    exactly = _report(space, again, Random(_read_seed(seed)))  # noqa: S311  (a search, not noise)
    if exactly.witness is None:
        return replace(report, exactly=exactly)
    if exactly.witness.distance_squared is None:
        # What fails is the function on Fractions, and not the claim.
        return report
    return replace(report, witness=exactly.witness, exhausted=False, exactly=exactly)


def _report(space: PairSpace, judge: Judge, random: Random) -> SensitivityReport:
    """Search, and return what was found."""
    exhausted = can_list(space, judge.effort) and compare_all(space, judge)
    if not exhausted and not judge.done:
        _search(space, judge, random)
    found = (judge.witness, judge.pairs, exhausted, judge.largest, judge.rounding)
    return SensitivityReport(judge.claimed, judge.norm, *found)


def _is_exact(rounded: Witness, judge: Judge) -> bool:
    """Tell whether a function returns rationals where it is given them."""
    outcomes = [judge.outcome(each) for each in (rounded.table, rounded.neighbour)]
    return not any(each.failure or grain(each.output) for each in outcomes)


def _read_slack(sensitivity: Any) -> Fraction:
    """Return by how much a claim that was given as a float may be rounded."""
    if not isinstance(sensitivity, float) or not math.isfinite(sensitivity):
        return Fraction(0)
    return Fraction(math.ulp(sensitivity))


def _read_claim(sensitivity: Any, relation: Any, norm: Norm) -> Sensitivity:
    if not isinstance(sensitivity, Sensitivity):
        known = _read_row_relation(ONE_ROW if relation is None else relation)
        return Sensitivity(**{norm: sensitivity}, relation=known)
    if relation is not None and sensitivity.relation != read_relation(relation):
        raise InputError(
            "E-RELATION-OTHER",
            "the sensitivity is for “{relation}”, not for “{other_relation}”",
            "leave relation= out",
            relation=sensitivity.relation,
            other_relation=relation,
        )
    sensitivity.squared(norm)
    _read_row_relation(sensitivity.relation)
    return sensitivity


def _read_row_relation(relation: Any) -> Relation:
    known = read_relation(relation)
    if isinstance(known.unit, Person):
        raise InputError(
            "E-RELATION-OTHER",
            "the search changes rows, not people",
            "for people who own up to k rows write relation=sf.privacy.AddRemove(k)",
        )
    return known


def _read_space(domain: Any, sizes: Any, relation: Relation, ordered: Any) -> PairSpace:
    space = PairSpace(read_domain(domain), *_read_sizes(sizes), relation, ordered=bool(ordered))
    if not space.shapes:
        raise InputError(
            "E-NEIGHBOURS-NONE",
            "no two tables of {fewest} to {most} rows are neighbours ({relation})",
            "widen sizes=",
            fewest=space.fewest,
            most=space.most,
            relation=relation,
        )
    return space


def _read_sizes(sizes: Any) -> tuple[int, int]:
    fewest, most = sizes if isinstance(sizes, (tuple, list)) and len(sizes) == 2 else (sizes, sizes)
    if not (_is_whole(fewest) and _is_whole(most) and fewest <= most):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "sizes must be a number of rows, or the fewest and the most, not {sizes}",
            "write sizes=(0, 8)",
            sizes=shown(sizes),
        )
    return int(fewest), int(most)


def _read_function(function: Any) -> Callable[[list[Any]], Any]:
    if not callable(function):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "function must take a list of rows, not be {function}",
            "write sum, say",
            function=shown(function),
        )
    taken: Callable[[list[Any]], Any] = function
    return taken


def _read_seed(seed: Any) -> int:
    if not _is_whole(seed):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "seed must be a whole number of 0 or more, not {seed}",
            "write 1, say",
            seed=shown(seed),
        )
    return int(seed)


def _is_whole(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= 0


def _search(space: PairSpace, judge: Judge, random: Random) -> None:
    for pair in patterns(space, judge.effort):
        _measure(pair, space, judge)
        if judge.done:
            return
    while not judge.done:
        _climb(space, judge, random)


def _climb(space: PairSpace, judge: Judge, random: Random) -> None:
    """Step from the best of a few random pairs to ever greater distances, until none is found."""
    best, longest = _start(space, judge, random)
    patience = _PATIENCE
    while patience and not judge.done:
        candidate = step(best, space, random)
        squared = _measure(candidate, space, judge)
        patience = _PATIENCE if squared > longest else patience - 1
        if squared >= longest:
            best, longest = candidate, squared


def _start(space: PairSpace, judge: Judge, random: Random) -> tuple[TablePair, Fraction]:
    best = space.draw(random)
    longest = _measure(best, space, judge)
    for _ in range(_STARTS):
        if judge.done:
            break
        pair = space.draw(random)
        squared = _measure(pair, space, judge)
        if squared > longest:
            best, longest = pair, squared
    return best, longest


def _measure(pair: TablePair, space: PairSpace, judge: Judge) -> Fraction:
    squared = judge.compare(pair.left, pair.right)
    if judge.witness is not None:
        judge.witness = _smallest(judge.witness, pair, space, judge)
    return squared


def _smallest(witness: Witness, pair: TablePair, space: PairSpace, judge: Judge) -> Witness:
    """Leave rows out of a witness as long as it remains one, half of them at once if possible."""
    rows = len(pair.shared)
    while rows:
        for candidate in smaller(pair, space, rows):
            trial = judge.afresh()
            trial.compare(candidate.left, candidate.right)
            if trial.witness is not None:
                witness, pair = trial.witness, candidate
                break
        else:
            rows //= 2
    return witness
