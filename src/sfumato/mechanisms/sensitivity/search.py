"""A search for neighbouring tables that violate a declared sensitivity."""

from __future__ import annotations

from numbers import Integral
from random import Random
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.mechanisms.reading import ONE_ROW
from sfumato.mechanisms.sensitivity.declared import Norm, Sensitivity, read_norm
from sfumato.mechanisms.sensitivity.domains import read_domain
from sfumato.mechanisms.sensitivity.exhaustive import can_list, compare_all
from sfumato.mechanisms.sensitivity.judge import Judge
from sfumato.mechanisms.sensitivity.moves import smaller, step
from sfumato.mechanisms.sensitivity.patterns import patterns
from sfumato.mechanisms.sensitivity.space import Space
from sfumato.mechanisms.sensitivity.statistic import read_known_relation
from sfumato.mechanisms.sensitivity.witness import SensitivityReport
from sfumato.numeric import shown
from sfumato.privacy import Person
from sfumato.privacy.parameters import read_count
from sfumato.privacy.relation import read_relation

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sfumato.mechanisms.sensitivity.neighbours import Pair
    from sfumato.mechanisms.sensitivity.witness import Witness
    from sfumato.privacy import Relation

__all__ = ["check_sensitivity"]

_STARTS = 16
_PATIENCE = 200


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
    added.  A function that raises, returns no finite numbers, or returns more or other lists of
    them on some table of the domain is a violation too: it would tell of a row by that.

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
    >>> from sfumato.mechanisms.sensitivity import check_sensitivity
    >>> print(check_sensitivity(sum, sensitivity=1, domain=(100, 101)))
    violated (add or remove one row, L1): the outputs are 100 apart in L1, above the declared 1; \
tables [] and [100.0], outputs 0 and 100.0
    >>> check_sensitivity(sum, sensitivity=101, domain=range(100, 102), sizes=(0, 4)).exhausted
    True
    """
    claimed = _read_claim(sensitivity, relation, read_norm(norm))
    space = _read_space(domain, sizes, claimed.relation, ordered)
    random = Random(_read_seed(seed))  # noqa: S311  (a search, not noise)
    effort = read_count(effort, "effort")
    judge = Judge(_read_function(function), claimed, norm, effort)
    exhausted = can_list(space, effort) and compare_all(space, judge)
    if not exhausted and not judge.done:
        _search(space, judge, random)
    return SensitivityReport(claimed, norm, judge.witness, judge.pairs, exhausted, judge.largest)


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
    known = read_known_relation(relation)
    if isinstance(known.unit, Person):
        raise InputError(
            "E-RELATION-OTHER",
            "the search changes rows, not people",
            "for people who own up to k rows write relation=sf.privacy.AddRemove(k)",
        )
    return known


def _read_space(domain: Any, sizes: Any, relation: Relation, ordered: Any) -> Space:
    space = Space(read_domain(domain), *_read_sizes(sizes), relation, ordered=bool(ordered))
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


def _search(space: Space, judge: Judge, random: Random) -> None:
    for pair in patterns(space, judge.effort):
        _measure(pair, space, judge)
        if judge.done:
            return
    while not judge.done:
        _climb(space, judge, random)


def _climb(space: Space, judge: Judge, random: Random) -> None:
    """Step from the best of a few random pairs to ever greater distances, until none is found."""
    best, longest = _start(space, judge, random)
    patience = _PATIENCE
    while patience and not judge.done:
        candidate = step(best, space, random)
        squared = _measure(candidate, space, judge)
        patience = _PATIENCE if squared > longest else patience - 1
        if squared >= longest:
            best, longest = candidate, squared


def _start(space: Space, judge: Judge, random: Random) -> tuple[Pair, Fraction]:
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


def _measure(pair: Pair, space: Space, judge: Judge) -> Fraction:
    squared = judge.compare(pair.left, pair.right)
    if judge.witness is not None:
        judge.witness = _smallest(judge.witness, pair, space, judge)
    return squared


def _smallest(witness: Witness, pair: Pair, space: Space, judge: Judge) -> Witness:
    """Leave rows out of a witness as long as it remains one, half of them at once if possible."""
    rows = len(pair.shared)
    while rows:
        for candidate in smaller(pair, space, rows):
            trial = Judge(judge.function, judge.claimed, judge.norm, judge.effort)
            trial.compare(candidate.left, candidate.right)
            if trial.witness is not None:
                witness, pair = trial.witness, candidate
                break
        else:
            rows //= 2
    return witness
