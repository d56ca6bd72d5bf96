"""Files that a verb writes: checked before any work, written whole, and named beside the answer."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.cli.output import say_aside
from sfumato.errors import InputError, SfumatoError, StoreError
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = [
    "check_apart",
    "check_files",
    "check_page",
    "check_picture",
    "check_place",
    "once_done",
    "say_written",
    "write_page",
    "write_picture",
    "written_to",
]

_PAGES = (".html", ".htm")


def check_place(path: str) -> None:
    """Refuse a file that cannot be written where it would go, before any work is done for it."""
    from sfumato.application.pages import check_folder, check_reachable

    file = Path(path)
    check_reachable(file)
    if not file.exists() or file.is_file() or file.is_dir():
        check_folder(file)


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
        from sfumato.application import pages

        _spare(path, spared)
        pages.check_picture(path)


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
    from sfumato.application.pages import put_page, without_pictures

    made = page()
    with written_to(path):
        put_page(path, made)
    if not told:
        say_written(path)
        for lack in without_pictures():
            say_aside(lack)


def write_picture(path: str, drawn: Callable[[], Any]) -> None:
    """Draw a chart into a file, whole or not at all; nothing where no file is named."""
    if path:
        from sfumato.application.pages import save

        with written_to(path), _drawn_into(path):
            save(drawn(), path)
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
    from sfumato.application.pages import is_same_file

    if any(each and is_same_file(path, each) for each in spared):
        raise InputError(
            "E-OUTPUT-IS-INPUT",
            "{path!r} is what would be read",
            "name another file to write",
            path=path,
        )
