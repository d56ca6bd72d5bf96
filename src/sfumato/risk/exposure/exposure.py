"""How exposed a table is, and how that is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sfumato.data import count_pairs, gathered
from sfumato.errors import InputError
from sfumato.numeric import read_count
from sfumato.printing import (
    NOT_PRIVATE,
    PAGE,
    STYLE,
    as_svg,
    as_text,
    drawn,
    fitted,
    listed,
    pictured,
    rounded,
    table_of,
    whole_page,
)
from sfumato.refusal import Argument
from sfumato.risk.exposed import count_blanks, read_exposed
from sfumato.risk.exposure.attackers import risks_of, risks_with_public
from sfumato.risk.exposure.classes import (
    cells_of,
    check_rows,
    fetch_sizes,
    keys,
    made_classes,
    opened,
)
from sfumato.risk.exposure.closeness import closeness_of, ordered_columns
from sfumato.risk.exposure.combinations import (
    check_combinations,
    information_of,
    most_identifying,
    search_combinations,
)
from sfumato.risk.exposure.diversity import diversity_of
from sfumato.risk.exposure.people import list_people, shown_cell
from sfumato.risk.exposure.render import Found, headline, labelled, said
from sfumato.risk.exposure.uniqueness import check_population, estimate_uniqueness
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import ibis.expr.types as ir

    from sfumato.printing import Chart
    from sfumato.risk.exposed import Exposed
    from sfumato.risk.exposure.attackers import AttackerRisks, Presence
    from sfumato.risk.exposure.classes import Classes, Sizes
    from sfumato.risk.exposure.uniqueness import Uniqueness


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
        _columns(report),
        *_people(report),
    ]
    return whole_page(answer, "".join(parts), style=STYLE)


def _columns(report: Exposure) -> str:
    lines = [
        (listed(each.columns), f"{each.uniques:,}", f"{each.classes:,}", rounded(each.entropy))
        for each in report.sets
    ]
    return table_of(
        [(mark("columns"), tr("unique rows"), tr("equivalence classes"), mark("bits")), *lines]
    )


def _people(report: Exposure) -> list[str]:
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


@dataclass(frozen=True, kw_only=True)
class Exposure(Found):
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

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="age").findings()[0]
        '9 of 9 rows are unique on age: each is alone in its equivalence class'
        """
        return said(self)

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


_USUAL = 5


def risk(
    data: Any,
    *,
    quasi: str | Iterable[str],
    sensitive: str | Iterable[str] | None = None,
    population: int | None = None,
    public: Any = None,
    at_least: int | None = None,
    combinations: int = 3,
    rows: int = 10,
    ordered: str | Iterable[str] | None = None,
) -> Exposure:
    """Measure how exposed the people of a table are already.

    Parameters
    ----------
    data
        A path (CSV or Parquet), a pandas, polars or Arrow table, one of Ibis, or a ``Source`` of
        ``sfumato.data.open_source``.
    quasi
        The columns that somebody may know of a person from elsewhere: age, sex, zip code.
    sensitive
        The columns that nobody should learn.
    population
        How many people the population has that the table is a sample of; then it is estimated how
        many of them are unique.
    public
        A table of that population, with the same quasi-identifiers; then it is measured what it
        tells about who is in this one.
    at_least
        Rows in equivalence classes below this are called at risk.  5 by default, as agencies
        commonly ask, or the number of rows where they are fewer.
    combinations
        Combinations of quasi-identifiers are searched up to this size.
    rows
        How many of the smallest equivalence classes are listed.
    ordered
        The sensitive columns whose values have an order, for t-closeness; by default those that
        are numbers or dates.  The cells of a CSV are text.

    Examples
    --------
    >>> from sfumato.risk import risk
    >>> quasi = ["age", "sex", "zip", "smoker"]
    >>> found = risk("examples/hospital-a-generalised.csv", quasi=quasi, sensitive="diagnosis")
    >>> found.k, found.diversity[0].distinct
    (2, 2)
    """
    exposed = read_exposed(opened(data), quasi=quasi, sensitive=sensitive)
    in_order = ordered_columns(exposed, ordered)
    up_to = check_combinations(combinations, len(exposed.quasi))
    most = read_count(rows, "rows", least=0)
    names = (*exposed.quasi, *exposed.sensitive)
    cells = exposed.source.keep(cells_of(exposed.source.table, names))
    try:
        sizes = _sizes(exposed, cells)
        classes = made_classes(exposed.quasi, sizes[0])
        enough = _enough(at_least, classes.rows)
        estimated = _estimated(sizes[0], population, classes.rows)
        risks, presence = _risks(exposed, classes, enough, public)
        ranked = search_combinations(exposed.source, cells, exposed.quasi, up_to)
        return Exposure(
            classes=classes,
            at_least=enough,
            attackers=risks,
            **_secrets(exposed, cells, sizes, in_order),
            columns=tuple(each for each in ranked if len(each.columns) == 1),
            combinations=most_identifying(ranked),
            at_risk=list_people(exposed, cells, below=enough, most=most),
            blanks=count_blanks(exposed.source, cells, names),
            population=estimated,
            presence=presence,
        )
    finally:
        exposed.source.forget(cells)


def _estimated(sizes: Sizes, population: int | None, rows: int) -> Uniqueness | None:
    if population is None:
        return None
    return estimate_uniqueness(sizes, check_population(population, rows))


def _sizes(exposed: Exposed, cells: ir.Table) -> list[Sizes]:
    """Return how often classes occur; then for each sensitive column, its values and both."""
    known = keys(0, len(exposed.quasi))
    groupings: list[Sequence[str]] = [known]
    for key in keys(len(known), len(known) + len(exposed.sensitive)):
        groupings += [[key], [*known, key]]
    sizes = fetch_sizes(exposed.source, cells, groupings)
    check_rows(exposed.source, sizes[0])
    return sizes


def _secrets(
    exposed: Exposed, cells: ir.Table, sizes: list[Sizes], ordered: Sequence[str]
) -> dict[str, Any]:
    """Return what the classes give away of each sensitive column."""
    source, quasi = exposed.source, exposed.quasi
    diversity, closeness, information = [], [], []
    for position, name in enumerate(exposed.sensitive):
        own = _own_cells(exposed, cells, position)
        is_ordered = name in ordered
        diversity.append(diversity_of(source, own, quasi=quasi, sensitive=name))
        closeness.append(closeness_of(source, own, quasi=quasi, sensitive=name, ordered=is_ordered))
        value, both = sizes[1 + 2 * position : 3 + 2 * position]
        information.append(information_of(name, quasi, value=value, both=both, known=sizes[0]))
    return {
        "diversity": tuple(diversity),
        "closeness": tuple(closeness),
        "information": tuple(information),
    }


def _own_cells(exposed: Exposed, cells: ir.Table, position: int) -> ir.Table:
    """Return the cells of the quasi-identifiers and one sensitive column, as the last key."""
    if len(exposed.sensitive) == 1:
        return cells
    known = keys(0, len(exposed.quasi))
    own = {f"key{len(known)}": cells[f"key{len(known) + position}"]}
    kept = cells.select(*known, **own, mass=cells.mass)
    return kept.group_by([*known, *own]).agg(mass=kept.mass.sum())


def _risks(
    exposed: Exposed, classes: Classes, at_least: int, public: Any
) -> tuple[AttackerRisks, Presence | None]:
    known = risks_of(classes, at_least)
    if public is None:
        return known, None
    others = opened(public)
    others.check_columns(exposed.quasi)
    ours, theirs = gathered([exposed.source, others])
    return risks_with_public(known, count_pairs(ours, theirs, exposed.quasi))


def _enough(at_least: Any, rows: int) -> int:
    if at_least is None:
        return min(_USUAL, rows)
    enough = read_count(at_least, "at_least", least=1)
    if enough > rows:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{at_least} is {enough:,}, and the table has {rows:,} rows",
            "no equivalence class can be larger than the table, so ask for less",
            enough=enough,
            rows=rows,
            at_least=Argument("at_least"),
        )
    return enough
