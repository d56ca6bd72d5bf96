"""Writing to a terminal or a pipe: lines, JSON, and a spinner while work goes on."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from sfumato import application
from sfumato.cli.failures import delivered
from sfumato.errors import InputError, SfumatoError, StoreError
from sfumato.refusal import printable
from sfumato.translation import mark, said, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Protocol

    class _Report(Protocol):
        def as_dict(self) -> dict[str, Any]: ...

    class _Fitting(_Report, Protocol):
        def lines(self, *, width: int) -> list[str]: ...

    class _Flowing(_Report, Protocol):
        def lines(self) -> list[str]: ...


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
    from sfumato.printing import sentences

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


_PAGES = (".html", ".htm")


def check_place(path: str) -> None:
    """Refuse a file that cannot be written where it would go, before any work is done for it."""
    file = Path(path)
    application.check_reachable(file)
    if not file.exists() or file.is_file() or file.is_dir():
        application.check_folder(file)


def check_page(path: str, *, spared: Sequence[str] = ()) -> None:
    """Refuse a page that cannot be written, before any work is done for it.

    Parameters
    ----------
    path
        Where it would go; nothing is refused where it is empty.
    spared
        What is read, and not to be written over.
    """
    if not path:
        return
    check_place(path)
    _spare(path, spared)
    written = Path(os.path.realpath(path))
    if written.suffix.lower() not in _PAGES and (written.is_file() or not written.exists()):
        raise InputError(
            "E-OUTPUT-NAME",
            "{path!r} is no name of a page",
            "let it end in .html or .htm",
            path=path,
        )


def check_picture(path: str, *, spared: Sequence[str] = ()) -> None:
    """Refuse a picture that cannot be drawn into a file, before any work is done for it.

    Parameters
    ----------
    path
        Where it would go; nothing is refused where it is empty.
    spared
        What is read, and not to be written over.
    """
    if path:
        _spare(path, spared)
        application.check_picture(path)


def check_files(*, html: str, plot: str, spared: Sequence[str] = ()) -> None:
    """Refuse a page or a picture that cannot be written, and one file for both.

    Parameters
    ----------
    html, plot
        Where they would go, if anywhere.
    spared
        What is read, and not to be written over.
    """
    check_page(html, spared=spared)
    check_picture(plot, spared=spared)
    check_apart(html=html, plot=plot)


def check_apart(**files: str) -> None:
    """Refuse two options that name the same file to write."""
    seen: dict[str, str] = {}
    for name, file in files.items():
        other = seen.setdefault(os.path.realpath(file), name)
        if file and other != name:
            raise InputError(
                "E-OUTPUT-TWICE",
                "--{other} and --{name} name the same file",
                "name another one for --{name}",
                other=other,
                name=name,
            )


def write_page(path: str, page: Callable[[], str], *, told: bool = False) -> None:
    """Write a page into a file, whole or not at all; nothing where no file is named.

    Where its pictures could not be drawn, that is said beside the answer.

    Parameters
    ----------
    path
        Where it goes.
    page
        What makes the page.
    told
        Whether the answer itself says where it is.
    """
    if not path:
        return

    made = page()
    with written_to(path):
        application.put_page(path, made)
    if not told:
        say_written(path)
        for lack in application.without_pictures():
            say_aside(lack)


def write_picture(path: str, drawn: Callable[[], Any]) -> None:
    """Draw a chart into a file, whole or not at all; nothing where no file is named."""
    if path:
        with written_to(path), _drawn_into(path):
            application.save(drawn(), path)
        say_written(path)


@contextmanager
def written_to(path: str) -> Iterator[None]:
    """Refuse in one sentence a file that the block cannot write."""
    try:
        yield
    except OSError as error:
        raise InputError(
            "E-OUTPUT-UNWRITABLE",
            "{path!r} cannot be written ({reason})",
            "name a file in a folder that exists",
            path=path,
            reason=error.strerror,
        ) from None


@contextmanager
def once_done(done: str) -> Iterator[None]:
    """Say what was done for good where the block cannot write a file of it."""
    try:
        yield
    except (InputError, StoreError) as error:
        if not done:
            raise
        raise StoreError(
            "E-OUTPUT-LOST", "{done}, but {error}", done=done, error=error
        ) from error.__cause__


def say_written(path: str) -> None:
    """Say that a file is there now, beside the answer; nothing where no file is named."""
    if path:
        say_aside(tr("{path} is written", path=path))


@contextmanager
def _drawn_into(path: str) -> Iterator[None]:
    """Say in one sentence that the block cannot draw, whatever the library that draws raises."""
    try:
        yield
    except (SfumatoError, OSError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        raise StoreError(
            "E-CHART-FAILED",
            "{path!r} cannot be drawn ({kind}), which is a bug of sfumato or of what draws",
            "please report it",
            path=path,
            kind=type(error).__name__,
        ) from error


def _spare(path: str, spared: Sequence[str]) -> None:
    """Refuse to write over what is read."""
    if any(each and application.is_same_file(path, each) for each in spared):
        raise InputError(
            "E-OUTPUT-IS-INPUT",
            "{path!r} is what would be read",
            "name another file to write",
            path=path,
        )
