"""Writing to a terminal or a pipe: lines, JSON, and a spinner while work goes on."""

from __future__ import annotations

import io
import json
import sys
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from sfumato.cli.failures import delivered
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = [
    "check_page",
    "check_place",
    "exit_with",
    "only_answers",
    "progressing",
    "say_aside",
    "working",
    "write_json",
    "write_lines",
    "write_page",
    "written_to",
]

_PAGES = (".html", ".htm")
#: How a verdict leaves the shell: 1 to 4 are failures of the verb itself.
_CODES = {"proved": 0, "refuted": 5, "undecided": 6}


@contextmanager
def working(on: str, doing: str = "counting") -> Iterator[None]:
    """Show a spinner on stderr while the block runs; nothing where stderr is no terminal.

    Examples
    --------
    >>> from sfumato.cli.output import working
    >>> with working("patients.csv"):
    ...     print("done")
    done
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(f"{doing} {_printable(on)}")):
        yield


@contextmanager
def progressing(on: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar on stderr that the block moves; nothing where stderr is no terminal.

    Examples
    --------
    >>> from sfumato.cli.output import progressing
    >>> with progressing("mine:release") as progress:
    ...     print(progress)
    None
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(_printable(on)), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def only_answers() -> Iterator[None]:
    """Send what a user's code prints to stderr, so that stdout has the answer alone.

    Examples
    --------
    >>> from sfumato.cli.output import only_answers
    >>> with only_answers():
    ...     print("loading the model")
    """
    with redirect_stdout(sys.stderr or io.StringIO()):
        yield


def exit_with(verdict: str) -> None:
    """Exit with the code of a verdict; go on where the promise was kept.

    Examples
    --------
    >>> from sfumato.cli.output import exit_with
    >>> exit_with("proved")
    >>> try:
    ...     exit_with("refuted")
    ... except SystemExit as end:
    ...     print("exit code", end.code)
    exit code 5
    """
    if _CODES[verdict]:
        sys.exit(_CODES[verdict])


def check_place(path: str) -> None:
    """Refuse a file that cannot be written where it would go, before any work is done for it.

    Examples
    --------
    >>> from sfumato.cli.output import check_place
    >>> check_place("no-such-folder/all.json")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: 'no-such-folder/all.json' cannot be written; name a file in a \
folder that exists
    """
    file = Path(path)
    if file.is_dir() or not file.parent.is_dir():
        message = f"{path!r} cannot be written; name a file in a folder that exists"
        raise InputError(message)


def check_page(path: str, *, spared: Sequence[str] = ()) -> None:
    """Refuse a page that cannot be written, before any work is done for it.

    Parameters
    ----------
    path
        Where it would go.
    spared
        What is read, and not to be written over.

    Examples
    --------
    >>> from sfumato.cli.output import check_page
    >>> check_page("report.csv")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: 'report.csv' is no name of a page; let it end in .html or .htm
    """
    check_place(path)
    file = Path(path)
    if any(file.exists() and Path(each).exists() and file.samefile(each) for each in spared):
        message = f"{path!r} is what would be read; name another file to write"
        raise InputError(message)
    written = file.resolve()
    if written.suffix.lower() not in _PAGES and (written.is_file() or not written.exists()):
        message = f"{path!r} is no name of a page; let it end in .html or .htm"
        raise InputError(message)


def write_page(path: str, page: str) -> None:
    """Write a page into a file, whole or not at all, or refuse in one sentence.

    Examples
    --------
    >>> from sfumato.cli.output import write_page
    >>> write_page("/dev/null", "<p>hello</p>")
    """
    from sfumato.application.pages import put_page

    with written_to(path):
        put_page(path, page)


@contextmanager
def written_to(path: str) -> Iterator[None]:
    """Refuse in one sentence a file that the block cannot write.

    Examples
    --------
    >>> from sfumato.cli.output import written_to
    >>> with written_to("/dev/full"):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: '/dev/full' cannot be written (No space left on device); name a \
file in a folder that exists
    """
    try:
        yield
    except OSError as error:
        message = (
            f"{path!r} cannot be written ({error.strerror}); name a file in a folder that exists"
        )
        raise InputError(message) from None


def say_aside(sentence: str) -> None:
    """Write a sentence beside the answer, to stderr, if anybody listens there.

    Examples
    --------
    >>> from sfumato.cli.output import say_aside
    >>> say_aside("a new signing key was made")
    """
    with suppress(OSError):
        typer.echo(f"sfumato: {_printable(sentence)}", err=True)


def write_lines(headline: str, *lines: str, done: str = "") -> None:
    """Write an answer for a person in one piece: the headline stands out on a terminal.

    Parameters
    ----------
    headline, lines
        The answer.
    done
        What was done for good before, and is said even if the answer cannot be written.

    Examples
    --------
    >>> from sfumato.cli.output import write_lines
    >>> write_lines("entropy of coin: 1.000000 bits", "2 rows")
    entropy of coin: 1.000000 bits
    2 rows
    """
    with delivered(done):
        shown = [typer.style(_printable(headline), bold=True), *map(_printable, lines)]
        typer.echo("\n".join(shown))


def write_json(answer: dict[str, Any], *, done: str = "") -> None:
    """Write an answer for a program: one object, plain ASCII, no infinities.

    Parameters
    ----------
    answer
        The object.
    done
        As in ``write_lines``.

    Examples
    --------
    >>> from sfumato.cli.output import write_json
    >>> write_json({"private": False})
    {
      "private": false
    }
    """
    with delivered(done):
        typer.echo(json.dumps(answer, indent=2, allow_nan=False))


def _printable(text: str) -> str:
    """Escape what could move the cursor or change colours; column names are not ours."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
