"""Kinds of people: those who fit the same classes in every one of several tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING

from sfumato.data.arrow import in_memory
from sfumato.errors import InputError
from sfumato.risk.attacks.lookalikes import MOST_PAIRS
from sfumato.risk.attacks.witnesses import told_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import ibis.expr.types as ir

    from sfumato.risk.attacks.lookalikes import Lookalikes
    from sfumato.risk.attacks.witnesses import Relation

__all__ = ["MOST_KINDS", "Kinds", "kinds_of"]

#: How many combinations of values are looked at where classes overlap.
MOST_KINDS = 2_000_000


@dataclass(frozen=True)
class Kinds:
    """Kinds of people, and the classes that they fit.

    Attributes
    ----------
    table
        One row a kind: ``kind``, and the keys with the value of one such person.
    members
        For each table of the classes: ``kind`` and ``member``, the class.
    complete
        Whether all kinds of people are there.
    """

    table: ir.Table = field(repr=False)
    members: tuple[ir.Table, ...] = field(repr=False)
    complete: bool


def kinds_of(classes: Sequence[Lookalikes], keep: Callable[[ir.Table], ir.Table]) -> Kinds:
    """Return the kinds of people who may be in all tables.

    Where cells overlap, somebody may be in one of them alone, or in several: such people are of
    different kinds.  Where there are too many kinds, some of each class are looked at.

    Parameters
    ----------
    classes
        The tables, in one engine.
    keep
        From ``keeping``.
    """
    columns = [
        told_apart([each.columns[place] for each in classes], name)
        for place, name in enumerate(classes[0].on)
    ]
    return _Search(classes, list(zip(*columns, strict=True)), keep).kinds()


@dataclass(frozen=True)
class _Search:
    """The tables, the values that tell people apart in each of them, and their engine."""

    classes: Sequence[Lookalikes]
    relations: Sequence[Sequence[Relation]]
    keep: Callable[[ir.Table], ir.Table] = field(repr=False)

    def kinds(self) -> Kinds:
        sizes = [self._size(place) for place in range(len(self.classes))]
        start = sizes.index(min(sizes))
        most = self._most_of_a_cell(start) if sizes[start] > MOST_KINDS else 0
        people = self._people(start, most)
        members = [self._members(people, place) for place in range(len(self.classes))]
        for each in members:
            people = people.semi_join(each, "kind")
        people = self.keep(people)
        if any(_overlap(each) for every in self.relations for each in every):
            people = self.keep(people.semi_join(_first_of_each(people, members), "kind"))
        return Kinds(
            people, tuple(each.semi_join(people, "kind") for each in members), complete=not most
        )

    def _size(self, place: int, most: int = 0) -> float:
        """Return how many combinations of values the classes of a table have, each by itself."""
        import ibis

        table = self.classes[place].table
        ways = ibis.literal(1.0)
        for key, relation in zip(self.classes[place].keys, self.relations[place], strict=True):
            if relation is not None:
                counts = {cell: len(each) for cell, each in _by_cell(relation, most).items()}
                numbers = _memory({f"cell_{key}": list(counts), f"n_{key}": list(counts.values())})
                table = table.join(numbers, [(key, f"cell_{key}")])
        for name in table.columns:
            ways = ways * table[name].cast("float64") if name.startswith("n_") else ways
        query = table.mutate(ways=ways).aggregate(size=lambda each: each.ways.sum())
        found = self.classes[place].source.fetch(query).to_pylist()[0]["size"]
        return float(found or 0)

    def _most_of_a_cell(self, place: int) -> int:
        """Return how many values of each cell can be looked at."""
        most = 64
        while most > 1 and self._size(place, most) > MOST_KINDS:
            most //= 2
        if self._size(place, most) > MOST_PAIRS:
            raise InputError(
                "E-TOO-LARGE",
                "{name} has more than {most_pairs:,} kinds of people, too many to look at",
                "name fewer columns",
                name=self.classes[place].source.name,
                most_pairs=MOST_PAIRS,
            )
        return most

    def _people(self, start: int, most: int) -> ir.Table:
        """Return combinations of values that a table has: ``kind`` and the keys."""
        import ibis

        own = self.classes[start]
        table = own.table.select(*own.keys)
        for key, relation in zip(own.keys, self.relations[start], strict=True):
            if relation is not None:
                by_cell = _by_cell(relation, most)
                pairs = [(cell, value) for cell, values in by_cell.items() for value in values]
                table = _through(table, key, pairs)
        people = table.distinct()
        numbered = ibis.row_number().over(ibis.window(order_by=list(own.keys)))
        return self.keep(people.mutate(kind=numbered))

    def _members(self, people: ir.Table, place: int) -> ir.Table:
        """Return which classes of a table people fit: ``kind`` and ``member``."""
        own = self.classes[place]
        for key, relation in zip(own.keys, self.relations[place], strict=True):
            if relation is not None:
                pairs = [(value, cell) for value, cells in relation.items() for cell in cells]
                people = _through(people, key, pairs)
        classes = own.table.select(member="id", **{f"their_{key}": key for key in own.keys})
        same = [(key, f"their_{key}") for key in own.keys]
        members = people.join(classes, same).select("kind", "member")
        kept = self.keep(members.limit(MOST_PAIRS + 1))
        count = own.source.fetch(kept.aggregate(pairs=kept.count())).to_pylist()[0]["pairs"]
        if count > MOST_PAIRS:
            raise InputError(
                "E-TOO-LARGE",
                "more than {most_pairs:,} pairs of a kind of person and rows of {name} fit "
                "each other, too many to tell anybody apart",
                "name more columns, or intersect fewer releases",
                most_pairs=MOST_PAIRS,
                name=own.source.name,
            )
        return kept


def _overlap(relation: Relation) -> bool:
    return relation is not None and any(len(cells) > 1 for cells in relation.values())


def _by_cell(relation: dict[str, tuple[str, ...]], most: int) -> dict[str, list[str]]:
    """Return the values in each cell; at most so many, and all of them with 0."""
    found: dict[str, list[str]] = {}
    for value, cells in relation.items():
        for cell in cells:
            found.setdefault(cell, []).append(value)
    return {cell: _some(values, most) for cell, values in found.items()}


def _some(values: list[str], most: int) -> list[str]:
    step = -(-len(values) // most) if most else 1
    return values[::step]


def _through(table: ir.Table, key: str, pairs: Sequence[tuple[str, str]]) -> ir.Table:
    """Return a table with the cells of a key replaced by all those that they are paired with."""
    ones, others = [one for one, _ in pairs], [other for _, other in pairs]
    paired = _memory({"one": ones, "other": others})
    joined = table.join(paired, [(key, "one")])
    return joined.select(**{name: "other" if name == key else name for name in table.columns})


def _memory(columns: dict[str, list[str] | list[int]]) -> ir.Table:
    return in_memory(
        columns, {name: "int64" if name.startswith("n_") else "string" for name in columns}
    )


def _first_of_each(people: ir.Table, members: Sequence[ir.Table]) -> ir.Table:
    """Return one of those people who fit the same classes in every table."""
    lists = [
        each.group_by("kind").agg(
            **{f"m{place}": each.member.cast("string").collect().sort().join(",")}
        )
        for place, each in enumerate(members)
    ]
    fitting = reduce(
        lambda before, each: before.join(each, "kind"), [people.select("kind"), *lists]
    )
    return fitting.group_by([f"m{place}" for place in range(len(members))]).agg(
        kind=fitting.kind.min()
    )
