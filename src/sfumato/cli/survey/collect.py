"""The verb ``survey collect``: what the reports of many people say."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from sfumato import application
from sfumato.cli.arguments import Html, Json, Plot, flag, grouping, option, read_names
from sfumato.cli.failures import explained
from sfumato.cli.output import check_files, progressing, write_page, write_picture, write_report
from sfumato.cli.surface import in_survey_words, options_named
from sfumato.cli.survey.arguments import Confidence, Consistent, Description, Pairs, first_file
from sfumato.errors import InputError

Words = Annotated[
    list[str],
    typer.Argument(
        metavar="[SURVEY] REPORTS",
        help="The survey's file, unless --question describes it; then the file of reports: CSV, "
        "Parquet, Arrow or lines of JSON, or postgresql://host/database.",
        show_default=False,
    ),
]
TableName = Annotated[str, option("NAME", "Which table of a database.")]
Shuffled = Annotated[
    bool, flag("--shuffled", "Say what a trusted shuffler makes of the guarantee.")
]
Delta = Annotated[str, option("NUMBER", "With --shuffled: the δ, such as 1e-6.")]


@explained()
@grouping
def collect(
    words: Words = [],  # noqa: B006, since the command line is read by it
    *,
    table: TableName = "",
    pairs: Pairs = [],  # noqa: B006
    confidence: Confidence = "0.95",
    consistent: Consistent = False,
    shuffled: Shuffled = False,
    delta: Delta = "",
    html: Html = "",
    plot: Plot = "",
    json: Json = False,
    described: Description,
) -> None:
    """Estimate the shares of all answers from reports, with confidence intervals.

    Reports of another survey, impossible ones, and more than one of a person with an id are set
    aside, and counted. What is computed from reports is post-processing, and free.
    """
    survey = described.read()
    file, reports = _read_words(words, survey)
    check_files(html=html, plot=plot, spared=[file, reports])
    with (
        in_survey_words("confidence", "delta", "table", described=bool(survey)),
        progressing(reports) as progress,
    ):
        report = application.survey.collect_reports(
            file,
            survey,
            reports,
            table=table or None,
            pairs=[tuple(read_names([each])) for each in pairs],
            confidence=confidence,
            consistent=consistent,
            delta=_read_delta(delta, shuffled=shuffled),
            progress=progress,
        )
    with options_named("consistent"):
        write_report(report, json=json)
        write_page(html, report.to_html)
        write_picture(plot, report.plot)


def _read_words(words: list[str], survey: dict[str, Any]) -> tuple[str, str]:
    file, others = first_file(words, described=survey)
    if len(others) == 1:
        return file, others[0]
    begin = "sfumato survey collect class.toml"
    if others:
        raise InputError(
            "E-OPTION-VALUE",
            "{count} files of reports are named",
            "write one, as in {begin} reports.csv",
            count=len(others),
            begin=begin,
        )
    raise InputError(
        "E-OPTION-MISSING",
        "no file of reports is named",
        "write {begin} reports.csv, say",
        begin=begin,
    )


def _read_delta(delta: str, *, shuffled: bool) -> str | None:
    if shuffled and not delta:
        raise InputError(
            "E-OPTION-MISSING", "--shuffled needs a δ", "write --shuffled --delta 1e-6, say"
        )
    if delta and not shuffled:
        raise InputError(
            "E-OPTION-CONFLICT",
            "--delta is for reports that somebody shuffled",
            "add --shuffled, or leave it out",
        )
    return delta or None
