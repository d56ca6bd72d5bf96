"""The verb ``survey simulate``: a survey tried on people who are made up."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import Html, Json, Plot, flag, grouping, option, read_names, read_whole
from sfumato.cli.failures import explained
from sfumato.cli.output import check_files, progressing, write_page, write_picture, write_report
from sfumato.cli.surface import in_survey_words, options_named
from sfumato.cli.survey.arguments import (
    Confidence,
    Consistent,
    Description,
    Files,
    Pairs,
    only_file,
)
from sfumato.errors import InputError

People = Annotated[str, option("NUMBER", "How many people answer; must be given.")]
Share = Annotated[
    list[str],
    option(
        "CHOICE=SHARE",
        "Each answers so with this probability: yes=0.3, or meal.soup=0.1 where there are several "
        "questions; of a number, what they answer: spent=5, or spent=2:8. The rest is shared "
        "evenly.",
    ),
]
Out = Annotated[str, option("FILE", "Also write the reports, .csv or .parquet")]
Replace = Annotated[bool, flag("--replace", "Write over an earlier file.")]


@explained()
@grouping
def simulate(
    survey: Files = [],  # noqa: B006, since the command line is read by it
    *,
    people: People = "",
    share: Share = [],  # noqa: B006
    out: Out = "",
    replace: Replace = False,
    pairs: Pairs = [],  # noqa: B006
    confidence: Confidence = "0.95",
    consistent: Consistent = False,
    html: Html = "",
    plot: Plot = "",
    json: Json = False,
    described: Description,
) -> None:
    """Try a survey on people who are made up, and see the truth beside the estimates.

    People are drawn some at a time, so that there may be many millions of them.
    """
    questions = described.read()
    file = only_file(survey, described=questions)
    check_files(html=html, plot=plot, spared=[file])
    with (
        in_survey_words(
            "people", "confidence", "share", described=bool(questions), shares="--share"
        ),
        progressing(out or "people") as progress,
    ):
        report = application.survey.simulate_survey(
            file,
            questions,
            _read_people(people),
            shares=read_names(share),
            out=out or None,
            replace=replace,
            pairs=[tuple(read_names([each])) for each in pairs],
            confidence=confidence,
            consistent=consistent,
            progress=progress,
        )
    with options_named("consistent"):
        write_report(report, json=json)
        write_page(html, report.to_html)
        write_picture(plot, report.plot)


def _read_people(text: str) -> int:
    if not text:
        raise InputError(
            "E-OPTION-MISSING",
            "--people is missing: it says how many answer",
            "write --people 1000",
        )
    return read_whole(text, "--people")
