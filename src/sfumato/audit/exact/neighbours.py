"""Which pairs of inputs are neighbours: each unordered pair once, generated as needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import signature
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from typing import Any

from sfumato.audit.exact.datasets import Datasets, neighbours_within
from sfumato.audit.exact.outcomes import has_columns, rows_of
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.printing import counted
from sfumato.privacy import Relation, Substitute
from sfumato.refusal import Argument
from sfumato.translation import mark, tr, tr_n

Pair = tuple[Any, Any]

_MOST_TABLES = 5_000_000
_FEWER_TABLES = mark(
    "give fewer rows, ordered=False if their order is all the same, "
    "or each(...) if each counts by itself"
)
_FEWER_PAIRS = mark("give fewer values, or a relation of fewer rows")


@dataclass(frozen=True)
class Pairs:
    """Pairs of inputs, and what they are called in a verdict.

    Attributes
    ----------
    pairs
        The pairs to examine.
    words
        What so many of the pairs are called.
    covered
        How many pairs those that are listed stand for; None for themselves.
    """

    pairs: Iterable[Pair]
    words: Callable[[int], str]
    covered: int | None = None


def hardest_pairs(neighbours: Any) -> Pairs:
    """Return the pairs that a mechanism names as its hardest test."""
    pairs = _given(neighbours)
    if not pairs:
        raise InputError(
            "E-NEIGHBOURS-MISSING",
            "this mechanism names no pairs that test it hardest",
            "write neighbours=[(a, b)]",
        )
    return Pairs(pairs, _hardest)


def neighbouring_pairs(inputs: Any, neighbours: Any) -> Pairs:
    """Return the neighbouring pairs among inputs, by a relation, pairs, a predicate or "all"."""
    listed = (
        isinstance(inputs, Iterable) and not isinstance(inputs, str) and not has_columns(inputs)
    )
    if neighbours_need_inputs(neighbours) and not listed:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{argument} must be a list of inputs or Datasets, not {inputs}",
            inputs=shown(inputs),
            argument=Argument("inputs"),
        )
    if isinstance(neighbours, type) and issubclass(neighbours, Relation):
        raise InputError(
            "E-RELATION-UNKNOWN",
            "neighbours is a class of relations",
            "write sf.privacy.{kind}()",
            kind=neighbours.__name__,
        )
    unknown = isinstance(neighbours, str) and neighbours != "all"
    if unknown or not neighbours_need_inputs(neighbours):
        return Pairs(_given(neighbours), _as_given)
    return _found_among(inputs, neighbours)


def _found_among(inputs: Iterable[Any], neighbours: Any) -> Pairs:
    """Return the pairs that are looked for among inputs."""
    if isinstance(inputs, Datasets):
        _check_count(inputs.count, mark("tables"), _FEWER_TABLES)
        if isinstance(neighbours, Relation):
            return Pairs(neighbours_within(inputs, neighbours), partial(_of_tables, inputs))
    if isinstance(neighbours, Relation):
        return Pairs(_near(inputs, neighbours), _of_neighbours)
    if isinstance(neighbours, str):
        return Pairs(combinations(inputs, 2), _of_inputs)
    return Pairs(_chosen(inputs, neighbours), _of_neighbours)


def neighbours_need_inputs(neighbours: Any) -> bool:
    """Tell whether neighbours are looked for among inputs; pairs that are given are not."""
    return isinstance(neighbours, (str, Relation)) or callable(neighbours)


def rowwise_pairs(tables: Datasets, relation: Substitute) -> Pairs:
    """Return pairs that stand for all, where every row is treated by itself.

    Rows that are equal cancel, and neighbours that differ in fewer rows tell less: so it is
    enough to change the first rows of one table, as many as may be, in every way.
    """
    kinds, most = len(tables.values), tables.sizes[-1]
    changed = min(relation.count, most)
    listed = comb(kinds * (kinds - 1) + changed - 1, changed) if changed else 0
    _check_count(listed, mark("pairs of tables"), _FEWER_PAIRS)
    pairs = _changed_first_rows(tables, changed, most)
    covered = sum(
        kinds**size * comb(size, rows) * (kinds - 1) ** rows // 2
        for size in tables.sizes
        for rows in range(1, min(relation.count, size) + 1)
    )
    return Pairs(pairs, partial(_of_tables, tables), covered)


def _changed_first_rows(tables: Datasets, changed: int, size: int) -> Iterator[Pair]:
    rest = (tables.values[0],) * (size - changed)
    changes = list(permutations(range(len(tables.values)), 2))
    for chosen in combinations_with_replacement(changes, changed) if changed else ():
        first, second = zip(*chosen, strict=True)
        if sorted((b, a) for a, b in chosen) >= list(chosen):
            yield (*tables.named(first), *rest), (*tables.named(second), *rest)


def _given(neighbours: Any) -> list[Pair]:
    if isinstance(neighbours, str) or not isinstance(neighbours, Iterable):
        raise InputError(
            "E-RELATION-UNKNOWN",
            "neighbours must be one of: an iterable of pairs of inputs, a relation such as "
            "sf.privacy.Substitute(), a function, 'all'",
            "{neighbours} is not",
            neighbours=shown(neighbours),
        )
    pairs = list(neighbours)
    for each in pairs:
        if not isinstance(each, (tuple, list)) or len(each) != 2:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "neighbours has an entry that is no pair, {each}",
                "write (a, b)",
                each=shown(each),
            )
    return [(first, second) for first, second in pairs]


def _check_count(count: int, what: str, advice: str) -> None:
    """Refuse to go through more than can be."""
    if count > _MOST_TABLES:
        raise InputError(
            "E-TOO-LARGE",
            "there are more than {most_tables:,} {what} to go through",
            "{advice}",
            most_tables=_MOST_TABLES,
            what=what,
            advice=advice,
        )


def _chosen(inputs: Iterable[Any], predicate: Callable[[Any, Any], Any]) -> Iterator[Pair]:
    _check_two_arguments(predicate)

    def near(a: Any, b: Any) -> bool:
        return _is_true(predicate(a, b)) or _is_true(predicate(b, a))

    return ((a, b) for a, b in combinations(inputs, 2) if near(a, b))


def _check_two_arguments(predicate: Callable[[Any, Any], Any]) -> None:
    try:
        wanted = signature(predicate)
    except (TypeError, ValueError):  # what is not written in Python may have none
        return
    try:
        wanted.bind(None, None)
    except TypeError:
        raise InputError(
            "E-FUNCTION-SIGNATURE",
            "neighbours takes a function of two inputs",
            "write lambda a, b: abs(a - b) <= 1",
        ) from None


def _is_true(found: Any) -> bool:
    try:
        return bool(found)
    except (TypeError, ValueError):
        raise InputError(
            "E-FUNCTION-RESULT",
            "neighbours is a function that returned {found}",
            "let it return True or False",
            found=shown(found),
        ) from None


def _hardest(count: int) -> str:
    return tr_n(
        "the one pair that tests it hardest",
        "the {count:,} pairs that test it hardest",
        count,
        count=count,
    )


def _as_given(count: int) -> str:
    return tr_n("the one given pair", "the {count:,} given pairs", count, count=count)


def _of_inputs(count: int) -> str:
    return tr_n("the one pair of inputs", "all {count:,} pairs of inputs", count, count=count)


def _of_neighbours(count: int) -> str:
    return tr_n(
        "the one pair of neighbouring inputs",
        "all {count:,} pairs of neighbouring inputs",
        count,
        count=count,
    )


def _of_tables(tables: Datasets, count: int) -> str:
    rows = counted(tables.sizes[-1], "row")
    return tr_n(
        "the one pair of neighbouring tables of {rows}",
        "all {count:,} pairs of neighbouring tables of {rows}",
        count,
        count=count,
        rows=rows if len(tables.sizes) == 1 else tr("at most {rows}", rows=rows),
    )


def _near(inputs: Iterable[Any], relation: Relation) -> Iterator[Pair]:
    """Iterate over the pairs within a relation; an input that is no table is one of one row."""
    distance = _substitutions if isinstance(relation, Substitute) else _additions
    tables = [(each, _rows(each)) for each in inputs]
    for (first, rows), (second, others) in combinations(tables, 2):
        if distance(rows, others) <= relation.count:
            yield first, second


def _rows(value: Any) -> Sequence[Any]:
    rows = rows_of(value)
    return [value] if rows is None else rows


def _substitutions(a: Sequence[Any], b: Sequence[Any]) -> float:
    """Return at how many rows two tables differ; infinitely many if their lengths do."""
    return sum(x != y for x, y in zip(a, b, strict=True)) if len(a) == len(b) else float("inf")


def _additions(a: Sequence[Any], b: Sequence[Any]) -> int:
    """Return how many rows are added or removed on the shortest way between two tables."""
    before = list(range(len(b) + 1))
    for i, row in enumerate(a, start=1):
        now = [i]
        for j, other in enumerate(b, start=1):
            now.append(before[j - 1] if row == other else 1 + min(before[j], now[j - 1]))
        before = now
    return before[-1]
