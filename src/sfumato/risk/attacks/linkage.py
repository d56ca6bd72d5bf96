"""Linkage: background knowledge of a person finds the rows that fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from sfumato.data import asked_names, in_memory
from sfumato.errors import InputError
from sfumato.refusal import Argument
from sfumato.risk.attacks.linkage_report import Link, Linkage
from sfumato.risk.attacks.lookalikes import (
    Lookalikes,
    check_common,
    fitting,
    keeping,
    lookalikes_of,
    opened,
)
from sfumato.risk.attacks.render import MOST_RECORDS
from sfumato.risk.attacks.sensitive import most_frequent
from sfumato.risk.exposed import one_name, read_exposed
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import ibis.expr.types as ir

    from sfumato.data import Source


#: How Python and its frames write a value that is not there.
_NOTHING = ("None", "nan", "NaT", "<NA>")


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
    if on is not None:
        return _known_names(asked_names(on, "on"), known)
    if isinstance(known, Mapping):
        return asked_names(known, "known")
    raise InputError(
        "E-ARGUMENT-MISSING",
        "{on} is missing",
        "name the columns that are known of each person, such as 'age'",
        on=Argument("on"),
    )


def _known_names(names: tuple[str, ...], known: Any) -> tuple[str, ...]:
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
