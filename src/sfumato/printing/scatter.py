"""A small drawing of places in a box, each as uncertain as its ellipse says, in plain SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from sfumato.printing.drawing import FOOT, LEFT, LINE, RIGHT, Axis, axes, paper, title_lines, window
from sfumato.printing.layout import printable
from sfumato.printing.palette import INK, MAIN

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Range", "Spot", "scatter_svg"]

_HIGH, _FLAT = 300, 60
_LARGEST, _SMALLEST = 14.0, 1.5
_MOST_LABELS = 40
_ON_A_LINE = 0.2
_LETTER = 7
_ROOM = 0.06
_BOX = "#f2f2f2"


@dataclass(frozen=True)
class Range:
    """What a coordinate is called, and between which bounds it lies."""

    name: str
    low: float
    high: float


@dataclass(frozen=True)
class Spot:
    """A place in a box.

    Attributes
    ----------
    label
        What it is called.
    x, y
        Where it is; y is not looked at where there is one coordinate.
    x_off, y_off
        How far off it may be: half the axes of its ellipse.
    share
        The area of its dot, from 0 to 1.
    """

    label: str
    x: float
    y: float = 0.0
    x_off: float = 0.0
    y_off: float = 0.0
    share: float = 0.0


def scatter_svg(
    spots: Sequence[Spot], across: Range, up: Range | None = None, *, title: str
) -> str:
    """Return a drawing of places in the box of their bounds, or on a line.

    It needs no style sheet and no script, is told apart in grey, and reads its title aloud.

    Parameters
    ----------
    spots
        The places; the paper is made to hold those outside the box as well.
    across, up
        The coordinates; one alone is drawn as a line.
    title
        The message, as one sentence.
    """
    top = 20 + LINE * len(title_lines(title))
    foot = top + (_FLAT if up is None else _HIGH)
    flat = Axis("", -1, 1, foot, top)
    x = _axis(across, [spot.x for spot in spots], LEFT, RIGHT)
    y = None if up is None else _axis(up, [spot.y for spot in spots], foot, top)
    inside = [
        _box(x, y or flat, across, up or Range("", -1, 1)),
        *(_dot(spot, x, y or flat) for spot in spots),
        *(_ellipse(spot, x, y or flat) for spot in spots),
        *(_label(spot, x, y or flat) for spot in spots if len(spots) <= _MOST_LABELS),
    ]
    drawn = [paper(title, foot + FOOT), window(top, foot, inside), *axes(x, y, foot=foot)]
    return f"{''.join(drawn)}</svg>"


def _axis(shown: Range, values: Sequence[float], start: float, end: float) -> Axis:
    """Return an axis that holds the bounds, and with some room whatever lies outside them."""
    least, greatest = min(values, default=shown.low), max(values, default=shown.high)
    room = _ROOM * (max(greatest, shown.high) - min(least, shown.low))
    low = shown.low if least >= shown.low else least - room
    high = shown.high if greatest <= shown.high else greatest + room
    return Axis(shown.name, low, high, start, end)


def _box(x: Axis, y: Axis, across: Range, up: Range) -> str:
    """Shade where points can be."""
    left, upper = x.place(across.low), y.place(up.high)
    wide, tall = x.place(across.high) - left, y.place(up.low) - upper
    return (
        f'<rect x="{left:.1f}" y="{upper:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
        f'fill="{_BOX}"/>'
    )


def _dot(spot: Spot, x: Axis, y: Axis) -> str:
    """Draw how much is there."""
    return (
        f'<circle cx="{x.place(spot.x):.1f}" cy="{y.place(spot.y):.1f}" r="{_radius(spot):.1f}" '
        f'fill="{MAIN}" fill-opacity="0.45" stroke="{MAIN}"/>'
    )


def _ellipse(spot: Spot, x: Axis, y: Axis) -> str:
    """Draw how far off a place may be, over its dot; on a line as high as the line."""
    tall = y.length(spot.y_off) if y.name else y.length(_ON_A_LINE)
    return (
        f'<ellipse cx="{x.place(spot.x):.1f}" cy="{y.place(spot.y):.1f}" '
        f'rx="{x.length(spot.x_off):.1f}" ry="{tall:.1f}" fill="none" stroke="{INK}"/>'
    )


def _label(spot: Spot, x: Axis, y: Axis) -> str:
    """Write what a place is called beside it, on the side where there is room."""
    away = _radius(spot) + 2
    left = x.place(spot.x) + away + _LETTER * len(spot.label) > x.end
    across = x.place(spot.x) + (-away if left else away)
    up = max(y.place(spot.y) - 4, y.end + _LETTER + 3)
    said = escape(printable(spot.label))
    return (
        f'<text x="{across:.1f}" y="{up:.1f}" text-anchor="{"end" if left else "start"}" '
        f'stroke="white" stroke-width="3" paint-order="stroke">{said}</text>'
    )


def _radius(spot: Spot) -> float:
    return max(_LARGEST * math.sqrt(spot.share), _SMALLEST)
