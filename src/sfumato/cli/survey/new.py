"""The verb ``survey new``: the small file that describes a survey."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Json, flag, grouping
from sfumato.cli.failures import explained
from sfumato.cli.output import write_report
from sfumato.cli.surface import in_survey_words
from sfumato.cli.survey.arguments import EXAMPLE, Description
from sfumato.errors import InputError

Place = Annotated[
    str, typer.Argument(metavar="FILE", help="The file to write: class.toml", show_default=False)
]
Replace = Annotated[bool, flag("--replace", "Write over an earlier file.")]


@explained()
@grouping
def new(
    file: Place, *, described: Description, replace: Replace = False, json: Json = False
) -> None:
    """Write the file that describes a survey, for the people asked and for the collector.

    The frequency oracle is chosen by ε and the number of choices, unless --protocol names it.
    Several questions share these options; what differs between them is changed in the file.
    """
    survey = described.read()
    if not survey:
        raise InputError(
            "E-SURVEY-EMPTY",
            "a survey has at least one question",
            "write {example}, say",
            example=EXAMPLE,
        )
    with in_survey_words(described=True):
        draft = application.survey.draft_survey(file, survey, replace=replace)
    write_report(draft, json=json, done=draft.done())
