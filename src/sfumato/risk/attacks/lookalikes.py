"""Tables grouped in their engine into equivalence classes, and which of them fit each other."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

from sfumato.data import Source, gathered, in_memory, open_source, open_sources
from sfumato.errors import InputError
from sfumato.refusal import all_of
from sfumato.risk.attacks.cells import read_cells, true_or_false, written
from sfumato.risk.attacks.pairing import fitting_pairs, only_equal_ones_fit, told_apart
from sfumato.risk.attacks.sensitive import written_alike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import ibis.expr.types as ir

    from sfumato.risk.attacks.cells import Cell
    from sfumato.risk.attacks.pairing import Relation


#: How many pairs of classes may fit before an attack is too broad to be of use.
MOST_PAIRS = 10_000_000


@dataclass(frozen=True)
class Lookalikes:
    """The rows of a table, counted by their quasi-identifiers.

    Attributes
    ----------
    source
        The table.
    on
        What others may know.
    keys
        The columns of ``cells`` and ``table`` that others may know, as text; a null is a star.
    cells
        One row a class and sensitive value: ``id``, the keys, ``value`` (null where it is empty)
        and the number ``n``.
    table
        One row a class: ``id``, the keys, and the number ``n``.
    columns
        For each key what may be behind the cells that occur, sorted.
    """

    source: Source
    on: tuple[str, ...]
    keys: tuple[str, ...]
    cells: ir.Table = field(repr=False)
    table: ir.Table = field(repr=False)
    columns: tuple[list[Cell], ...] = field(repr=False)
    rows: int


def opened(*tables: Any) -> tuple[Source, ...]:
    """Return tables in one engine: paths, frames, or what is open already."""
    if not any(isinstance(each, Source) for each in tables):
        return open_sources(*tables)
    return gathered([each if isinstance(each, Source) else open_source(each) for each in tables])


@contextmanager
def keeping(source: Source) -> Iterator[Callable[[ir.Table], ir.Table]]:
    """Give a way to have the engine keep results, which are forgotten when the block ends."""
    kept: list[ir.Table] = []

    def keep(query: ir.Table) -> ir.Table:
        kept.append(source.keep(query))
        return kept[-1]

    try:
        yield keep
    finally:
        for each in reversed(kept):
            source.forget(each)


def check_common(sources: Sequence[Source], sensitive: str | None = None) -> None:
    """Refuse tables that have no column in common, besides the sensitive one."""
    shared = set.intersection(*(set(each.column_names) for each in sources)) - {sensitive}
    if not shared:
        raise InputError(
            "E-COLUMNS-NOT-SHARED",
            "{names} have no column in common to match people by",
            "name their columns alike",
            names=all_of(each.name for each in sources),
        )


def lookalikes_of(
    source: Source,
    on: Sequence[str],
    sensitive: str | None,
    keep: Callable[[ir.Table], ir.Table],
    *,
    beside: Sequence[Source],
    sharing: Sequence[Source] = (),
    who: str | None = None,
) -> Lookalikes:
    """Return the classes of a table.

    Parameters
    ----------
    source
        The table.
    on
        What others may know.
    sensitive
        What they must not; there may be none.
    keep
        From ``keeping``.
    beside
        The tables whose cells are compared, this one among them.
    sharing
        Those of them whose sensitive values are compared as well.
    who
        A column that says who a row is about; people with different names are different classes.
    """
    import ibis

    keys = tuple(f"key{place}" for place in range(len(on)))
    columns = {key: _known(source, name, beside) for key, name in zip(keys, on, strict=True)}
    secret = ibis.null("string") if sensitive is None else _secret(source, sensitive, sharing)
    named = ibis.literal("") if who is None else written(source.table[who]).fill_null("")
    rows = source.table.select(**columns, who=named, value=secret)
    people = [*keys, "who"]
    counted = rows.group_by([*people, "value"]).agg(n=rows.count())
    cells = keep(counted.mutate(id=ibis.dense_rank().over(ibis.window(order_by=people))))
    table = keep(cells.group_by(["id", *people]).agg(n=cells.n.sum()))
    total = source.fetch(table.aggregate(rows=table.n.sum())).to_pylist()[0]["rows"]
    if not total:
        raise InputError(
            "E-TABLE-EMPTY",
            "{source} has no rows below its header",
            "there is nothing to attack",
            source=source.name,
        )
    occurring = tuple(read_cells(_distinct(source, table, key)) for key in keys)
    return Lookalikes(source, tuple(on), keys, cells, table, occurring, int(total))


def _known(source: Source, name: str, beside: Sequence[Source]) -> ir.Value:
    columns = [each.table[name] for each in beside]
    return true_or_false(source.table[name], columns).fill_null("*")


def _secret(source: Source, name: str, sharing: Sequence[Source]) -> ir.Value:
    columns = [each.table[name] for each in sharing or [source]]
    return written_alike(source.table[name], columns, name)


def _distinct(source: Source, table: ir.Table, key: str) -> list[str]:
    return sorted(source.fetch(table.select(key).distinct())[key].to_pylist())


def fitting(left: Lookalikes, right: Lookalikes, keep: Callable[[ir.Table], ir.Table]) -> ir.Table:
    """Return which classes of two tables fit each other, as ``left`` and ``right``."""
    pairs = keep(_joined(left, right, _relations(left, right)).limit(MOST_PAIRS + 1))
    count = left.source.fetch(pairs.aggregate(pairs=pairs.count())).to_pylist()[0]["pairs"]
    if count > MOST_PAIRS:
        raise InputError(
            "E-TOO-LARGE",
            "more than {most_pairs:,} pairs of {name} and {other_name} fit each other, too many "
            "to tell anybody apart",
            "name more columns that both have",
            most_pairs=MOST_PAIRS,
            name=left.source.name,
            other_name=right.source.name,
        )
    return pairs


def _relations(left: Lookalikes, right: Lookalikes) -> list[set[tuple[str, str]]]:
    columns = zip(left.columns, right.columns, left.on, strict=True)
    return [_relation(ours, theirs, name) for ours, theirs, name in columns]


def _relation(left: list[Cell], right: list[Cell], name: str) -> set[tuple[str, str]]:
    """Return which cells fit each other; nothing where only equal ones do."""
    if only_equal_ones_fit(left, right):
        return set()
    pairs = fitting_pairs(left, right, name=repr(name))
    return pairs if any(one != other for one, other in pairs) else set()


def _joined(
    left: Lookalikes, right: Lookalikes, relations: Sequence[set[tuple[str, str]]]
) -> ir.Table:
    """Return the join of the classes, through a table of fitting cells where there is one."""
    ours = left.table.select(left="id", **{f"our_{key}": key for key in left.keys})
    theirs = right.table.select(right="id", **{f"their_{key}": key for key in right.keys}).view()
    conditions = []
    for key, relation in zip(left.keys, relations, strict=True):
        if not relation:
            conditions.append((f"our_{key}", f"their_{key}"))
            continue
        names = {f"one_{key}": "string", f"other_{key}": "string"}
        pairs = in_memory(_columns(relation, list(names)), names)
        ours = ours.join(pairs, [(f"our_{key}", f"one_{key}")])
        conditions.append((f"other_{key}", f"their_{key}"))
    return ours.join(theirs, conditions).select("left", "right")


def _columns(relation: set[tuple[str, str]], names: list[str]) -> dict[str, list[str]]:
    ones, others = zip(*sorted(relation), strict=True)
    return dict(zip(names, (list(ones), list(others)), strict=True))


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
