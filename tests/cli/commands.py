"""Every command of the shell, and the examples on its help page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import typer

from sfumato.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator


def the_command() -> Any:
    """The command of all verbs, made anew."""
    return typer.main.get_command(vars(app)["_app"])


def verbs(command: Any = None, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every verb by its words, such as ``ledger show``, with its command."""
    here = command or the_command()
    below = getattr(here, "commands", None)
    if below is None:
        yield " ".join(words), here
        return
    for name, each in below.items():
        yield from verbs(each, (*words, name))


def help_pages(
    command: Any, words: tuple[str, ...] = ("sfumato",), above: typer.Context | None = None
) -> Iterator[tuple[str, str]]:
    """A command and all that are under it, each with its help page."""
    here = typer.Context(command, parent=above, info_name=words[-1], **command.context_settings)
    yield " ".join(words), command.get_help(here)
    for name, each in getattr(command, "commands", {}).items():
        yield from help_pages(each, (*words, name), here)


def foot(help_page: str) -> str:
    """What a help page shows at its end: examples, and what has to be done before them."""
    found = re.search(r"^ *(First, once|Examples?):$", help_page, re.MULTILINE)
    return help_page[found.start() :] if found else ""


def examples(help_page: str) -> list[str]:
    """The commands at the foot of a help page, as a shell would read them, in their order."""
    return re.findall(r"^ *(sfumato .*)$", foot(help_page).replace("\\\n", " "), re.MULTILINE)
