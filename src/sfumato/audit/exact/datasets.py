"""All tables of a finite domain, and those that a few changes of rows lead to."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import read_count, shown
from sfumato.privacy import AddRemove, Relation, Substitute
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator


class Datasets:
    """All tables of so many rows over some values; a table is a tuple of rows.

    Parameters
    ----------
    values
        What a row can be.
    size
        How many rows every table has; or give ``most``.
    most
        How many rows a table has at most.
    ordered
        False for mechanisms to which the order of the rows is all the same: then each multiset of
        rows is one table, in the order of the values.

    Examples
    --------
    >>> from sfumato.audit.exact.datasets import Datasets
    >>> list(Datasets(["a", "b"], size=2, ordered=False))
    [('a', 'a'), ('a', 'b'), ('b', 'b')]
    >>> len(Datasets([0, 1], most=3))
    15
    """

    def __init__(
        self,
        values: Iterable[Hashable],
        *,
        size: int | None = None,
        most: int | None = None,
        ordered: bool = True,
    ) -> None:
        self.values = _read_values(values)
        if (size is None) == (most is None):
            raise InputError(
                "E-ARGUMENT-CONFLICT",
                "Datasets takes either size or most, the number of rows",
                "write {size}, say",
                size=Argument("size", 3),
            )
        given, name = (size, "size") if most is None else (most, "most")
        last = read_count(given, name, least=0, write=Argument(name, 3))
        self.sizes = range(last, last + 1) if most is None else range(last + 1)
        self.ordered = ordered

    def __iter__(self) -> Iterator[tuple[Hashable, ...]]:
        return (self.named(each) for each in self.codes())

    def __len__(self) -> int:
        return self.count

    @property
    def count(self) -> int:
        """How many tables there are; unlike a length it may be vast.

        Examples
        --------
        >>> from sfumato.audit.exact.datasets import Datasets
        >>> Datasets([0, 1], size=100).count == 2**100
        True
        """
        kinds = len(self.values)
        if self.ordered:
            return sum(kinds**size for size in self.sizes)
        return sum(comb(kinds + size - 1, size) for size in self.sizes)

    def codes(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the tables, each row as the place of its value.

        Examples
        --------
        >>> from sfumato.audit.exact.datasets import Datasets
        >>> list(Datasets(["a", "b"], size=1).codes())
        [(0,), (1,)]
        """
        places = range(len(self.values))
        for size in self.sizes:
            if self.ordered:
                yield from product(places, repeat=size)
            else:
                yield from combinations_with_replacement(places, size)

    def named(self, codes: tuple[int, ...]) -> tuple[Hashable, ...]:
        """Return a table of values from one of places.

        Examples
        --------
        >>> from sfumato.audit.exact.datasets import Datasets
        >>> Datasets(["a", "b"], size=2).named((1, 0))
        ('b', 'a')
        """
        return tuple(self.values[code] for code in codes)

    def __repr__(self) -> str:
        rows = f"size={self.sizes[0]}" if len(self.sizes) == 1 else f"most={self.sizes[-1]}"
        order = "" if self.ordered else ", ordered=False"
        return f"Datasets({shown(list(self.values))}, {rows}{order})"


def _read_values(values: Any) -> tuple[Hashable, ...]:
    try:
        found = tuple(values)
        distinct = len(set(found)) == len(found)
    except TypeError:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "values must be a list of what a row can be, not {values}",
            values=shown(values),
        ) from None
    if not found or not distinct:
        raise InputError(
            "E-ARGUMENT-TWICE",
            "values must name at least one value, and each once",
            "write [0, 1], say",
        )
    return found


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
