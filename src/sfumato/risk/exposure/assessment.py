"""The assessment of a table: every measure of how exposed its people are, by few queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data import count_pairs, gathered
from sfumato.errors import InputError
from sfumato.numeric import read_count
from sfumato.refusal import Argument
from sfumato.risk.exposed import Exposed, count_blanks, read_exposed
from sfumato.risk.exposure.attackers import AttackerRisks, Presence, risks_of, risks_with_public
from sfumato.risk.exposure.classes import (
    Classes,
    Sizes,
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
from sfumato.risk.exposure.exposure import Exposure
from sfumato.risk.exposure.people import list_people
from sfumato.risk.exposure.uniqueness import Uniqueness, check_population, estimate_uniqueness

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import ibis.expr.types as ir


#: Agencies commonly ask for classes of so many rows.
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
