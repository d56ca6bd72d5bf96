"""A page that needs nothing else: no style sheet, no script, no network."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from sfumato.printing.layout import printable
from sfumato.printing.palette import FONT
from sfumato.translation import current

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["STYLE", "as_text", "image", "sentences", "table_of", "whole_page"]

#: How pages of sentences, tables and pictures look.
STYLE = f"font-family: {FONT}; max-width: 50em; margin: 2em auto; line-height: 1.5"
_CELL = "border-bottom: 1px solid #bbb; padding: 0.2em 1em 0.2em 0; text-align: left"


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


def sentences(lines: Iterable[str]) -> str:
    """Return a paragraph of lines."""
    return f"<p>{'<br>'.join(as_text(line.strip()) for line in lines)}</p>"


def table_of(rows: Sequence[Sequence[str]]) -> str:
    """Return a table of cells, the header first."""
    head, *lines = rows
    return (
        '<table style="border-collapse: collapse">'
        f"<thead>{_row(head, 'th')}</thead>"
        f"<tbody>{''.join(_row(line, 'td') for line in lines)}</tbody></table>"
    )


def _row(texts: Sequence[str], tag: str) -> str:
    inside = "".join(f'<{tag} style="{_CELL}">{as_text(each)}</{tag}>' for each in texts)
    return f"<tr>{inside}</tr>"
