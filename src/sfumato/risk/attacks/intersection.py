"""Intersection: two or more releases, each safe by itself, that together pin people down."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.risk.attacks.intersection_report import Intersection, KindOfPerson
from sfumato.risk.attacks.kinds import Kinds, kinds_of
from sfumato.risk.attacks.leftover import are_narrowed, are_pinned, is_impossible, left_values
from sfumato.risk.attacks.lookalikes import Lookalikes, check_common, keeping, lookalikes_of, opened
from sfumato.risk.attacks.words import MOST_RECORDS
from sfumato.risk.exposed import one_name, read_exposed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import ibis.expr.types as ir

__all__ = ["intersect"]

#: The engine that works out everything anew each time that it is used.
_NO_PLACE_TO_KEEP = "Spark"

#: What each release says of some kinds of people: by kind and column, the cells.
_Cells = dict[int, list[set[str]]]


def intersect(*releases: Any, on: str | Iterable[str], sensitive: str) -> Intersection:
    """Intersect releases about the same people, and see whose sensitive value is pinned.

    Somebody who is known to be in every release has a sensitive value that every release has among
    the rows that fit them.  Each release may leave several, and all together only one
    :cite:p:`ganta2008`.  All kinds of people are looked at, not one who is named.  Cells may be
    generalised differently in each release: they fit where the same true value could be behind
    both.

    Parameters
    ----------
    releases
        Two or more tables: paths (CSV or Parquet), or pandas, polars or Arrow tables.
    on
        The quasi-identifiers: columns that others may know; all releases have them.
    sensitive
        The column that must not be learned; its values are compared as they are, and an empty
        cell may be any value.

    Examples
    --------
    >>> from sfumato.risk import intersect
    >>> report = intersect("examples/hospital-a-generalised.csv",
    ...                    "examples/hospital-b-generalised.csv",
    ...                    on=["age", "sex", "zip"], sensitive="diagnosis")
    >>> report.pinned[0].known["sex"], report.pinned[0].value, report.pinned[0].probability
    ('female', 'AIDS', 1.0)
    """
    if len(releases) < 2:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "an intersection is of two releases or more, not of {count}",
            "name two or more",
            count=len(releases),
        )
    sources = opened(*releases)
    if sources[0].engine.title == _NO_PLACE_TO_KEEP:
        raise InputError(
            "E-ENGINE-UNABLE",
            "releases in Spark cannot be intersected",
            "give files, frames or PostgreSQL's tables",
        )
    sensitive = one_name(sensitive)
    check_common(sources, sensitive)
    exposed = [read_exposed(each, quasi=on, sensitive=sensitive) for each in sources]
    with keeping(sources[0]) as keep:
        classes = [
            lookalikes_of(each, exposed[0].quasi, sensitive, keep, beside=sources, sharing=sources)
            for each in sources
        ]
        return _Attack(classes, kinds_of(classes, keep), keep).report(sensitive)


@dataclass(frozen=True)
class _Attack:
    """The classes of each release, the kinds of people, and a way to keep results."""

    classes: Sequence[Lookalikes]
    kinds: Kinds
    keep: Callable[[ir.Table], ir.Table] = field(repr=False)

    def report(self, sensitive: str) -> Intersection:
        """Find what is left for each kind of person."""
        left = self.keep(left_values(self.kinds.table, self._votes()))
        return Intersection(
            releases=tuple(each.source.name for each in self.classes),
            on=self.classes[0].on,
            sensitive=sensitive,
            complete=self.kinds.complete,
            **self._fetch(_totals(left))[0],
            shared_values=self._shared_values(),
            pinned=self._found(left.filter(are_pinned(left))),
            narrowed=self._found(left.filter(are_narrowed(left))),
        )

    def _fetch(self, query: ir.Table) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.classes[0].source.fetch(query).to_pylist()
        return rows

    def _votes(self) -> list[ir.Table]:
        """Return how many rows of each release every kind fits, by sensitive value."""
        votes = []
        for own, members in zip(self.classes, self.kinds.members, strict=True):
            rows = members.join(own.cells, [("member", "id")]).select("kind", "value", "n")
            votes.append(self.keep(rows.group_by(["kind", "value"]).agg(n=rows.n.sum())))
        return votes

    def _shared_values(self) -> int:
        values = [each.cells.select("value").distinct() for each in self.classes]
        shared = reduce(lambda before, each: before.semi_join(each, "value"), values)
        return int(self._fetch(shared.aggregate(values=shared.value.count()))[0]["values"])

    def _found(self, left: ir.Table) -> tuple[KindOfPerson, ...]:
        """Return kinds of people, those first that only the intersection tells of."""
        import ibis

        numbers = [f"n{place}" for place in range(len(self.classes))]
        size = ibis.least(*(left[each] for each in numbers))
        order = [left.before == 1, left.left, ibis.desc(size), *self.classes[0].keys]
        found = left.order_by(order).limit(MOST_RECORDS)
        rows = self._fetch(found)
        said = [self._said(place, found) for place in range(len(self.classes))] if rows else []
        return tuple(_kind_of_person(self.classes[0], said, row) for row in rows)

    def _said(self, place: int, found: ir.Table) -> _Cells:
        """Return what a release says of the kinds that were found."""
        own = self.classes[place]
        members = self.kinds.members[place].semi_join(found, "kind")
        cells = members.join(own.table, [("member", "id")]).select("kind", *own.keys).distinct()
        said: _Cells = defaultdict(lambda: [set() for _ in own.keys])
        for row in self._fetch(cells):
            for column, key in zip(said[row["kind"]], own.keys, strict=True):
                column.add(row[key])
        return said


def _totals(left: ir.Table) -> ir.Table:
    pinned = are_pinned(left)
    return left.aggregate(
        kinds=left.count(),
        pinned_kinds=left.count(where=pinned),
        together_kinds=left.count(where=pinned & (left.before > 1)),
        narrowed_kinds=left.count(where=are_narrowed(left)),
        impossible_kinds=left.count(where=is_impossible(left)),
    )


def _kind_of_person(own: Lookalikes, said: Sequence[_Cells], row: dict[str, Any]) -> KindOfPerson:
    return KindOfPerson(
        cells=tuple(
            dict(zip(own.on, map(_together, each[row["kind"]]), strict=True)) for each in said
        ),
        example={name: row[key] for name, key in zip(own.on, own.keys, strict=True)},
        before=row["before"],
        left=row["left"],
        value=row["value"],
        probability=row["ways"] / row["total"],
        rows=tuple(row[f"n{place}"] for place in range(len(said))),
    )


def _together(cells: set[str]) -> str:
    """Return cells that a person is in all of; a star among others says nothing."""
    return " & ".join(sorted(each for each in cells if each.strip("*")) or ["*"])
