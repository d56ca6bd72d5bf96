"""A small drawing of what was observed against what is allowed, in plain SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from sfumato.printing.palette import FAINT, FONT, GREY, MAIN, OTHER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["CurveLabels", "Point", "curve_svg"]

Point = tuple[float, float]

_WIDTH, _HEIGHT = 380, 330
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 364, 52, 282
_TICKS = 5
_TITLE_LENGTH = 54
_KEY_WIDTH = 150
_MOST_DOTS = 40


@dataclass(frozen=True)
class CurveLabels:
    """The words of a drawing.

    Attributes
    ----------
    title
        The message, as one sentence.
    x, y
        What the axes show.
    observed, allowed
        What the solid and the dashed line are.
    """

    title: str
    x: str
    y: str
    observed: str = "observed"
    allowed: str = "allowed"


def curve_svg(points: Sequence[Point], allowed: Sequence[Point], labels: CurveLabels) -> str:
    """Return a drawing of observed points over the region below the line that is allowed.

    It needs no style sheet and no script, is told apart in grey, and reads its title aloud.  The
    axes begin at 0; coordinates are finite and 0 or more.

    Parameters
    ----------
    points
        What was observed, joined in the order given by a solid line, with dots where they are few.
    allowed
        The upper edge of what is allowed: a dashed line, with all below it shaded.
    labels
        The words.
    """
    both = [*points, *allowed]
    axes = _Axes(_end(x for x, _ in both), _end(y for _, y in both))
    return "".join(
        [
            _page(labels.title),
            *_region(axes, allowed),
            *_frame(axes, labels),
            *_observed(axes, points),
            *_key(labels),
            "</svg>",
        ]
    )


@dataclass(frozen=True)
class _Axes:
    """Where the axes end, and so where a point lies on the page."""

    x_end: float
    y_end: float

    def place(self, point: Point) -> str:
        return f"{self.across(point[0])},{self.up(point[1])}"

    def across(self, x: float) -> str:
        return f"{_LEFT + (_RIGHT - _LEFT) * x / self.x_end:.1f}"

    def up(self, y: float) -> str:
        return f"{_BOTTOM - (_BOTTOM - _TOP) * y / self.y_end:.1f}"

    def path(self, points: Sequence[Point]) -> str:
        return " ".join(map(self.place, points))


def _end(values: Iterator[float]) -> float:
    """Return where an axis ends: 1, 2 or 5 times the power of ten that holds every value."""
    greatest = max(values, default=0.0)
    if greatest <= 0:
        return 1.0
    unit = 10.0 ** math.floor(math.log10(greatest))
    return next((step * unit for step in (1, 2, 5) if greatest <= step * unit), 10 * unit)


def _page(title: str) -> str:
    """Return a white page with the title on it, in as many lines as it needs."""
    lines = "".join(
        f'<text x="12" y="{18 + 15 * line}" font-weight="bold">{escape(words)}</text>'
        for line, words in enumerate(wrap(title, _TITLE_LENGTH))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" role="img" font-family="{FONT}" '
        f'font-size="11"><title>{escape(title)}</title>'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>{lines}'
    )


def _region(axes: _Axes, allowed: Sequence[Point]) -> Iterator[str]:
    """Shade what lies below the allowed edge, and draw the edge."""
    if not allowed:
        return
    first, last = (allowed[0][0], 0.0), (allowed[-1][0], 0.0)
    below = axes.path([first, *allowed, last])
    yield f'<polygon points="{below}" fill="{FAINT}" fill-opacity="0.5"/>'
    yield _line(axes, allowed, f'stroke="{OTHER}" stroke-width="1.5" stroke-dasharray="5 3"')


def _observed(axes: _Axes, points: Sequence[Point]) -> Iterator[str]:
    yield _line(axes, points, f'stroke="{MAIN}" stroke-width="1.5"')
    for x, y in points if len(points) <= _MOST_DOTS else ():
        yield f'<circle cx="{axes.across(x)}" cy="{axes.up(y)}" r="2" fill="{MAIN}"/>'


def _line(axes: _Axes, points: Sequence[Point], style: str) -> str:
    return f'<polyline points="{axes.path(points)}" fill="none" {style}/>'


def _frame(axes: _Axes, labels: CurveLabels) -> Iterator[str]:
    """Draw the two axes with their figures and names."""
    yield (
        f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}" fill="none" stroke="{GREY}"/>'
        f'<text x="{(_LEFT + _RIGHT) / 2:.0f}" y="{_BOTTOM + 30}" text-anchor="middle">'
        f"{escape(labels.x)}</text>"
        f'<text transform="translate(14 {(_TOP + _BOTTOM) / 2:.0f}) rotate(-90)" '
        f'text-anchor="middle">{escape(labels.y)}</text>'
    )
    for tick in range(_TICKS + 1):
        x, y = axes.x_end * tick / _TICKS, axes.y_end * tick / _TICKS
        yield f'<text x="{axes.across(x)}" y="{_BOTTOM + 14}" text-anchor="middle">{x:g}</text>'
        yield f'<text x="{_LEFT - 5}" y="{axes.up(y)}" dy="4" text-anchor="end">{y:g}</text>'


def _key(labels: CurveLabels) -> Iterator[str]:
    """Say below the drawing which line is which."""
    kinds = ((labels.observed, MAIN, ""), (labels.allowed, OTHER, "5 3"))
    for column, (words, stroke, dashes) in enumerate(kinds):
        start = _LEFT + column * _KEY_WIDTH
        yield (
            f'<path d="M{start} {_HEIGHT - 8}h22" stroke="{stroke}" stroke-width="1.5" '
            f'stroke-dasharray="{dashes or "none"}"/>'
            f'<text x="{start + 27}" y="{_HEIGHT - 4}">{escape(words)}</text>'
        )
