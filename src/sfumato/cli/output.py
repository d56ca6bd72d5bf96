"""Writing to a terminal or a pipe: lines, JSON, and a spinner while work goes on."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from contextlib import contextmanager, redirect_stdout, suppress
from typing import TYPE_CHECKING, Any

import typer

from sfumato.cli.failures import delivered
from sfumato.errors import InputError, StoreError
from sfumato.refusal import printable
from sfumato.translation import mark, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    class _Report(Protocol):
        def as_dict(self) -> dict[str, Any]: ...

    class _Fitting(_Report, Protocol):
        def lines(self, *, width: int) -> list[str]: ...

    class _Flowing(_Report, Protocol):
        def lines(self) -> list[str]: ...


__all__ = [
    "ending_with",
    "exit_with",
    "in_the_terminal",
    "only_answers",
    "progressing",
    "say_aside",
    "terminal_width",
    "working",
    "write_fitted",
    "write_json",
    "write_lines",
    "write_report",
]

#: The size of a page where there is no terminal.
_PAGE = (120, 24)
_COUNTING = mark("counting")
#: How a verdict leaves the shell: 1 to 4 are failures of the verb itself.
_CODES = {"proved": 0, "refuted": 5, "undecided": 6}


@contextmanager
def working(on: str, doing: str = _COUNTING) -> Iterator[None]:
    """Show a spinner on stderr while the block runs; nothing where stderr is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(f"{said(doing)} {printable(on)}".rstrip())):
        yield


@contextmanager
def progressing(on: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar on stderr that the block moves; nothing where stderr is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(printable(on)), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def only_answers() -> Iterator[None]:
    """Send what a user's code prints to stderr, so that stdout has the answer alone."""
    with redirect_stdout(sys.stderr or io.StringIO()):
        yield


def exit_with(verdict: str) -> None:
    """Exit with the code of a verdict; go on where the guarantee was kept."""
    if _CODES[verdict]:
        sys.exit(_CODES[verdict])


@contextmanager
def ending_with(verdict: str) -> Iterator[None]:
    """Exit with the code of a verdict after the block, which writes files of it.

    A file that cannot be written is said, and hides no guarantee that was not kept.
    """
    try:
        yield
    except (InputError, StoreError) as error:
        if not _CODES[verdict]:
            raise
        say_aside(str(error))
    exit_with(verdict)


def say_aside(sentence: str) -> None:
    """Write a sentence beside the answer, to stderr, if anybody listens there."""
    with suppress(OSError):
        typer.echo(f"sfumato: {printable(sentence)}", err=True)


def write_lines(headline: str, *lines: str, done: str = "") -> None:
    """Write an answer for a person in one piece: the headline stands out on a terminal.

    Parameters
    ----------
    headline, lines
        The answer.
    done
        What was done for good before, and is said even if the answer cannot be written.
    """
    with delivered(done):
        shown = [_standing_out(printable(headline)), *map(printable, lines)]
        typer.echo("\n".join(shown))


def terminal_width() -> int:
    """Return how wide a line may be."""
    return shutil.get_terminal_size(_PAGE).columns


def write_report(report: _Fitting, *, json: bool, done: str = "") -> None:
    """Write a report for a person, as wide as the terminal, or for a program.

    Parameters
    ----------
    report
        The report.
    json
        Whether it is for a program.
    done
        As in ``write_lines``.
    """
    if json:
        write_json(report.as_dict(), done=done)
    else:
        write_lines(*report.lines(width=terminal_width()), done=done)


def write_fitted(report: _Flowing, *, json: bool) -> None:
    """Write a report whose lines are of any width: its sentences are wrapped, its tables whole."""
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*in_the_terminal(report.lines()))


def in_the_terminal(lines: Iterable[str]) -> list[str]:
    """Return lines with the sentences wrapped that are too wide for the terminal."""
    from sfumato.printing.layout import sentences

    return sentences(lines, terminal_width())


def write_json(answer: dict[str, Any], *, done: str = "") -> None:
    """Write an answer for a program: one object, plain ASCII, no infinities.

    Parameters
    ----------
    answer
        The object.
    done
        As in ``write_lines``.
    """
    with delivered(done):
        typer.echo(json.dumps(answer, indent=2, allow_nan=False))


def _standing_out(headline: str) -> str:
    """Make a headline bold, unless the terminal's owner wants none of it."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return headline if plain else typer.style(headline, bold=True)
