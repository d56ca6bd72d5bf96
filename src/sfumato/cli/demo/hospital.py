"""The verb ``demo hospital``: the textbook's two hospitals, from exposed to private."""

from __future__ import annotations

from shlex import quote
from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import Json, setting
from sfumato.cli.demo.stage import (
    NoPause,
    can_pause,
    goes_on,
    page_width,
    write_headline,
    write_scene,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import say_aside, working, write_json, write_lines
from sfumato.translation import ENGLISH, current, mark, tr

Folder = Annotated[
    str,
    setting(
        "FOLDER",
        "Also copy the tables into a folder, new or not, to try the commands on.",
        "--folder",
        "--tables",
        default=False,
    ),
]


@explained()
def hospital(*, folder: Folder = "", no_pause: NoPause = False, json: Json = False) -> None:
    """Walk through the textbook's two hospitals, in a minute of reading.

    One patient is the only one of her age; the table is generalised until nobody is; a second
    table undoes that; and an answer under differential privacy takes the place of both. Every
    figure is computed as you read, by the commands that are shown. The tables are in the language
    that is spoken: sfumato --lang zh demo hospital.
    """
    spoken: application.demo.Language = "zh" if current() == "zh" else "en"
    copies = application.demo.copy_tables(folder, language=spoken) if folder else []
    with working(tr("the tables of two hospitals"), mark("attacking")):
        walk = application.demo.walk_hospital(language=spoken)
    if json:
        write_json(walk.as_dict())
    else:
        ended = _show(walk, pauses=can_pause() and not no_pause)
        tables = tr(
            "The tables, to repeat the commands on: {spoken}", spoken=_repeated(spoken, folder)
        )
        write_headline([*ended, tables])
    if copies:
        say_aside(
            tr(
                "copied {copies} into {folder}",
                copies=", ".join(each.name for each in copies),
                folder=folder,
            )
        )


def _show(walk: application.demo.Walk, *, pauses: bool) -> list[str]:
    """Show each step, wait for a reader who wants it, and return what to say of an early end."""
    width, total = page_width(), len(walk.steps)
    write_lines(walk.title)
    for number, step in enumerate(walk.steps, start=1):
        if pauses and number > 1 and not goes_on(number, total):
            return [tr("Ended after {number} of {total} steps.", number=number - 1, total=total)]
        write_headline(step.headline(number, width))
        write_scene(step.body(width))
    return []


def _repeated(language: str, folder: str) -> str:
    if folder:
        return f"cd {quote(folder)}"
    spoken = "" if language == ENGLISH else f" --lang {language}"
    return f"sfumato{spoken} demo hospital --folder hospital"
