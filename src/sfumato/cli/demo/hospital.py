"""The verb ``demo hospital``: the textbook's two hospitals, from exposed to private."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.arguments import Json  # noqa: TC001, since the command line is read by it
from sfumato.cli.failures import explained
from sfumato.cli.output import say_aside, working, write_json, write_lines

__all__ = ["hospital"]

Language = Annotated[
    str, typer.Option(metavar="CODE", help="Of the tables: en or zh, as the textbook has them.")
]
Tables = Annotated[
    str,
    typer.Option(
        metavar="FOLDER",
        help="Also copy the tables into a folder, new or not, to try the commands on.",
        show_default=False,
    ),
]


@explained()
def hospital(*, language: Language = "en", tables: Tables = "", json: Json = False) -> None:
    """Walk through the textbook's two hospitals, in a minute of reading.

    One patient is the only one of her age; the table is made coarser until nobody is; a second
    table undoes that; and an answer under differential privacy takes the place of both. Every
    figure is computed as you read, by the commands that are shown.
    """
    from sfumato.application.demo import copy_tables, walk_hospital
    from sfumato.application.demo.tables import read_language

    spoken = read_language(language)
    copies = copy_tables(tables, language=spoken) if tables else []
    with working("the tables of two hospitals", "attacking"):
        walk = walk_hospital(language=spoken)
    if json:
        write_json(walk.as_dict())
    else:
        write_lines(*walk.lines())
    if copies:
        say_aside(f"copied {', '.join(each.name for each in copies)} into {tables}")
