"""``sfumato completion``: let the shell complete what is typed."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.completion import shell_complete

from sfumato.cli.failures import explained
from sfumato.errors import InputError

_SHELLS = ("bash", "zsh", "fish")


@explained()
def completion(
    ctx: typer.Context,
    shell: Annotated[
        str,
        typer.Argument(
            metavar="SHELL", help="bash, zsh or fish.", autocompletion=lambda: list(_SHELLS)
        ),
    ],
) -> None:
    """Print what makes a shell complete verbs, options and files when Tab is pressed.

    Nothing is installed. The line of the example is for ~/.bashrc; with zsh it goes into ~/.zshrc,
    after compinit; fish reads the file ~/.config/fish/completions/sfumato.fish.
    """
    if shell not in _SHELLS:
        raise InputError(
            "E-OPTION-VALUE",
            "{shell!r} is no shell that can be completed",
            "write bash, zsh or fish",
            shell=shell,
        )
    root = ctx.find_root()
    shell_complete(root.command, {}, "sfumato", "_SFUMATO_COMPLETE", f"source_{shell}")
