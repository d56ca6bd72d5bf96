"""Intersection: two or more releases, each safe by itself, that together pin people down."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from typing import TYPE_CHECKING, Any

from sfumato.data import open_sources
from sfumato.errors import InputError
from sfumato.risk.attacks.intersection_report import Intersection, KindOfPerson
from sfumato.risk.attacks.linkage import one_name
from sfumato.risk.attacks.lookalikes import (
    MOST_PAIRS,
    Lookalikes,
    check_common,
    fitting,
    keeping,
    lookalikes_of,
    overlapping,
)
from sfumato.risk.attacks.words import MOST_RECORDS
from sfumato.risk.exposed import read_exposed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import ibis.expr.types as ir

__all__ = ["intersect"]


def intersect(*releases: Any, on: str | Iterable[str], sensitive: str) -> Intersection:
    """Intersect releases about the same people, and see whose sensitive value is pinned.

    Somebody who is known to be in every release has a sensitive value that every release has among
    the rows that fit them.  Each release may leave several, and all together only one
    :cite:p:`ganta2008`.  All kinds of people are looked at, not one who is named.  Cells may be
    generalised differently in each release: they fit where the same true value could be behind
    both.  (Row M-RISK-4.)

    Parameters
    ----------
    releases
        Two or more tables: paths (CSV or Parquet), or pandas, polars or Arrow tables.
    on
        The columns that others may know; all releases have them.
    sensitive
        The column that must not be learned; its values are compared as they are.

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
        given = "1 release is" if releases else "0 releases are"
        message = f"{given} given; an intersection needs two or more"
        raise InputError(message)
    sources = open_sources(*releases)
    sensitive = one_name(sensitive)
    check_common(sources, sensitive)
    exposed = [read_exposed(each, quasi=on, sensitive=sensitive) for each in sources]
    with keeping(sources[0]) as keep:
        classes = [
            lookalikes_of(each, exposed[0].quasi, sensitive, keep, beside=sources)
            for each in sources
        ]
        return _Attack(classes, keep).report(exposed[0].quasi, sensitive)


@dataclass(frozen=True)
class _Attack:
    """The classes of each release, and a way to keep results in their engine."""

    classes: Sequence[Lookalikes]
    keep: Callable[[ir.Table], ir.Table] = field(repr=False)

    def report(self, on: tuple[str, ...], sensitive: str) -> Intersection:
        """Find the kinds of people, and what is left for each."""
        pairs = {
            (i, j): fitting(self.classes[i], self.classes[j], self.keep)
            for i, j in combinations(range(len(self.classes)), 2)
        }
        kinds = self._kinds(pairs)
        votes = [self._votes(place, kinds, pairs) for place in range(len(self.classes))]
        left = self.keep(_left(kinds, votes))
        return Intersection(
            releases=tuple(each.source.name for each in self.classes),
            on=on,
            sensitive=sensitive,
            **self._fetch(_totals(left))[0],
            pinned=self._found(left.filter(left.left == 1), on),
            narrowed=self._found(left.filter(_is_narrowed(left)), on),
        )

    def _fetch(self, query: ir.Table) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.classes[0].source.fetch(query).to_pylist()
        return rows

    def _kinds(self, pairs: dict[tuple[int, int], ir.Table]) -> ir.Table:
        """Return which classes, one of each release, fit each other: c0, c1, ... and ``kind``."""
        import ibis

        kinds = pairs[0, 1].select(c0="left", c1="right")
        for place in range(2, len(self.classes)):
            added = pairs[0, place].select(c0="left", **{f"c{place}": "right"})
            kinds = kinds.join(added, "c0").select(*kinds.columns, f"c{place}")
            for other in range(1, place):
                same = [(f"c{other}", "left"), (f"c{place}", "right")]
                kinds = kinds.semi_join(pairs[other, place], same)
            kinds = self.keep(kinds.limit(MOST_PAIRS + 1))
            self._check_effort(kinds)
        order = ibis.window(order_by=list(kinds.columns))
        return self.keep(kinds.mutate(kind=ibis.row_number().over(order)))

    def _check_effort(self, kinds: ir.Table) -> None:
        if self._fetch(kinds.aggregate(kinds=kinds.count()))[0]["kinds"] > MOST_PAIRS:
            message = (
                f"more than {MOST_PAIRS:,} kinds of people fit all releases, too many to tell "
                "anybody apart; name more columns, or intersect fewer releases"
            )
            raise InputError(message)

    def _votes(
        self, place: int, kinds: ir.Table, pairs: dict[tuple[int, int], ir.Table]
    ) -> ir.Table:
        """Return how many rows of a release each kind of person fits, by sensitive value."""
        own = self.classes[place]
        members = self._members(place, kinds, pairs)
        rows = members.join(own.cells, [("member", "id")]).select("kind", "value", "n")
        return self.keep(rows.group_by(["kind", "value"]).agg(n=rows.n.sum()))

    def _members(
        self, place: int, kinds: ir.Table, pairs: dict[tuple[int, int], ir.Table]
    ) -> ir.Table:
        """Return all classes of a release that a kind of person fits.

        Where classes of one release overlap, nobody but the publisher knows which one a person is
        in: all those count that fit what every release says of the kind.
        """
        alike = overlapping(self.classes[place], self.keep)
        if alike is None:
            return kinds.select("kind", member=f"c{place}")
        members = kinds.join(alike, [(f"c{place}", "left")]).rename(member="right")
        for other in range(len(self.classes)):
            if other != place:
                first, second = sorted((place, other))
                own, their = ("left", "right") if place < other else ("right", "left")
                same = [("member", own), (f"c{other}", their)]
                members = members.semi_join(pairs[first, second].view(), same)
        return members.select("kind", "member")

    def _found(self, left: ir.Table, on: tuple[str, ...]) -> tuple[KindOfPerson, ...]:
        """Return kinds of people with what each release says of them, the greatest first."""
        import ibis

        releases = range(len(self.classes))
        numbers = [f"n{place}" for place in releases]
        for place, each in enumerate(self.classes):
            names = {f"r{place}_{key}": key for key in each.keys}
            cells = each.table.select(**{f"c{place}": "id"}, **names)
            left = left.join(cells, f"c{place}").select(*left.columns, *names)
        size = ibis.least(*(left[each] for each in numbers))
        keys = [f"r{place}_{key}" for place in releases for key in self.classes[0].keys]
        order = [left.left, ibis.desc(size), *keys]
        rows = self._fetch(left.order_by(order).limit(MOST_RECORDS))
        return tuple(_kind_of_person(on, len(self.classes), row) for row in rows)


def _left(kinds: ir.Table, votes: Sequence[ir.Table]) -> ir.Table:
    """Return for each kind the values that every release has, the best first of equals."""
    named = [each.rename({f"n{place}": "n"}) for place, each in enumerate(votes)]
    common = reduce(
        lambda all_before, each: all_before.join(each, ["kind", "value"]).select(
            *all_before.columns, each.columns[-1]
        ),
        named,
    )
    numbers = [f"n{place}" for place in range(len(votes))]
    ways = reduce(
        lambda product, each: product * each, (common[n].cast("float64") for n in numbers)
    )
    common = common.mutate(ways=ways)
    best = common.group_by("kind").agg(
        left=common.count(), total=common.ways.sum(), ways=common.ways.max()
    )
    top = best.join(common, ["kind", "ways"]).select(*best.columns, "value", *numbers)
    first = top.group_by(best.columns).agg(
        value=top.value.min(), **{n: top[n].argmin(top.value) for n in numbers}
    )
    return _with_before(kinds, votes).left_join(first, "kind")


def _with_before(kinds: ir.Table, votes: Sequence[ir.Table]) -> ir.Table:
    """Return the kinds with how many values the release that tells most leaves."""
    import ibis

    counts = [each.group_by("kind").agg(**{f"b{i}": each.count()}) for i, each in enumerate(votes)]
    for each in counts:
        kinds = kinds.join(each, "kind").select(*kinds.columns, each.columns[-1])
    least = ibis.least(*(kinds[f"b{place}"] for place in range(len(votes))))
    return kinds.mutate(before=least).drop(*(f"b{place}" for place in range(len(votes))))


def _totals(left: ir.Table) -> ir.Table:
    return left.aggregate(
        kinds=left.count(),
        pinned_kinds=left.count(where=left.left == 1),
        narrowed_kinds=left.count(where=_is_narrowed(left)),
        impossible_kinds=left.count(where=left.left.isnull()),
    )


def _is_narrowed(left: ir.Table) -> ir.BooleanValue:
    return (left.left > 1) & (left.left < left.before)


def _kind_of_person(on: tuple[str, ...], releases: int, row: dict[str, Any]) -> KindOfPerson:
    return KindOfPerson(
        cells=tuple(
            {name: row[f"r{place}_key{key}"] for key, name in enumerate(on)}
            for place in range(releases)
        ),
        before=row["before"],
        left=row["left"],
        value=row["value"],
        probability=row["ways"] / row["total"],
        rows=tuple(row[f"n{place}"] for place in range(releases)),
    )
