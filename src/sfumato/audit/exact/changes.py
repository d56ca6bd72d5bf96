"""The tables that a few changes of rows lead to, within a finite domain."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.privacy.relation import AddRemove, Relation, Substitute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.audit.exact.datasets import Datasets

__all__ = ["neighbours_within"]

Codes = tuple[int, ...]


def neighbours_within(tables: Datasets, relation: Relation) -> Iterator[tuple[Any, Any]]:
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
        raise InputError(
            "E-RELATION-UNKNOWN",
            "neighbours must be Substitute or AddRemove on Datasets, not {relation}",
            relation=relation,
        )
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
