"""How exposed the people of a table are: the report, in lines for a terminal and as a page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import TYPE_CHECKING, Any, Literal

from sfumato.printing import (
    NOT_PRIVATE,
    PAGE,
    STYLE,
    NotPrivate,
    as_svg,
    as_text,
    counted,
    cut,
    drawn,
    fitted,
    for_json_all,
    listed,
    named,
    pictured,
    places,
    printable,
    rounded,
    share,
    table_of,
    whole_page,
    wrapped,
)
from sfumato.risk.exposed import blanks_in_words
from sfumato.risk.exposure.people import AtRisk, shown_cell
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sfumato.printing import Chart
    from sfumato.risk.exposure.attackers import AttackerRisks, Presence
    from sfumato.risk.exposure.classes import Classes
    from sfumato.risk.exposure.closeness import Closeness
    from sfumato.risk.exposure.combinations import Combination, Information
    from sfumato.risk.exposure.diversity import Diversity
    from sfumato.risk.exposure.uniqueness import Uniqueness


#: How many places of a terminal labels take at least, and at most.
_LABEL, _LONGEST_LABEL = 13, 28


@dataclass(frozen=True, kw_only=True)
class Exposure(NotPrivate):
    """How exposed the people of a table are.

    Attributes
    ----------
    classes
        The equivalence classes of the quasi-identifiers.
    at_least
        Rows in equivalence classes below this are called at risk.
    attackers
        The re-identification risk.
    diversity, closeness, information
        What the classes give away of each sensitive column.
    columns
        The quasi-identifiers one by one, the most identifying first.
    combinations
        The most identifying combination of each size.
    at_risk
        The smallest equivalence classes.
    blanks
        The columns in which cells differ from others only by blanks around them, and how many:
        they count as other values, and an attacker takes them for equal.
    population
        How many people of the population would be unique, where its size was given.
    presence
        What a public table tells about who is in this one, where one was given.

    Examples
    --------
    >>> from sfumato.risk import risk
    >>> found = risk("examples/hospital-a.csv", quasi="age", sensitive="diagnosis")
    >>> found.k, found.classes.uniques, found.diversity[0].distinct
    (1, 9, 1)
    """

    classes: Classes
    at_least: int
    attackers: AttackerRisks
    diversity: tuple[Diversity, ...]
    closeness: tuple[Closeness, ...]
    information: tuple[Information, ...]
    columns: tuple[Combination, ...]
    combinations: tuple[Combination, ...]
    at_risk: tuple[AtRisk, ...]
    blanks: Mapping[str, int]
    population: Uniqueness | None = None
    presence: Presence | None = None

    @property
    def k(self) -> int:
        """The size of the smallest equivalence class.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="sex").k
        4
        """
        return self.classes.k

    @property
    def rows(self) -> int:
        """How many rows the table has.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="sex").rows
        9
        """
        return self.classes.rows

    @property
    def sets(self) -> tuple[Combination, ...]:
        """The columns one by one, then the most identifying combinations of more.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> [each.columns for each in risk("examples/hospital-a.csv", quasi=["sex", "zip"]).sets]
        [('zip',), ('sex',), ('sex', 'zip')]
        """
        several = (each for each in self.combinations if len(each.columns) > 1)
        return (*self.columns, *several)

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="age").findings()[0]
        '9 of 9 rows are unique on age: each is alone in its equivalence class'
        """
        return said(self)

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="sex").figures()["rows_at_risk"]
        4
        """
        return {
            "classes": self.classes.figures(),
            "at_least": self.at_least,
            "rows_at_risk": self.classes.rows_below(self.at_least),
            **for_json_all(self),
        }

    def lines(self, *, width: int = PAGE) -> list[str]:
        """Return the findings, and that they are not private, on lines that fit a terminal.

        Parameters
        ----------
        width
            How wide a line may be; none is wider than 80.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="age").lines()[-1]
        'not private: exact figures, for the data owner'
        """
        width = min(width, PAGE)
        return fitted([*said(self, width=width), NOT_PRIVATE], width)

    def svg(self, of: Literal["classes", "columns", "information"] = "classes") -> str:
        """Return a picture of ``plot`` as SVG.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="age").svg()[:4]
        '<svg'
        """
        return as_svg(self.plot(of))

    def plot(
        self,
        of: Literal["classes", "columns", "information"] = "classes",
        *,
        to: str | Path | None = None,
    ) -> Chart:
        """Draw it as a chart; needs ``sfumato[plots]``.  Exact figures, for the data owner.

        Parameters
        ----------
        of
            ``"classes"``: rows by the size of their equivalence class; ``"columns"``: which columns
            identify people; ``"information"``: how many bits the quasi-identifiers give away.
        to
            Also write it into a file ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> chart = risk("examples/hospital-a.csv", quasi="age").plot()
        >>> chart.to_dict()["title"]["text"]
        ['9 of 9 rows are in equivalence classes below 5 on age']
        """
        return drawn("exposure", self, to=to, of=of)

    def to_html(self) -> str:
        """Return the report as a page of its own: sentences, two pictures and tables.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> page = risk("examples/hospital-a.csv", quasi="age").to_html()
        >>> page[:15], page.count("<img")
        ('<!doctype html>', 2)
        """
        return exposure_page(self)

    def _repr_html_(self) -> str:
        return f"{super()._repr_html_()}{pictured(self.plot)}"


def said(report: Exposure, *, width: int = PAGE) -> list[str]:
    """Return a report as lines: the answer, then a label and a figure each."""
    lines = [headline(report), *_in_columns(list(labelled(report)), width)]
    lines += _listed(
        tr("most identifying columns"), [each.findings()[0] for each in report.combinations]
    )
    small = [each.findings()[0] for each in report.at_risk]
    return lines + _listed(
        tr("the smallest equivalence classes below {at_least:,}", at_least=report.at_least), small
    )


def headline(report: Exposure) -> str:
    """Return the answer in one sentence."""
    classes, columns = report.classes, named(report.classes.columns)
    if classes.uniques:
        return tr_n(
            "{uniques:,} of {rows} is unique on {columns}: it is alone in its equivalence class",
            "{uniques:,} of {rows} are unique on {columns}: each is alone in its equivalence class",
            classes.uniques,
            uniques=classes.uniques,
            rows=counted(classes.rows, "row"),
            columns=columns,
        )
    return tr(
        "no row is unique on {columns}: every equivalence class has {k:,} rows or more",
        columns=columns,
        k=classes.k,
    )


def _in_columns(rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Return labels with sentences beside them, which stay there over several lines."""
    labels = [cut(label, _LONGEST_LABEL) for label, _ in rows]
    taken = max(_LABEL, *map(places, labels))
    lines = []
    for label, (_, sentence) in zip(labels, rows, strict=True):
        first, *later = wrapped(printable(sentence), width - taken - 1, later="")
        lines.append(f"{label}{' ' * (taken - places(label))} {first}")
        lines += [f"{' ' * taken} {each}" for each in later]
    return lines


def labelled(report: Exposure) -> Iterator[tuple[str, str]]:
    """Return the figures with a word for each."""
    for sentence in blanks_in_words(report.blanks):
        yield tr("WARNING"), sentence
    yield tr("k-anonymity"), _classes(report)
    yield tr("at risk"), _at_risk(report)
    yield from _under(tr("attacker"), report.attackers)
    yield from _under(tr("population"), report.population)
    yield from _under(tr("presence"), report.presence)
    yield tr("identity"), _identity(report)
    yield from _secrets(report)


def _under(label: str, part: NotPrivate | None) -> Iterator[tuple[str, str]]:
    """Return the findings of a part, the first with its label."""
    for number, sentence in enumerate([] if part is None else part.findings()):
        yield label if number == 0 else "", sentence


def _classes(report: Exposure) -> str:
    classes = report.classes
    number = counted(classes.total, "equivalence class")
    return tr(
        "k = {k:,}: {rows} in {number}",
        k=classes.k,
        rows=counted(classes.rows, "row"),
        number=number,
    )


def _at_risk(report: Exposure) -> str:
    few, rows = report.classes.rows_below(report.at_least), report.rows
    few_of_all = tr(
        "{few:,} of {rows} ({percent})",
        few=few,
        rows=counted(rows, "row"),
        percent=share(few / rows),
    )
    return tr(
        "{share} in equivalence classes below {at_least:,}",
        share=few_of_all,
        at_least=report.at_least,
    )


def _identity(report: Exposure) -> str:
    told, most = report.classes.entropy, math.log2(report.rows)
    return tr(
        "{told} of the {most} bits that identify a person", told=rounded(told), most=rounded(most)
    )


def _secrets(report: Exposure) -> Iterator[tuple[str, str]]:
    for diversity, closeness, told in zip(
        report.diversity, report.closeness, report.information, strict=True
    ):
        many = tr(
            "l = {distinct:,} distinct, {entropy} by entropy",
            distinct=diversity.distinct,
            entropy=rounded(diversity.entropy, ROUND_FLOOR),
        )
        yield diversity.sensitive, f"{many}; t = {rounded(closeness.t, ROUND_CEILING)}"
        yield "", diversity.recursive
        for sentence in diversity.findings()[2:]:
            yield "", sentence
        yield "", tr("{before} bits: {told}", before=rounded(told.before), told=_left(told))


def _left(told: Information) -> str:
    return tr(
        "{learned} learned from the others, {after} left",
        learned=rounded(told.learned),
        after=rounded(told.after),
    )


def _listed(title: str, lines: list[str]) -> list[str]:
    return [f"{title}:", *(f"  {line}" for line in lines)] if lines else []


def exposure_page(report: Exposure) -> str:
    """Return a report as a whole page: sentences, pictures, tables."""
    answer = headline(report)
    parts = [
        f"<h1>{tr('How exposed is this table?')}</h1><p><strong>{as_text(answer)}.</strong></p>",
        f"<p>{as_text(NOT_PRIVATE)}</p>",
        table_of([("figure", "value"), *labelled(report)]),
        "<h2>Equivalence classes</h2>",
        pictured(report.plot),
        f"<h2>{tr('Which columns identify people')}</h2>",
        pictured(lambda: report.plot("columns")),
        _columns_table(report),
        *_people_table(report),
    ]
    return whole_page(answer, "".join(parts), style=STYLE)


def _columns_table(report: Exposure) -> str:
    lines = [
        (listed(each.columns), f"{each.uniques:,}", f"{each.classes:,}", rounded(each.entropy))
        for each in report.sets
    ]
    return table_of(
        [(mark("columns"), tr("unique rows"), tr("equivalence classes"), mark("bits")), *lines]
    )


def _people_table(report: Exposure) -> list[str]:
    if not report.at_risk:
        return []
    names = report.classes.columns
    lines = [
        (
            *(shown_cell(each.values[name]) for name in names),
            f"{each.rows:,}",
            ", ".join(f"{name}: {shown_cell(value)}" for name, value in each.given_away.items()),
        )
        for each in report.at_risk
    ]
    return [
        f"<h2>{tr('The smallest equivalence classes')}</h2>",
        table_of([(*names, mark("rows"), tr("gives away")), *lines]),
    ]
