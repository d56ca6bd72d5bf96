"""The verb ``survey needed``: how many people have to be asked, or how exact some will be."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import Json, grouping, option, read_names, read_whole
from sfumato.cli.failures import explained
from sfumato.cli.output import write_report
from sfumato.cli.surface import in_survey_words
from sfumato.cli.survey.arguments import Confidence, Description, Files, only_file
from sfumato.errors import InputError

Within = Annotated[
    list[str],
    option(
        "NUMBER",
        "How far intervals may reach to either side, as a share: 0.05; or hours=0.5 in the units "
        "of one question.",
    ),
]
People = Annotated[
    str, option("NUMBER", "In its place: say how far intervals reach with so many people.")
]


@explained()
@grouping
def needed(
    survey: Files = [],  # noqa: B006, since the command line is read by it
    *,
    within: Within = [],  # noqa: B006
    people: People = "",
    confidence: Confidence = "0.95",
    json: Json = False,
    described: Description,
) -> None:
    """Say how many people have to be asked, for confidence intervals as short as is wanted.

    With --people instead of --within: how short intervals are with so many. Both hold whatever
    people answer. For a number, a share is that of its range.
    """
    report: application.survey.NeededReport | application.survey.ReachReport
    _check_one_direction(within, people)
    questions = described.read()
    names = ("within", "people", "confidence")
    with in_survey_words(*names, described=bool(questions)):
        file = only_file(survey, described=questions)
        if people:
            count = read_whole(people, "--people")
            report = application.survey.precision_reached(
                file, questions, people=count, confidence=confidence
            )
        else:
            half = _read_within(within)
            report = application.survey.people_needed(
                file, questions, within=half, confidence=confidence
            )
    write_report(report, json=json)


def _check_one_direction(within: list[str], people: str) -> None:
    if within and people:
        raise InputError(
            "E-OPTION-CONFLICT",
            "--within and --people ask opposite questions",
            "leave one of them out",
        )
    if not within and not people:
        raise InputError(
            "E-OPTION-MISSING",
            "--within is missing: it says how exact estimates are to be",
            "write --within 0.05, or --people 500 to learn how exact so many people make them",
        )


def _read_within(given: list[str]) -> dict[str, str]:
    wanted: dict[str, str] = {}
    for text in read_names(given):
        name, _, half = text.rpartition("=")
        if name in wanted:
            if name:
                raise InputError(
                    "E-ARGUMENT-TWICE",
                    "--within says {name!r} twice",
                    "give each once",
                    name=name[:60],
                )
            raise InputError(
                "E-ARGUMENT-TWICE",
                "--within is given twice",
                "write --within 0.05 --within hours=0.5, say",
            )
        wanted[name] = half
    return wanted
