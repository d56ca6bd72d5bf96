"""How a tour is shown on a terminal: what stands out, and when it waits for its reader."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.arguments import flag
from sfumato.cli.failures import delivered
from sfumato.cli.output import say_aside, terminal_width, write_lines
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


NoPause = Annotated[bool, flag("--no-pause", "Do not wait for Enter in between.")]

#: A line is no wider than this on any terminal.
_PAGE = 80

_COMMAND = "  $ "
_BACK_AND_CLEAR = "\x1b[1A\x1b[2K"


def can_pause() -> bool:
    """Tell whether somebody reads along who can press Enter."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(each is not None and each.isatty() for each in streams)


def goes_on(number: int, total: int) -> bool:
    """Wait for Enter; q, or the end of the input, ends the tour.

    Keys that were pressed before it was asked are no answer to it.
    """
    _forget_what_was_typed()
    typer.echo(
        tr("\n  Enter: on to {number} of {total}; q: end here ", number=number, total=total),
        nl=False,
        err=True,
    )
    try:
        answer = input()
    except EOFError:
        typer.echo(err=True)
        return False
    if os.environ.get("TERM") != "dumb":
        typer.echo(f"{_BACK_AND_CLEAR}{_BACK_AND_CLEAR}", nl=False, err=True)
    return not answer.strip().lower().startswith("q")


def page_width() -> int:
    """Return how wide a line of a walk is: as the terminal, but no wider than a page."""
    return min(_PAGE, terminal_width())


@contextmanager
def telling_of_its_end() -> Iterator[None]:
    """Say of a tour that is interrupted that it leaves no report."""
    try:
        yield
    except KeyboardInterrupt:
        with suppress(OSError):
            typer.echo(err=True)
        say_aside(tr("the tour was ended, and no report was written"))
        raise


def write_headline(lines: Iterable[str]) -> None:
    """Write what happens next, standing out, below an empty line."""
    with delivered():
        typer.echo()
    for line in lines:
        write_lines(line)


def write_scene(lines: Iterable[str]) -> None:
    """Write commands, which stand out, and what they answer."""
    with delivered():
        for line, is_command in _told_apart(lines):
            if is_command:
                write_lines(line)
            else:
                typer.echo(line)


def _forget_what_was_typed() -> None:
    """Drop keys that wait to be read, where terminals can do so."""
    try:
        import termios
    except ImportError:
        return
    with suppress(termios.error, OSError):
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _told_apart(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it is part of a command."""
    goes_on = False
    for line in lines:
        is_command = goes_on or line.startswith(_COMMAND)
        yield line, is_command
        goes_on = is_command and line.endswith(" \\")
