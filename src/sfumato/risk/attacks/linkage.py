"""Linkage: background knowledge of a person finds the rows that fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from sfumato.data import asked_names, in_memory
from sfumato.errors import InputError
from sfumato.printing import counted, for_json_all, listed, share
from sfumato.refusal import Argument
from sfumato.risk.attacks.lookalikes import (
    Lookalikes,
    check_common,
    fitting,
    keeping,
    lookalikes_of,
    opened,
)
from sfumato.risk.attacks.render import MOST_RECORDS, Narrow, described, listing, people, shown
from sfumato.risk.attacks.sensitive import most_frequent
from sfumato.risk.exposed import one_name, read_exposed
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import ibis.expr.types as ir

    from sfumato.data import Source


#: How Python and its frames write a value that is not there.
_NOTHING = ("None", "nan", "NaT", "<NA>")


@dataclass(frozen=True, kw_only=True)
class Link:
    """What is learned of one person, or of several of whom the same is known.

    Attributes
    ----------
    known
        What is known of them, column by column.
    who
        Who they are, where a column said so.
    people
        How many people of the auxiliary table this is.
    candidates
        How many rows of the release fit.
    by_a_star
        How many of these fit only since a cell is empty or a star, which may be anything; columns
        that are so throughout do not count.
    values
        How many sensitive values those rows have.
    value
        The most frequent of these; the first in order where several are, and None where no row
        fits or the cells of all that do are empty.
    share
        Which part of the rows has it: 1 says that it is certain.  An empty cell may be any value.

    Examples
    --------
    >>> from sfumato.risk import link
    >>> found = link("examples/hospital-a.csv", {"age": 56}, sensitive="diagnosis").links[0]
    >>> found.candidates, found.value, found.certain
    (1, 'AIDS', True)
    """

    known: dict[str, str]
    who: str
    people: int
    candidates: int
    by_a_star: int
    values: int
    value: str | None
    share: float

    @property
    def probability(self) -> float:
        """The probability that a row chosen among the candidates is the person's.

        Examples
        --------
        >>> from sfumato.risk import link
        >>> report = link("examples/hospital-a.csv", {"sex": "male"}, sensitive="diagnosis")
        >>> report.links[0].probability
        0.2
        """
        return 1 / self.candidates if self.candidates else 0.0

    @property
    def certain(self) -> bool:
        """Whether all candidates have one sensitive value.

        Examples
        --------
        >>> from sfumato.risk import link
        >>> report = link("examples/hospital-a.csv", {"sex": "male"}, sensitive="diagnosis")
        >>> report.links[0].certain
        False
        """
        return self.share == 1

    def as_dict(self) -> dict[str, Any]:
        """Return the link ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import link
        >>> report = link("examples/hospital-a.csv", {"age": 56}, sensitive="diagnosis")
        >>> report.links[0].as_dict()["known"]
        {'age': '56'}
        """
        return {
            **({"who": self.who} if self.who else {}),
            "known": self.known,
            "people": self.people,
            "candidates": self.candidates,
            "by_a_star": self.by_a_star,
            "match_probability": self.probability,
            "values": self.values,
            "value": self.value,
            "value_probability": self.share,
        }


@dataclass(frozen=True, kw_only=True)
class Linkage(Narrow):
    """What an attacker with background knowledge learns of people in a release.

    Attributes
    ----------
    release, known
        What the two tables are called.
    on, sensitive
        The columns that are known, and the one that is learned.
    people
        How many people are known.
    matched
        How many of them fit at least one row.
    reidentified
        How many fit exactly one.
    fitting_by_a_star
        How many fit at least one row only since a cell is empty or a star, which may be anything;
        columns that are so throughout do not count.
    reidentified_without
        How many of all would fit exactly one row if there were no such rows.
    certain
        How many fit rows that all have one sensitive value.
    expected_matches
        How many rows are matched with the right person, on average, by choosing at random.
    links
        What is learned of each, the most exposed first; the first thousand.

    Examples
    --------
    >>> from sfumato.risk import link
    >>> print(link("examples/hospital-a.csv", {"age": 56}, sensitive="diagnosis"))
    age 56: 1 row fits; diagnosis is AIDS, for certain
    this is so if the person is in 'examples/hospital-a.csv' at all
    not private: exact figures, for the data owner
    """

    release: str
    known: str
    on: tuple[str, ...]
    sensitive: str
    people: int
    matched: int
    reidentified: int
    fitting_by_a_star: int
    reidentified_without: int
    certain: int
    expected_matches: float
    links: tuple[Link, ...]
    kinds: int

    def findings(self) -> list[str]:
        """Return what was learned as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import link
        >>> link("examples/hospital-a.csv", {"age": 99}, sensitive="diagnosis").findings()[0]
        'age 99: no row fits'
        """
        return self._of_one() if self.people == 1 else self._of_many()

    def _of_one(self) -> list[str]:
        (found,) = self.links
        known = described(found.known)
        if not found.candidates:
            return [
                tr("{known}: no row fits", known=known),
                tr("nobody is in {release} with this, written so", release=self.release),
            ]
        return [
            f"{known}: {self._learned(found)}",
            *self._by_a_star(),
            tr("this is so if the person is in {release} at all", release=self.release),
        ]

    def _by_a_star(self) -> list[str]:
        """Return what fits only since an empty cell or a star may be anything."""
        if not self.fitting_by_a_star:
            return []
        if self.people == 1:
            number = self.links[0].by_a_star
            return [
                tr_n(
                    "{rows} of these fits only by an empty cell or a star, which may be anything",
                    "{rows} of these fit only by an empty cell or a star, which may be anything",
                    number,
                    rows=counted(number, "row"),
                )
            ]
        if self.reidentified_without == self.reidentified:
            return []
        return [
            tr_n(
                "{people} fits at least one row only by an empty cell or a star; if such rows are "
                "left out, {left:,} fit exactly one",
                "{people} fit at least one row only by an empty cell or a star; if such rows are "
                "left out, {left:,} fit exactly one",
                self.fitting_by_a_star,
                people=people(self.fitting_by_a_star),
                left=self.reidentified_without,
            )
        ]

    def _of_many(self) -> list[str]:
        given_away = tr("{certain:,} of {people}", certain=self.certain, people=people(self.people))
        right = f"{self.expected_matches:,.2f}"
        return [
            tr(
                "linking gives away the {sensitive} of {given_away} for certain",
                sensitive=self.sensitive,
                given_away=given_away,
            ),
            tr("known of each: {on}", on=listed(self.on)),
            tr(
                "{reidentified:,} fit exactly one row, {matched:,} fit at least one",
                reidentified=self.reidentified,
                matched=self.matched,
            ),
            *self._by_a_star(),
            tr("right matches to expect of a choice among the rows that fit: {right}", right=right),
            *self._listing(),
            tr("this is so of those who are in {release} at all", release=self.release),
        ]

    def _learned(self, found: Link) -> str:
        fit = (
            tr("1 row fits")
            if found.candidates == 1
            else tr("{candidates:,} rows fit", candidates=found.candidates)
        )
        if found.value is None:
            return tr("{fit}; {sensitive} is empty there", fit=fit, sensitive=self.sensitive)
        sure = (
            tr("for certain")
            if found.certain
            else tr("with probability {share}", share=share(found.share))
        )
        return tr(
            "{fit}; {sensitive} is {value}, {sure}",
            fit=fit,
            sensitive=self.sensitive,
            value=shown(found.value),
            sure=sure,
        )

    def _listing(self) -> list[str]:
        named = any(each.who for each in self.links)
        several = any(each.people > 1 for each in self.links)
        header = [mark("who"), *self.on, mark("people"), mark("rows"), self.sensitive, mark("sure")]
        rows = [[each.who, *each.known.values(), *_shown(each)] for each in self.links]
        left_out = {*([] if named else [0]), *([] if several else [len(self.on) + 1])}
        header, *rows = (
            [cell for place, cell in enumerate(row) if place not in left_out]
            for row in [header, *rows]
        )
        numbers = {"people", "rows", "sure"}
        return listing(header, rows, self.kinds, numbers=numbers, dispensable=self.on)

    def figures(self) -> dict[str, Any]:
        """Return what was learned, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import link
        >>> link("examples/hospital-a.csv", {"age": 56}, sensitive="diagnosis").figures()["certain"]
        1
        """
        found = for_json_all(self)
        left_out = found.pop("kinds") - len(self.links)
        return {**found, "links_left_out": left_out}


def link(
    release: Any,
    known: Any,
    *,
    on: str | Iterable[str] | None = None,
    sensitive: str,
    who: str | None = None,
) -> Linkage:
    """Link a release with background knowledge of people, and see what is learned of each.

    A row fits a person where every cell could stand for what is known: 56 fits ``50-60``, 190146
    fits ``1901**``, and anything fits a star or an empty cell.  Where one row fits, the person is
    re-identified :cite:p:`sweeney2002`; where all rows that fit have the same sensitive value, it
    is learned without that.

    Parameters
    ----------
    release
        What is published: a path (CSV or Parquet), or a pandas, polars or Arrow table.
    known
        What somebody knows: a table of people, or one person as a mapping of columns to values.
    on
        The columns that are known; all of the mapping by default.
    sensitive
        The column of the release that must not be learned; an empty cell may be any value.
    who
        A column of the auxiliary table that says who its rows are about.

    Examples
    --------
    >>> from sfumato.risk import link
    >>> report = link("examples/hospital-a.csv", {"age": 56}, sensitive="diagnosis")
    >>> report.reidentified, report.links[0].value
    (1, 'AIDS')
    """
    published, auxiliary = _opened(release, known)
    if not isinstance(known, Mapping):
        check_common([published, auxiliary])
    exposed = read_exposed(published, quasi=_asked(on, known), sensitive=one_name(sensitive))
    auxiliary.check_columns([*exposed.quasi, *([] if who is None else [who])])
    with keeping(published) as keep:
        both = [published, auxiliary]
        rows = lookalikes_of(published, exposed.quasi, sensitive, keep, beside=both)
        people = lookalikes_of(auxiliary, exposed.quasi, None, keep, beside=both, who=who)
        learned = keep(_learned(rows, people, keep))
        totals = published.fetch(_totals(learned)).to_pylist()[0]
        links = published.fetch(_ordered(learned, people.keys).limit(MOST_RECORDS)).to_pylist()
    return Linkage(
        release=published.name,
        known=tr("one person") if isinstance(known, Mapping) else auxiliary.name,
        on=exposed.quasi,
        sensitive=sensitive,
        links=tuple(_link(exposed.quasi, each) for each in links),
        **totals,
    )


def _opened(release: Any, known: Any) -> tuple[Source, Source]:
    """Return the release and what is known of people in its engine."""
    if not isinstance(known, Mapping):
        published, auxiliary = opened(release, known)
        return published, auxiliary
    if not known:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "nothing is known of the person",
            "give at least one column and its value",
        )
    facts = {str(name): [_fact(name, value)] for name, value in known.items()}
    (published,) = opened(release)
    person = in_memory(facts, dict.fromkeys(facts, "string"))
    return published, replace(published, name=tr("the table"), table=person, path=None)


def _fact(name: Any, value: Any) -> str:
    text = str(value).strip()
    if not text or (not isinstance(value, str) and text in _NOTHING):
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "nothing is known of {name!r}",
            "leave it out, or give its value",
            name=name,
        )
    return text


def _asked(on: str | Iterable[str] | None, known: Any) -> tuple[str, ...]:
    if on is None and not isinstance(known, Mapping):
        raise InputError(
            "E-ARGUMENT-MISSING",
            "{on} is missing",
            "name the columns that are known of each person, such as 'age'",
            on=Argument("on"),
        )
    names = asked_names(known, "known") if on is None else asked_names(on, "on")
    for name in names if isinstance(known, Mapping) else ():
        if name not in known:
            _fact(name, "")
    return names


def _learned(
    rows: Lookalikes, people: Lookalikes, keep: Callable[[ir.Table], ir.Table]
) -> ir.Table:
    """Return a query for what is learned of every class of people."""
    pairs = fitting(rows, people, keep)
    fit = pairs.join(rows.cells, [("left", "id")]).select("right", "value", "n")
    votes = keep(fit.group_by(["right", "value"]).agg(n=fit.n.sum()))
    joined = people.table.left_join(most_frequent(votes, ["right"]), [("id", "right")])
    counted = joined.drop("right").left_join(_by_a_star(rows, pairs), [("id", "right")])
    numbers = ("candidates", "values", "by_a_star")
    return counted.mutate(**{name: counted[name].fill_null(0) for name in numbers})


def _by_a_star(rows: Lookalikes, pairs: ir.Table) -> ir.Table:
    """Return how many rows fit people only since a cell is empty or a star.

    A column that is hidden throughout is as good as not known, and rules nobody out.
    """
    import ibis

    columns = [
        (rows.table[key], {cell.text for cell in cells if cell.prefix == ""}, len(cells))
        for key, cells in zip(rows.keys, rows.columns, strict=True)
    ]
    stars = (key.isin(sorted(texts)) for key, texts, cells in columns if len(texts) < cells)
    is_hidden = reduce(or_, stars, ibis.literal(False))  # noqa: FBT003
    hidden = pairs.join(rows.table.filter(is_hidden), [("left", "id")]).select("right", "n")
    return hidden.group_by("right").agg(by_a_star=hidden.n.sum())


def _totals(learned: ir.Table) -> ir.Table:
    n, candidates = learned.n, learned.candidates
    return learned.aggregate(
        people=n.sum(),
        matched=n.sum(where=candidates > 0).fill_null(0),
        reidentified=n.sum(where=candidates == 1).fill_null(0),
        fitting_by_a_star=n.sum(where=learned.by_a_star > 0).fill_null(0),
        reidentified_without=n.sum(where=candidates - learned.by_a_star == 1).fill_null(0),
        certain=n.sum(where=(candidates > 0) & (learned.most == candidates)).fill_null(0),
        expected_matches=(n / candidates).sum(where=candidates > 0).fill_null(0.0),
        kinds=learned.count(),
    )


def _ordered(learned: ir.Table, keys: tuple[str, ...]) -> ir.Table:
    """Return the most exposed first: those who fit, certain, among few."""
    import ibis

    first = learned.candidates == 0, learned.most < learned.candidates
    return learned.order_by([*first, "candidates", ibis.desc("most"), *keys, "who"])


def _link(on: tuple[str, ...], row: dict[str, Any]) -> Link:
    return Link(
        known={name: row[f"key{place}"] for place, name in enumerate(on)},
        who=row["who"],
        people=row["n"],
        candidates=row["candidates"],
        by_a_star=row["by_a_star"],
        values=row["values"],
        value=row["value"],
        share=row["most"] / row["candidates"] if row["candidates"] else 0.0,
    )


def _shown(link: Link) -> tuple[str, ...]:
    value = link.value or ("" if link.candidates else tr("none fits"))
    return f"{link.people:,}", f"{link.candidates:,}", value, share(link.share)
