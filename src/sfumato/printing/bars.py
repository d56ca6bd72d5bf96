"""A small drawing of amounts as bars, one below the other, in plain SVG."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from textwrap import shorten, wrap
from typing import TYPE_CHECKING

from sfumato.printing.layout import printable
from sfumato.printing.palette import FAINT, FONT, GREY, MAIN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Bar", "bars_svg"]

_WIDTH, _LEFT, _RIGHT = 560, 200, 400
_ROW, _THICK = 22, 14
_TITLE_LENGTH = 80
_LABEL_LENGTH = 32


@dataclass(frozen=True)
class Bar:
    """One amount.

    Attributes
    ----------
    label
        What it is the amount of.
    value
        How long the bar is: 0 or more.
    note
        What is written at its end.
    marked
        Whether it is drawn dark, to stand out.
    """

    label: str
    value: float
    note: str
    marked: bool = False


def bars_svg(bars: Sequence[Bar], title: str, *, key: str = "") -> str:
    """Return a drawing of amounts as bars that begin at 0.

    It needs no style sheet and no script, is told apart in grey, and reads its title aloud.

    Parameters
    ----------
    bars
        The amounts, from top to bottom.
    title
        The message, as one sentence.
    key
        What the dark bars are; nothing is said of them without it.
    """
    lines = wrap(title, _TITLE_LENGTH)
    top = 14 + 15 * len(lines)
    height = top + _ROW * len(bars) + (24 if key else 8)
    parts = [
        _paper(title, height),
        *(_text(12, 18 + 15 * number, words, bold=True) for number, words in enumerate(lines)),
        *_drawn(bars, top, kinds=bool(key)),
        f'<path d="M{_LEFT} {top}v{_ROW * len(bars)}" stroke="{GREY}"/>',
        *(_key(key, height) if key else ()),
        "</svg>",
    ]
    return "".join(parts)


def _paper(title: str, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img" font-family="{FONT}" '
        f'font-size="11"><title>{_plain(title)}</title>'
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>'
    )


def _drawn(bars: Sequence[Bar], top: int, *, kinds: bool) -> Iterator[str]:
    greatest = max((bar.value for bar in bars), default=0.0) or 1.0
    for number, bar in enumerate(bars):
        y = top + _ROW * number + (_ROW - _THICK) // 2
        length = (_RIGHT - _LEFT) * bar.value / greatest
        shown = max(length, 1.0) if bar.value else 0.0
        label = shorten(bar.label, _LABEL_LENGTH, placeholder=" …") or bar.label[:_LABEL_LENGTH]
        yield (
            f'<text x="{_LEFT - 6}" y="{y + 11}" text-anchor="end">{_plain(label)}</text>'
            f'<rect x="{_LEFT}" y="{y}" width="{shown:.1f}" height="{_THICK}" '
            f'fill="{MAIN if bar.marked or not kinds else FAINT}"/>'
        )
        yield _text(_LEFT + length + 6, y + 11, bar.note)


def _key(words: str, height: int) -> Iterator[str]:
    yield (
        f'<rect x="{_LEFT}" y="{height - 17}" width="12" height="12" fill="{MAIN}"/>'
        f"{_text(_LEFT + 18, height - 7, words)}"
    )


def _text(x: float, y: float, words: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{weight}>{_plain(words)}</text>'


def _plain(words: str) -> str:
    return escape(printable(words))
