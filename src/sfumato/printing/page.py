"""A page that needs nothing else: no style sheet, no script, no network."""

from __future__ import annotations

from html import escape

from sfumato.printing.layout import printable

__all__ = ["whole_page"]


def whole_page(title: str, body: str, *, style: str = "font-family: sans-serif") -> str:
    """Return a page of its own around a part of one.

    Parameters
    ----------
    title
        What the window is called, as text; what would steer a terminal is written out.
    body
        The part, as HTML.
    style
        How its text looks.

    Examples
    --------
    >>> from sfumato.printing.page import whole_page
    >>> whole_page("k = 1", "<p>one person is unique</p>")[:15]
    '<!doctype html>'
    """
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(printable(title))}</title></head>"
        f'<body style="{escape(style)}">{body}</body></html>'
    )
