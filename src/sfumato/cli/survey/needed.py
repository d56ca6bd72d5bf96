"""The verb ``survey needed``: how many people have to be asked."""

from __future__ import annotations

from typing import Annotated

from sfumato.cli.arguments import Json, read_names
from sfumato.cli.failures import explained
from sfumato.cli.ledger.arguments import option, terminal_width
from sfumato.cli.option_names import options_named
from sfumato.cli.output import write_json, write_lines
from sfumato.cli.survey.arguments import Confidence, Files, only_file
from sfumato.cli.survey.describing import Description, describing
from sfumato.cli.survey.words import in_survey_words
from sfumato.errors import InputError

__all__ = ["needed"]

Within = Annotated[
    list[str],
    option(
        "NUMBER",
        "How far intervals may reach to either side, as a share: 0.05; or hours=0.5 in the units "
        "of one question.",
    ),
]


@explained()
@describing
def needed(
    survey: Files = [],  # noqa: B006, since the command line is read by it
    *,
    within: Within = [],  # noqa: B006
    confidence: Confidence = "0.95",
    json: Json = False,
    described: Description,
) -> None:
    """Say how many people have to be asked, for intervals as short as is wanted.

    It holds whatever they answer. For a number, a share is that of its range.
    """
    from sfumato.application.survey.needing import people_needed

    questions = described.read()
    with in_survey_words(described=bool(questions)), options_named("within", "confidence"):
        report = people_needed(
            only_file(survey, described=questions),
            questions,
            within=_read_within(within),
            confidence=confidence,
        )
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines(width=terminal_width()))


def _read_within(given: list[str]) -> dict[str, str]:
    if not given:
        message = "--within is missing: it says how exact estimates are to be; write --within 0.05"
        raise InputError(message)
    wanted: dict[str, str] = {}
    for text in read_names(given):
        name, _, half = text.rpartition("=")
        if name in wanted:
            message = (
                f"--within says {name[:60]!r} twice; give each once"
                if name
                else ("--within is given twice; write --within 0.05 --within hours=0.5, say")
            )
            raise InputError(message)
        wanted[name] = half
    return wanted
