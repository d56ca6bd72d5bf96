"""The verb ``attack link``: what somebody learns who knows a few things of people."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Form, Json, On, SensitiveColumn, read_names, read_pairs, setting
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_fitted
from sfumato.cli.surface import options_named
from sfumato.errors import InputError
from sfumato.translation import mark

Release = Annotated[
    str, typer.Argument(metavar="RELEASE", help="What is published: a CSV or Parquet file.")
]
Known = Annotated[
    str, setting("FILE", "A table of people, with what is known of each.", default=False)
]
Person = Annotated[
    list[str],
    setting("NAME=VALUE", "What is known of one person: age=56,sex=female", default=False),
]
Who = Annotated[str, setting("NAME", "The column of --known that names the people.", default=False)]
_PERSON = Form("--person", "age=56")


@explained()
def link(
    release: Release,
    *,
    sensitive: SensitiveColumn,
    known: Known = "",
    person: Person = [],  # noqa: B006
    on: On = [],  # noqa: B006
    who: Who = "",
    json: Json = False,
) -> None:
    """Link a release with background knowledge: how many rows fit a person, and what is learned.

    56 fits 50-60, 190146 fits 1901**, and anything fits a star or an empty cell. What all rows
    that fit have in common is learned for certain. The figures are exact, not private.
    """
    with working(release, mark("linking")), options_named("on", "sensitive", "who"):
        described = {each.name: each.value for each in read_pairs(person, _PERSON)}
        if bool(known) == bool(described):
            raise InputError(
                "E-ARGUMENT-CONFLICT",
                "a table of people or one person is needed, and not both",
                "give either, such as --known people.csv or --person age=56",
            )
        report = application.risk.link(
            release,
            known or described,
            on=read_names(on) or None,
            sensitive=sensitive,
            who=who or None,
        )
    write_fitted(report, json=json)
