"""Kinds of people: who lies in which cells of several tables at once, where cells overlap.

56 is in ``50-60``, in ``55-65`` and in a star.  Whatever value somebody has, one of the values
found here lies in exactly the same cells of every table.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal, localcontext
from functools import reduce
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from sfumato.data import in_memory
from sfumato.errors import InputError
from sfumato.risk.attacks.cells import PublishedCell, Span, point
from sfumato.risk.attacks.lookalikes import MOST_PAIRS, Lookalikes
from sfumato.risk.attacks.pairing import alike, fitting_one_by_one, only_equal_ones_fit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import ibis.expr.types as ir

    Cells = Sequence[PublishedCell]


#: How many combinations of values are looked at where classes overlap.
MOST_KINDS = 2_000_000
#: How many pairs of a value and a cell of one column are looked at.
MOST_FITTING = 4_000_000
#: Values, and for each the cells that it is in; None where every cell is a value by itself.
Relation = dict[str, tuple[str, ...]] | None
_SOMETHING = "…"
_BEGINNING = re.compile(r"(-?)(\d+)(\.\d*)?")
_FRACTION = re.compile(r"\.\d|\d\.|[eE]")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class PersonKinds:
    """PersonKinds of people, and the classes that they fit.

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


def kinds_of(classes: Sequence[Lookalikes], keep: Callable[[ir.Table], ir.Table]) -> PersonKinds:
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
    return _KindSearch(classes, list(zip(*columns, strict=True)), keep).kinds()


@dataclass(frozen=True)
class _KindSearch:
    """The tables, the values that tell people apart in each of them, and their engine."""

    classes: Sequence[Lookalikes]
    relations: Sequence[Sequence[Relation]]
    keep: Callable[[ir.Table], ir.Table] = field(repr=False)

    def kinds(self) -> PersonKinds:
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
        return PersonKinds(
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


def told_apart(columns: Sequence[Cells], name: str) -> list[Relation]:
    """Return for each table which values of a column lie in which of its cells.

    Values that lie in the same cells of every table are one, and those are left out that lie in no
    cell of some table.

    Parameters
    ----------
    columns
        The cells that occur in each table, once each, from ``read_cells``.
    name
        What the column is called.
    """
    everything = [cell for cells in columns for cell in cells]
    if only_equal_ones_fit(everything, everything):
        return [None] * len(columns)
    read = alike(columns)
    values = _values(read)
    inside = [_values_inside(values, cells, name) for cells in read]
    first: dict[tuple[tuple[str, ...], ...], str] = {}
    for value in values:
        if all(value.text in each for each in inside):
            first.setdefault(tuple(each[value.text] for each in inside), value.text)
    return [{text: each[text] for text in first.values()} for each in inside]


def _values_inside(values: Cells, cells: Cells, name: str) -> dict[str, tuple[str, ...]]:
    pairs = list(islice(fitting_one_by_one(values, cells), MOST_FITTING + 1))
    if len(pairs) > MOST_FITTING:
        raise InputError(
            "E-TOO-LARGE",
            "the {count:,} different cells of {name!r} overlap in too many ways to tell "
            "people apart",
            "leave {name!r} out, or generalise it",
            count=len(cells),
            name=name,
        )
    found: defaultdict[str, set[str]] = defaultdict(set)
    for value, cell in pairs:
        found[value].add(cell)
    return {value: tuple(sorted(each)) for value, each in found.items()}


def _values(columns: Sequence[Cells]) -> list[PublishedCell]:
    """Return enough values to find one for every way in which cells overlap.

    Where all cells of some table are values, a person who is in it has one of these.
    """
    only_values = [cells for cells in columns if all(cell.is_value for cell in cells)]
    if only_values:
        fewest = min(only_values, key=len)
        return list(fewest)
    parts = _Parts([part for cells in columns for cell in cells for part in _parts(cell)])
    found: dict[str, PublishedCell] = {}
    for cell in parts.values():
        found.setdefault(cell.text, cell)
    return list(found.values())


def _parts(cell: PublishedCell) -> Iterator[PublishedCell]:
    if not cell.members:
        yield cell
    for member in cell.members:
        yield from _parts(member)


class _Parts:
    """Values, bands and prefixes of one column."""

    def __init__(self, parts: Cells) -> None:
        self._values = [each for each in parts if each.is_value]
        wide = [each for each in parts if not each.is_value]
        self._prefixes = sorted({each.prefix for each in wide if each.prefix is not None})
        self._days = [each.days for each in wide if each.days]
        self._banded = [each for each in wide if each.numbers and not each.days]

    def values(self) -> Iterator[PublishedCell]:
        """Yield a value of every piece into which the parts cut the column, and more."""
        yield from self._values
        if self._days:
            dated = [each.days for each in self._values if each.days]
            yield from (_on(day) for day in around(ends_of([*self._days, *dated])) if _exists(day))
        if self._banded:
            counted = [each for each in self._values if each.numbers]
            yield from numbers_between([*self._banded, *counted], self._prefixes)
        yield from self._others()

    def _others(self) -> Iterator[PublishedCell]:
        """Yield something else that begins as a prefix says, and that no cell has.

        Where all else are numbers or days, only a star may hide what is none.
        """
        something = _SOMETHING
        while any(something in each.text for each in self._values):
            something += _SOMETHING
        only_stars = self._is_all_numbers() or self._is_all_days()
        prefixes = [each for each in self._prefixes if not (each and only_stars)]
        yield from (PublishedCell(prefix + something) for prefix in prefixes)

    def _is_all_numbers(self) -> bool:
        codes = all(not each or is_numeric(each) for each in self._prefixes)
        return bool(self._banded) and codes and all(each.numbers for each in self._values)

    def _is_all_days(self) -> bool:
        return bool(self._days) and all(each.days for each in self._values)


def _exists(day: Decimal) -> bool:
    return 1 <= day < date.max.toordinal()


def _on(day: Decimal) -> PublishedCell:
    """Return a day or a moment."""
    moment = datetime.fromordinal(int(day)) + timedelta(microseconds=int(day % 1 * 86_400_000_000))
    text = moment.date().isoformat() if day % 1 == 0 else moment.isoformat(sep=" ")
    return PublishedCell(text, days=((day, 0), (day, 0)))


def is_numeric(prefix: str) -> bool:
    """Tell whether a number can begin so."""
    return _BEGINNING.fullmatch(prefix) is not None


def numbers_between(parts: Cells, prefixes: Sequence[str]) -> Iterator[PublishedCell]:
    """Yield numbers: one at least of every piece into which bands and prefixes cut them.

    Parameters
    ----------
    parts
        The bands and the numbers of a column.
    prefixes
        What some of its values begin with.
    """
    beginnings = [each for each in prefixes if is_numeric(each)]
    widths = _widths([each.text for each in parts], beginnings)
    ends = ends_of([each.numbers for each in parts if each.numbers])
    longest = max([0, *widths, *(each.adjusted() + 2 for each in ends)])
    with localcontext(prec=_precision(ends, [*beginnings, "1" * longest])):
        for prefix in beginnings:
            ends |= _ends_of_prefix(prefix, longest)
        found = around(ends, whole=not any("." in each for each in beginnings))
        cells = [_code_cell(each, width) for each in found for width in widths]
    yield from (cell for cell in cells if cell is not None)
    longer = (f"{each}0" for each in beginnings if "." in each)
    yield from (PublishedCell(each, numbers=point(each)) for each in longer)


def _widths(texts: Sequence[str], prefixes: Sequence[str]) -> list[int]:
    """Return how long the codes of a column are that begin with 0; 0 for numbers as they are."""
    plain = [each.replace("..", " ") for each in texts]
    if any(_FRACTION.search(each) for each in plain):
        return [0]
    runs = {run for each in plain for run in _DIGITS.findall(each)}
    lengths = sorted({len(run) for run in runs})
    if any(run[0] == "0" and len(run) > 1 for run in runs):
        return lengths if len(lengths) == 1 else [0, *lengths]
    return [0, *lengths] if any(each.startswith("0") for each in prefixes) else [0]


def _precision(ends: set[Decimal], texts: Sequence[str]) -> int:
    """Return how many digits are enough to add and halve such numbers exactly."""
    exponents = [abs(int(each.as_tuple().exponent)) for each in ends]
    digits = [len(each.as_tuple().digits) for each in ends]
    return max([0, *exponents]) + max([0, *digits]) + max(map(len, texts)) + 28


def _ends_of_prefix(prefix: str, longest: int) -> set[Decimal]:
    """Return where numbers that begin with a prefix begin and end."""
    found = _BEGINNING.fullmatch(prefix)
    if found is None:
        return set()
    sign, digits, fraction = -1 if found[1] else 1, found[2], found[3]
    if fraction is not None:
        low = Decimal(f"{digits}{fraction}0")
        return {sign * low, sign * (low + Decimal(10) ** (1 - len(fraction)))}
    ends = set()
    for zeros in range(max(longest - len(digits), 0) + 1):
        low = int(digits) * 10**zeros
        ends |= {Decimal(sign * low), Decimal(sign * (low + 10**zeros - 1))}
    return ends


def ends_of(spans: Sequence[Span]) -> set[Decimal]:
    """Return where stretches begin and end."""
    return {end for span in spans for end, _ in span if end.is_finite()}


def around(ends: set[Decimal], *, whole: bool = True) -> list[Decimal]:
    """Return the ends and a number between any two of them; whole ones if all ends are."""
    if whole and all(end == end.to_integral_value() for end in ends):
        return sorted({near for end in ends for near in (end - 1, end, end + 1)})
    ordered = sorted(ends)
    between = [(low + high) / 2 for low, high in pairwise(ordered)]
    return sorted({*ordered, *between, ordered[0] - 1, ordered[-1] + 1})


def _code_cell(number: Decimal, width: int) -> PublishedCell | None:
    """Return a number, as a code of so many digits where it is one; None if it cannot be."""
    text = f"{number:f}".zfill(width)
    if width and (number < 0 or len(text) > width):
        return None
    return PublishedCell(text, numbers=((number, 0), (number, 0)))
