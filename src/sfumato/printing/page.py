"""A page that needs nothing else: no style sheet, no script, no network.

Imports go down the stairs only, and pictures are drawn at the top of the house, where every result
is known.  So a result names the drawing it wants, and the house says which room has it.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sfumato.errors import MissingExtraError
from sfumato.printing.layout import printable
from sfumato.translation import current, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from altair.typing import ChartType as Chart
else:
    Chart = object


#: The result itself; what it is compared with; what is only context.
MAIN, OTHER, GREY, FAINT, INK = "#0072b2", "#d55e00", "#767676", "#d9d9d9", "#222222"
#: Bars are light where intervals are drawn over them.
LIGHT = "#7fb8d9"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"


#: How pages of sentences, tables and pictures look.
STYLE = f"font-family: {FONT}; max-width: 50em; margin: 2em auto; line-height: 1.5"
_TABLE = ' style="border-collapse: collapse"'
_CELL = ' style="border-bottom: 1px solid #bbb; padding: 0.2em 1em 0.2em 0; text-align: left"'


def whole_page(title: str, body: str, *, style: str = f"font-family: {FONT}") -> str:
    """Return a page of its own around a part of one.

    Parameters
    ----------
    title
        What the window is called, as text; what would steer a terminal is written out.
    body
        The part, as HTML.
    style
        How its text looks.
    """
    return (
        f'<!doctype html><html lang="{current()}"><head><meta charset="utf-8">'
        f"<title>{escape(printable(title))}</title></head>"
        f'<body style="{escape(style)}">{body}</body></html>'
    )


def as_text(words: str) -> str:
    """Return words as HTML that shows them as they are."""
    return escape(printable(words))


def image(drawing: str, said: str) -> str:
    """Return a drawing for a page, as a document of its own, so that none restyles another.

    Parameters
    ----------
    drawing
        The picture, as SVG.
    said
        What it shows, for who cannot see it.
    """
    source = b64encode(drawing.encode()).decode("ascii")
    return (
        f'<img src="data:image/svg+xml;base64,{source}" alt="{as_text(said)}" '
        'style="max-width: 100%; height: auto; color-scheme: only light">'
    )


def paragraph(lines: Iterable[str]) -> str:
    """Return a paragraph of lines."""
    return f"<p>{'<br>'.join(as_text(line.strip()) for line in lines)}</p>"


def table_of(rows: Iterable[Sequence[str]], *, bare: bool = False) -> str:
    """Return a table of cells, the header first.

    Parameters
    ----------
    rows
        The cells.
    bare
        Whether it has no look of its own, as where a notebook gives it one.
    """
    whole, cell = ("", "") if bare else (_TABLE, _CELL)
    head, *lines = (_row(row, "td" if place else "th", cell) for place, row in enumerate(rows))
    return f"<table{whole}><thead>{head}</thead><tbody>{''.join(lines)}</tbody></table>"


def _row(texts: Sequence[str], tag: str, look: str) -> str:
    return f"<tr>{''.join(f'<{tag}{look}>{as_text(each)}</{tag}>' for each in texts)}</tr>"


_ROOM: list[str] = []


def draw_in(module: str) -> None:
    """Say which module draws; it is loaded when the first picture is asked for."""
    _ROOM[:] = [module]


def drawn(drawing: str, thing: object, *, to: str | Path | None, **options: Any) -> Chart:
    """Return a picture of a thing, and write it into a file where one is named.

    Parameters
    ----------
    drawing
        The function of the room that draws it.
    thing
        What is drawn.
    to
        A file ending in ``.html``, ``.png`` or ``.svg``.
    options
        What else the drawing takes.
    """
    room = import_module(_ROOM[0])
    if to is not None:
        room.check_picture(to)
    chart: Chart = getattr(room, drawing)(thing, **options)
    if to is not None:
        room.save(chart, to)
    return chart


def as_svg(chart: Chart) -> str:
    """Return a picture as a drawing to put into a page."""
    drawing: str = import_module(_ROOM[0]).to_svg(chart)
    return drawing


def pictured(plot: Callable[[], Chart]) -> str:
    """Return a picture for a page, or how to get it where nothing that draws is installed.

    Parameters
    ----------
    plot
        Returns the picture.
    """
    try:
        chart = plot()
        said = " ".join([*chart.title.text, *chart.title.subtitle])
        return f"<p>{image(as_svg(chart), said)}</p>"
    except MissingExtraError as error:
        return f"<p><em>{as_text(tr('The report lacks pictures: {error}', error=error))}</em></p>"
