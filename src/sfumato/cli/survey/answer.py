"""The verb ``survey answer``: one person's answers, randomised, as one line of JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato import application
from sfumato.cli.arguments import grouping, option
from sfumato.cli.failures import delivered, explained
from sfumato.cli.prompts import can_ask
from sfumato.cli.surface import in_survey_words
from sfumato.cli.survey.arguments import Description, first_file
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


Words = Annotated[
    list[str],
    typer.Argument(
        metavar="[SURVEY] ANSWERS",
        help="The survey's file, unless --question describes it; then the answer, or cheated=yes "
        "hours=3 where there are several; - reads one a line from standard input.",
        show_default=False,
    ),
]
Person = Annotated[str, option("ID", "Whose report it is, where each has an id.")]
MemoryFile = Annotated[
    str, option("FILE", "Where the person keeps permanent answers; made if new, and never sent.")
]
_LONGEST = 2**20


@explained()
@grouping
def answer(
    words: Words = [],  # noqa: B006, since the command line is read by it
    *,
    described: Description,
    person: Person = "",
    memory: MemoryFile = "",
) -> None:
    """Randomise one person's answers here, and print the report: one line of JSON.

    The report is all that is sent. Without an answer it is asked for on a terminal. What stands
    on a command line can be seen by other users of the computer and stays in the shell's history:
    - in place of the answers reads them from standard input.
    """
    survey = described.read()
    file, answers = first_file(words, described=survey)
    if not answers and not can_ask():
        raise InputError(
            "E-OPTION-MISSING",
            "no answer is given",
            "write it after the survey's file, or - there to read it from standard input",
        )
    with in_survey_words(described=bool(survey)):
        report = application.survey.answer_survey(
            file,
            survey,
            _from_input() if answers == ["-"] else answers,
            person=person or None,
            memory=memory or None,
            ask=_ask if can_ask() else None,
        )
    with delivered():
        typer.echo(json.dumps(report))


def _from_input() -> list[str]:
    if sys.stdin is None:
        raise InputError(
            "E-INPUT-CLOSED", "standard input is closed", "write the answers in place of -"
        )
    lines = sys.stdin.read(_LONGEST).splitlines()
    return [line.strip() for line in lines if line.strip()]


def _ask(question: str, check: Callable[[str], Any]) -> str:
    """Ask until the answer passes a check."""

    def checked(text: str) -> str:
        try:
            check(text.strip())
        except InputError as error:
            raise typer.BadParameter(str(error)) from None
        return text.strip()

    return str(typer.prompt(question, err=True, value_proc=checked))
