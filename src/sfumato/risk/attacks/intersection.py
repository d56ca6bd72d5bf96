"""Intersection: two or more releases, each safe by itself, that together pin people down."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.printing import for_json_all, listed, share
from sfumato.risk.attacks.kinds import PersonKinds, kinds_of
from sfumato.risk.attacks.lookalikes import (
    Lookalikes,
    check_common,
    keeping,
    lookalikes_of,
    opened,
)
from sfumato.risk.attacks.render import MOST_RECORDS, Narrow, listing
from sfumato.risk.attacks.sensitive import are_narrowed, are_pinned, is_impossible, left_values
from sfumato.risk.exposed import one_name, read_exposed
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import ibis.expr.types as ir


#: The engine that works out everything anew each time that it is used.
_NO_PLACE_TO_KEEP = "Spark"

#: What each release says of some kinds of people: by kind and column, the cells.
_Cells = dict[int, list[set[str]]]


@dataclass(frozen=True, kw_only=True)
class KindOfPerson:
    """An equivalence class of every release, and what is left for its people's sensitive value.

    Attributes
    ----------
    cells
        What each release says of them, column by column; a person is in all cells between "&", and
        in no others of the release.
    example
        What is known of one such person; "…" stands for something that no cell has.
    before
        How many values the release that tells most leaves by itself.
    left
        How many values are left that every release has.
    value
        The most probable of them; the first in order where several are.
    probability
        How probable it is, where each choice of one row of every release with the same value is
        equally likely; 1 where no other is left.
    rows
        How many rows of each release fit and have that value, or an empty cell.

    Examples
    --------
    >>> from sfumato.risk import intersect
    >>> report = intersect("examples/hospital-a-generalised.csv",
    ...                    "examples/hospital-b-generalised.csv",
    ...                    on=["age", "sex", "zip"], sensitive="diagnosis")
    >>> women = report.pinned[0]
    >>> women.before, women.left, women.value, women.probability
    (2, 1, 'AIDS', 1.0)
    """

    cells: tuple[dict[str, str], ...]
    example: dict[str, str]
    before: int
    left: int
    value: str
    probability: float
    rows: tuple[int, ...]

    @property
    def known(self) -> dict[str, str]:
        """What is known of them, column by column; each release's word where they differ.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.risk import intersect
        >>> one = pd.DataFrame({"age": ["50-60", "50-60"], "ill": ["flu", "gout"]})
        >>> two = pd.DataFrame({"age": ["55-65", "55-65"], "ill": ["flu", "cold"]})
        >>> intersect(one, two, on="age", sensitive="ill").pinned[0].known
        {'age': '50-60 & 55-65'}
        """
        return {
            name: " & ".join(dict.fromkeys(each[name] for each in self.cells))
            for name in self.cells[0]
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the kind of person ready for JSON.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.risk import intersect
        >>> one, two = (pd.DataFrame({"age": [56], "ill": ["flu"]}) for each in range(2))
        >>> intersect(one, two, on="age", sensitive="ill").pinned[0].as_dict()["cells"]
        [{'age': '56'}, {'age': '56'}]
        """
        return {
            "cells": list(self.cells),
            "example": self.example,
            "values_before": self.before,
            "values_left": self.left,
            "value": self.value,
            "probability": self.probability,
            "rows": list(self.rows),
        }


@dataclass(frozen=True, kw_only=True)
class Intersection(Narrow):
    """What is learned of those who are known to be in every one of several releases.

    Attributes
    ----------
    releases
        What the tables are called.
    on, sensitive
        The columns that are known, and the one that is learned.
    kinds
        How many kinds of people there may be in all releases.
    pinned_kinds
        For how many of them one value is left.
    together_kinds
        For how many of these every release leaves several values by itself.
    narrowed_kinds
        For how many several values are left, and fewer than any release leaves by itself.
    impossible_kinds
        How many have no value in common, so that nobody of the kind is in all releases.
    shared_values
        How many sensitive values all releases have.
    complete
        Whether all kinds of people were looked at; where classes overlap in too many ways, some
        of each class are.
    pinned, narrowed
        These kinds of people, those first that no release pins by itself, and the greatest first;
        the first thousand of each.

    Examples
    --------
    >>> from sfumato.risk import intersect
    >>> report = intersect("examples/hospital-a-generalised.csv",
    ...                    "examples/hospital-b-generalised.csv",
    ...                    on=["age", "sex", "zip"], sensitive="diagnosis")
    >>> report.pinned_kinds, report.impossible_kinds
    (1, 1)
    """

    releases: tuple[str, ...]
    on: tuple[str, ...]
    sensitive: str
    kinds: int
    pinned_kinds: int
    together_kinds: int
    narrowed_kinds: int
    impossible_kinds: int
    shared_values: int
    complete: bool
    pinned: tuple[KindOfPerson, ...]
    narrowed: tuple[KindOfPerson, ...]

    def findings(self) -> list[str]:
        """Return what was learned as sentences, the answer first.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.risk import intersect
        >>> one = pd.DataFrame({"age": ["50-60", "50-60"], "ill": ["flu", "gout"]})
        >>> two = pd.DataFrame({"age": ["50-60", "50-60"], "ill": ["flu", "cold"]})
        >>> intersect(one, two, on="age", sensitive="ill").findings()[0]
        'ill is given away with certainty 1 for 1 kind of person'
        """
        condition = tr(
            "this is so of those who are in all {releases} releases; known of them: {on}",
            releases=len(self.releases),
            on=listed(self.on),
        )
        return [
            self._headline(),
            *self._listing(self.pinned, self.pinned_kinds),
            *self._narrowing(),
            *self._impossible(),
            *self._partly(),
            condition,
        ]

    def _headline(self) -> str:
        looked_at = "" if self.complete else tr(" that was looked at")
        if not self.kinds:
            return tr(
                "no kind of person fits rows of all {releases} releases",
                releases=len(self.releases),
            )
        if not self.pinned_kinds:
            return tr(
                "{sensitive} is given away for certain for no kind of person{looked_at}",
                sensitive=self.sensitive,
                looked_at=looked_at,
            )
        kinds = _kinds(self.pinned_kinds)
        together = "" if self.together_kinds == self.pinned_kinds else self._together()
        return tr(
            "{sensitive} is given away with certainty 1 for {kinds}{together}",
            sensitive=self.sensitive,
            kinds=kinds,
            together=together,
        )

    def _together(self) -> str:
        return tr(
            ", {together_kinds:,} of them only by intersecting", together_kinds=self.together_kinds
        )

    def _partly(self) -> list[str]:
        if self.complete:
            return []
        many = tr("classes overlap in too many ways to look at all kinds of people")
        return [tr("{many}: others may be pinned besides", many=many)]

    def _narrowing(self) -> list[str]:
        if not self.narrowed_kinds:
            return []
        kinds = _kinds(self.narrowed_kinds)
        sentence = tr(
            "fewer values are left than any release leaves by itself for {kinds}:", kinds=kinds
        )
        return [sentence, *self._listing(self.narrowed, self.narrowed_kinds)]

    def _impossible(self) -> list[str]:
        if not self.impossible_kinds:
            return []
        if not self.shared_values:
            return [
                tr(
                    "no {sensitive} is in all releases: is it written alike in them?",
                    sensitive=self.sensitive,
                )
            ]
        sentence = tr(
            "nobody of {impossible_kinds} is in all releases: they share no {sensitive}",
            impossible_kinds=_kinds(self.impossible_kinds),
            sensitive=self.sensitive,
        )
        return [sentence]

    def _listing(self, found: tuple[KindOfPerson, ...], total: int) -> list[str]:
        header = [*self.on, self.sensitive, mark("probability"), mark("values"), mark("rows")]
        rows = [[*each.known.values(), *_shown(each)] for each in found]
        return listing(header, rows, total, numbers={"probability"}, dispensable=self.on)

    def figures(self) -> dict[str, Any]:
        """Return what was learned, ready for JSON.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.risk import intersect
        >>> one, two = (pd.DataFrame({"age": [56], "ill": ["flu"]}) for each in range(2))
        >>> intersect(one, two, on="age", sensitive="ill").figures()["pinned_kinds"]
        1
        """
        found = for_json_all(self)
        narrowed = found.pop("narrowed")
        return {
            **found,
            "pinned_left_out": self.pinned_kinds - len(self.pinned),
            "narrowed": narrowed,
            "narrowed_left_out": self.narrowed_kinds - len(self.narrowed),
        }


def _shown(kind: KindOfPerson) -> tuple[str, ...]:
    rows = " / ".join(f"{number:,}" for number in kind.rows)
    return kind.value, share(kind.probability), f"{kind.before:,} → {kind.left:,}", rows


def _kinds(number: int) -> str:
    return (
        tr("1 kind of person") if number == 1 else tr("{number:,} kinds of people", number=number)
    )


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
        return _IntersectionAttack(classes, kinds_of(classes, keep), keep).report(sensitive)


@dataclass(frozen=True)
class _IntersectionAttack:
    """The classes of each release, the kinds of people, and a way to keep results."""

    classes: Sequence[Lookalikes]
    kinds: PersonKinds
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
