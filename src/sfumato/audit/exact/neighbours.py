"""Which pairs of inputs are neighbours: each unordered pair once, generated as needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb
from typing import Any

from sfumato.audit.exact.datasets import Datasets
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.relation import AddRemove, Relation, Substitute

__all__ = ["Pairs", "neighbouring_pairs", "neighbours_need_inputs", "rowwise_pairs"]

Pair = tuple[Any, Any]
Codes = tuple[int, ...]

_MOST_TABLES = 5_000_000


@dataclass(frozen=True)
class Pairs:
    """Pairs of inputs, and what they are called in a verdict.

    Attributes
    ----------
    pairs
        The pairs to examine.
    words
        What the pairs are called.
    covered
        How many pairs those that are listed stand for; None for themselves.

    Examples
    --------
    >>> from sfumato.audit.exact.neighbours import Pairs
    >>> Pairs([("yes", "no")], "pairs of neighbouring inputs").scope(1)
    'the one pair of neighbouring inputs'
    """

    pairs: Iterable[Pair]
    words: str
    covered: int | None = None

    def scope(self, count: int) -> str:
        """Return so many of the pairs in words.

        Examples
        --------
        >>> from sfumato.audit.exact.neighbours import Pairs
        >>> Pairs([], "given pairs").scope(2)
        'the 2 given pairs'
        """
        if count == 1:
            one = self.words.replace("pairs", "pair", 1).replace("test it", "tests it")
            return f"the one {one}"
        start = "all" if self.words.startswith("pairs of") else "the"
        return f"{start} {count:,} {self.words}"


def hardest_pairs(neighbours: Any) -> Pairs:
    """Return the pairs that a mechanism names as its hardest test.

    Examples
    --------
    >>> from sfumato.audit.exact.neighbours import hardest_pairs
    >>> hardest_pairs([(0, 1)]).scope(1)
    'the one pair that tests it hardest'
    """
    return Pairs(_given(neighbours), "pairs that test it hardest")


def neighbouring_pairs(inputs: Any, neighbours: Any) -> Pairs:
    """Return the neighbouring pairs among inputs, by a relation, pairs, a predicate or "all".

    Examples
    --------
    >>> from sfumato.audit.exact.neighbours import neighbouring_pairs
    >>> from sfumato.privacy import Substitute
    >>> list(neighbouring_pairs(["a", "b", "c"], Substitute()).pairs)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    if neighbours_need_inputs(neighbours) and not isinstance(inputs, Iterable):
        message = f"inputs must be a list of inputs or Datasets, not {shown(inputs)}"
        raise InputError(message)
    if isinstance(neighbours, Relation):
        return _related(inputs, neighbours)
    if isinstance(neighbours, str) and neighbours == "all":
        return Pairs(combinations(inputs, 2), "pairs of inputs")
    if callable(neighbours):
        return Pairs(_chosen(inputs, neighbours), "pairs of neighbouring inputs")
    return Pairs(_given(neighbours), "given pairs")


def neighbours_need_inputs(neighbours: Any) -> bool:
    """Tell whether neighbours are looked for among inputs; pairs that are given are not.

    Examples
    --------
    >>> from sfumato.audit.exact.neighbours import neighbours_need_inputs
    >>> neighbours_need_inputs("all"), neighbours_need_inputs([(0, 1)])
    (True, False)
    """
    return isinstance(neighbours, (str, Relation)) or callable(neighbours)


def rowwise_pairs(tables: Datasets, relation: Substitute) -> Pairs:
    """Return pairs that stand for all, where every row is treated by itself.

    Rows that are equal cancel, and neighbours that differ in fewer rows tell less: so it is
    enough to change the first rows of one table, as many as may be, in every way.

    Examples
    --------
    >>> from sfumato.audit.exact.datasets import Datasets
    >>> from sfumato.audit.exact.neighbours import rowwise_pairs
    >>> from sfumato.privacy import Substitute
    >>> found = rowwise_pairs(Datasets([0, 1], size=20), Substitute())
    >>> len(list(found.pairs)), found.covered
    (1, 10485760)
    """
    kinds, most = len(tables.values), tables.sizes[-1]
    pairs = _changed_first_rows(tables, min(relation.count, most), most)
    covered = sum(
        kinds**size * comb(size, rows) * (kinds - 1) ** rows // 2
        for size in tables.sizes
        for rows in range(1, min(relation.count, size) + 1)
    )
    return Pairs(pairs, _tables_in_words(tables), covered)


def _changed_first_rows(tables: Datasets, changed: int, size: int) -> Iterator[Pair]:
    rest = (tables.values[0],) * (size - changed)
    changes = list(permutations(range(len(tables.values)), 2))
    for chosen in combinations_with_replacement(changes, changed) if changed else ():
        first, second = zip(*chosen, strict=True)
        if sorted((b, a) for a, b in chosen) >= list(chosen):
            yield (*tables.named(first), *rest), (*tables.named(second), *rest)


def _given(neighbours: Any) -> list[Pair]:
    wanted = "an iterable of pairs of inputs, a relation such as sf.Substitute(), a function, 'all'"
    if isinstance(neighbours, str) or not isinstance(neighbours, Iterable):
        message = f"neighbours must be one of: {wanted}; {shown(neighbours)} is not"
        raise InputError(message)
    pairs = list(neighbours)
    for each in pairs:
        if not isinstance(each, (tuple, list)) or len(each) != 2:
            message = f"neighbours has an entry that is no pair, {shown(each)}; write (a, b)"
            raise InputError(message)
    return [(first, second) for first, second in pairs]


def _chosen(inputs: Iterable[Any], predicate: Callable[[Any, Any], Any]) -> Iterator[Pair]:
    pairs = combinations(inputs, 2)
    return ((a, b) for a, b in pairs if predicate(a, b) or predicate(b, a))


def _related(inputs: Any, relation: Relation) -> Pairs:
    if not isinstance(inputs, Datasets):
        near = _nearness(relation)
        return Pairs(_chosen(inputs, near), "pairs of neighbouring inputs")
    if inputs.count > _MOST_TABLES:
        message = (
            f"there are more than {_MOST_TABLES:,} tables to go through; give fewer rows, "
            "ordered=False if their order is all the same, or each(...) if each counts by itself"
        )
        raise InputError(message)
    return Pairs(_neighbours_within(inputs, relation), _tables_in_words(inputs))


def _tables_in_words(tables: Datasets) -> str:
    rows = f"{tables.sizes[0]}" if len(tables.sizes) == 1 else f"at most {tables.sizes[-1]}"
    return f"pairs of neighbouring tables of {rows} {'row' if rows == '1' else 'rows'}"


def _nearness(relation: Relation) -> Callable[[Any, Any], bool]:
    """Return the predicate of a relation on inputs; one that is no table is a table of one row."""
    distance = _substitutions if isinstance(relation, Substitute) else _additions
    return lambda a, b: distance(_rows(a), _rows(b)) <= relation.count


def _rows(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (tuple, list)) else (value,)


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


def _neighbours_within(tables: Datasets, relation: Relation) -> Iterator[Pair]:
    """Iterate over the neighbouring pairs of a domain, the lesser table first."""
    changed = _changes(tables, relation)
    for codes in tables.codes():
        first = tables.named(codes)
        for other in sorted(changed(codes)):
            if (len(other), other) > (len(codes), codes) and len(other) in tables.sizes:
                yield first, tables.named(other)


def _changes(tables: Datasets, relation: Relation) -> Callable[[Codes], set[Codes]]:
    """Return the function that gives every table within a relation of one."""
    values, count = range(len(tables.values)), relation.count
    if isinstance(relation, Substitute) and tables.ordered:
        return lambda codes: _substituted(codes, values, count)
    balanced = isinstance(relation, Substitute)
    if not balanced and not isinstance(relation, AddRemove):
        message = f"neighbours must be Substitute or AddRemove on Datasets, not {relation}"
        raise InputError(message)
    return lambda codes: _moved(codes, values, count, balanced=balanced, ordered=tables.ordered)


def _substituted(codes: Codes, values: range, count: int) -> set[Codes]:
    """Return the tables that differ in at most so many rows."""
    found: set[Codes] = set()
    for places in combinations(range(len(codes)), min(count, len(codes))):
        for chosen in product(values, repeat=len(places)):
            table = list(codes)
            for place, value in zip(places, chosen, strict=True):
                table[place] = value
            found.add(tuple(table))
    return found


def _moved(codes: Codes, values: range, count: int, *, balanced: bool, ordered: bool) -> set[Codes]:
    """Return the tables reached by removing rows and adding others, as many where balanced."""
    found: set[Codes] = set()
    removed = {codes}
    for gone in range(min(count, len(codes)) + 1):
        reached = removed
        for _ in range(gone if balanced else count - gone):
            more = {each for table in reached for each in _with_one_more(table, values, ordered)}
            reached = more if balanced else reached | more
        found |= reached
        removed = {table[:i] + table[i + 1 :] for table in removed for i in range(len(table))}
    return found


def _with_one_more(codes: Codes, values: range, ordered: bool) -> Iterator[Codes]:  # noqa: FBT001
    for value in values:
        if not ordered:
            yield tuple(sorted((*codes, value)))
            continue
        for place in range(len(codes) + 1):
            yield (*codes[:place], value, *codes[place:])
