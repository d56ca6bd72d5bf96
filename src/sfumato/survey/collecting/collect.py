"""Reports collected: counted in the engine that holds them, in few queries and little memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data import Source
from sfumato.data.records import open_records
from sfumato.errors import InputError
from sfumato.refusal import all_of, text
from sfumato.survey.collecting.blocks import blocks_of
from sfumato.survey.collecting.counting import counted_groups, counted_reports
from sfumato.survey.collecting.rows import ReportRows
from sfumato.survey.collector.asked_pairs import read_pairs
from sfumato.survey.collector.collection import Collection
from sfumato.survey.collector.reading import check_survey

if TYPE_CHECKING:
    from sfumato.refusal import Given
    from sfumato.survey.client.survey import Survey
    from sfumato.survey.collecting.blocks import Block
    from sfumato.survey.collecting.counting import Counted
    from sfumato.survey.collector.aside import Aside

__all__ = ["collect"]


def collect(
    survey: Survey, reports: Any, *, pairs: Any = (), table: str | None = None
) -> Collection:
    r"""Return what the reports of a survey say, counted where they are.

    Parameters
    ----------
    survey
        What was asked.
    reports
        One report a row: the path of a file (.csv, .tsv, .parquet, .jsonl, .arrow), a pandas,
        polars or Arrow table, the address of a PostgreSQL database, a data frame of Spark, or a
        table of Ibis; or a list of what ``survey.answer`` returned.  Columns that the survey does
        not name are not looked at.
    pairs
        Pairs of questions with choices, for their cross-tables.
    table
        Which table of a database.

    Returns
    -------
    Collection
        The tallies that estimates are made of, and how many reports were set aside.

    Notes
    -----
    A report counts if its digest is this survey's and each of its entries is one that the
    question's protocol can give.  In a survey with ids one report of each person counts, that
    with the least tag: a tag is drawn at random, so that the choice does not hang on the answer.

    Cells are compared as they are written, and nothing is guessed: in a file of text ``01`` is
    not ``1``.  A column of another type is taken where it can hold every report: whole numbers
    for choices such as ``1`` and ``2``, true and false for ``true`` and ``false``.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.survey.read_survey("examples/class.toml")
    >>> sf.survey.collect(survey, "examples/class-reports.csv")
    <Collection of 'class': 40 reports>
    >>> sf.survey.collect(survey, [survey.answer({"cheated": "yes"}) for _ in range(3)]).people
    3
    """
    check_survey(survey)
    asked = read_pairs(survey, pairs)
    source = (
        reports
        if isinstance(reports, Source)
        else open_records(reports, survey.entries, table=table)
    )
    rows = ReportRows(survey, source)
    first, *others = blocks_of(survey, asked)
    with source.engine.reading():
        found = _counted(rows, first)
        _check_some(found, source)
        more = [_counted(rows, each) for each in others]
    tallies, joint = found.tallies, found.pairs
    for each in more:
        tallies, joint = tallies | each.tallies, joint | each.pairs
    ordered = {name: tallies[name] for name in survey.questions}
    return Collection(survey, found.people, ordered, joint, found.aside)


def _counted(rows: ReportRows, block: Block) -> Counted:
    return counted_groups(rows, block) if block.is_grouped else counted_reports(rows, block)


def _check_some(found: Counted, source: Source) -> None:
    """Refuse to estimate from nothing."""
    if found.people:
        return
    if not found.aside.total:
        raise InputError(
            "E-REPORTS-NONE",
            "{source} has no reports",
            "have people answer first",
            source=source.name,
        )
    raise InputError(
        "E-REPORTS-NONE",
        "no report in {source} can be counted ({reasons})",
        "collect them with the survey that people answered",
        source=source.name,
        reasons=_reasons(found.aside),
    )


def _reasons(aside: Aside) -> Given:
    other, broken = aside.other_survey, aside.impossible
    reasons = [
        (other, text("{number:,} of another survey or no reports at all", number=other)),
        (broken, text("{number:,} with an impossible or missing entry", number=broken)),
    ]
    return all_of(reason for count, reason in reasons if count)
