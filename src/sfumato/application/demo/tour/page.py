"""The tour as a page that needs nothing else, to keep and to pass on."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.application.demo.tour.route import TITLE
from sfumato.application.report import without_pictures
from sfumato.data import check_folder, quoted
from sfumato.errors import InputError, MissingExtraError
from sfumato.printing import as_text, image
from sfumato.refusal import Argument, Command
from sfumato.translation import current, mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.application.demo.tour.stop import Picture, Visited
    from sfumato.application.demo.walk import Shown


_MARK = '<meta name="generator" content="sfumato demo">'
_HEAD = 500
_PAGES = (".html", ".htm")
_STYLE = """
body { font-family: sans-serif; line-height: 1.5; color: #222; background: #fff;
  max-width: 46rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.15rem; line-height: 1.35; margin-top: 2.5rem; }
pre { background: #f4f4f4; border-left: 3px solid #0072b2; padding: .6rem .8rem;
  white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; line-height: 1.45; }
pre b { color: #004a75; }
figure { margin: 1rem 0; }
figcaption { font-size: .85rem; color: #555; }
footer { margin-top: 3rem; border-top: 1px solid #ccc; font-size: .85rem; color: #555; }
"""


def check_report(path: str) -> None:
    """Refuse a file that the report cannot be written to, or that is somebody else's."""
    file = Path(path)
    if file.suffix.lower() not in _PAGES:
        raise InputError(
            "E-OUTPUT-NAME",
            "{file} is no name of a page",
            "write {html}, say",
            html=Argument("html", "sfumato-demo.html"),
            file=quoted(file),
        )
    check_folder(file)
    if file.exists() and not _is_ours(file):
        raise InputError(
            "E-OUTPUT-EXISTS",
            "{file} is there already, and is no report of this tour",
            "name another file with {html}",
            html=Argument("html"),
            file=quoted(file),
        )


_MADE_UP = mark(
    "Everybody in the table is made up, so the truth is shown beside what is private; the "
    "commands do not print it. {command} copies the files; each command runs there."
)
_MISSING = mark("A picture is missing: {what}. {needed}")
_MADE = mark("Made by {command} on {day}. Private figures differ each time: they are noisy.")


def tour_page(visited: Sequence[Visited]) -> str:
    """Return the stops that were visited as a whole page, with their pictures in it."""
    parts = [_part(number, each) for number, each in enumerate(visited, start=1)]
    return (
        f'<!doctype html><html lang="{current()}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width">{_MARK}'
        f"<title>{as_text(tr(TITLE))}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{as_text(tr(TITLE))}</h1>"
        f"<p>{tr(_MADE_UP, command=_code('demo --folder tour'))}</p>"
        f"{''.join(parts)}{_foot()}</body></html>"
    )


def _part(number: int, each: Visited) -> str:
    step = each.step
    return (
        f"<section><h2>{number}. {as_text(step.title)}</h2>"
        f"{''.join(map(_shown, step.shown))}<p>{as_text(step.remark)}</p>"
        f"{''.join(map(_figure, each.pictures))}</section>"
    )


def _shown(each: Shown) -> str:
    command = [f"<b>$ {as_text(each.command)}</b>"] if each.command else []
    lines = "\n".join([*command, *map(as_text, each.lines)])
    return f"<pre>{lines}</pre>"


def _figure(picture: Picture) -> str:
    """Return a picture; each is a document of its own, so that none restyles another."""
    try:
        drawing = image(picture.draw(), picture.caption)
    except MissingExtraError:
        needed = " ".join(without_pictures())
        return (
            f"<p><em>{tr(_MISSING, what=as_text(picture.caption), needed=as_text(needed))}</em></p>"
        )
    return f"<figure>{drawing}<figcaption>{as_text(picture.caption)}</figcaption></figure>"


def _foot() -> str:
    day = datetime.now(UTC).date()
    made = tr(_MADE, command=_code("demo"), day=day)
    return f"<footer><p>{made}</p></footer>"


def _code(words: str) -> str:
    return f"<code>{Command(words)}</code>"


def _is_ours(file: Path) -> bool:
    try:
        with file.open(encoding="utf-8") as page:
            return _MARK in page.read(_HEAD)
    except (OSError, UnicodeDecodeError):
        return False
