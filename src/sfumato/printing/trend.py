"""A small drawing of an amount over ratios of another, in plain SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.printing.drawing import (
    FOOT,
    LEFT,
    LINE,
    RIGHT,
    Axis,
    axes,
    paper,
    round_numbers,
    title_lines,
    window,
    words,
)
from sfumato.printing.palette import GREY, MAIN, OTHER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Point = tuple[float, float]

__all__ = ["TrendLabels", "trend_svg"]

_TALL = 220
#: What the greatest value is multiplied by, so that a dot on it is whole.
_ROOM = 1.03
_STEPS = (1, 2, 5)
_DOTS = "2 2"


@dataclass(frozen=True)
class TrendLabels:
    """The words of a drawing.

    Attributes
    ----------
    title
        The message, as one sentence.
    x, y
        What the axes show.
    solid, dashed, marked
        What the curve, the level below it and the marked place are.
    dotted
        What the curve left of the marked place is, where that is drawn dotted.
    """

    title: str
    x: str
    y: str
    solid: str
    marked: str
    dashed: str = ""
    dotted: str = ""


def trend_svg(
    points: Sequence[Point],
    labels: TrendLabels,
    *,
    marked: Point,
    most: float,
    level: float | None = None,
) -> str:
    """Return a drawing of a curve over a logarithmic axis, with one place of it marked.

    It needs no style sheet and no script, is told apart in grey, and reads its title aloud.

    Parameters
    ----------
    points
        The curve, from left to right, at numbers above 0.
    labels
        The words.
    marked
        The place of the curve that is marked.
    most
        Where the upright axis ends at most; what is greater is cut off.
    level
        What the curve comes down to, drawn dashed.
    """
    top = 18 + LINE * len(title_lines(labels.title))
    foot = top + _TALL
    first, last = points[0][0], points[-1][0]
    x = Axis(labels.x, first, last, LEFT, RIGHT, _ratios(first, last), logarithmic=True)
    y = Axis(labels.y, 0, _end(min(_ROOM * max(up for _, up in points), most)), foot, top)
    key = list(_key(labels, foot + FOOT))
    drawn = [
        paper(labels.title, foot + FOOT + LINE * len(key) + 4),
        window(top, foot, [*_beside(x, y, marked, level), *_curve(points, x, y, marked, labels)]),
        *axes(x, y, foot=foot),
        *key,
    ]
    return f"{''.join(drawn)}</svg>"


def _beside(x: Axis, y: Axis, marked: Point, level: float | None) -> Iterator[str]:
    """Draw where the marked place is, and what the curve comes down to."""
    at = x.place(marked[0])
    yield f'<path d="M{at:.1f} {y.start:.1f}V{y.end:.1f}" stroke="{GREY}" stroke-dasharray="1 3"/>'
    if level is not None:
        yield (
            f'<path d="M{x.start:.1f} {y.place(level):.1f}H{x.end:.1f}" stroke="{OTHER}" '
            'stroke-width="1.5" stroke-dasharray="5 3"/>'
        )


def _curve(
    points: Sequence[Point], x: Axis, y: Axis, marked: Point, labels: TrendLabels
) -> Iterator[str]:
    """Draw the curve, in two parts where the first is dotted, and the marked place."""
    left = [each for each in points if each[0] < marked[0]] if labels.dotted else []
    parts = [([*left, marked], _DOTS), ([marked, *points[len(left) :]], "none")]
    for part, dashes in parts if left else [(points, "none")]:
        path = " ".join(f"{x.place(each):.1f},{y.place(value):.1f}" for each, value in part)
        yield (
            f'<polyline points="{path}" fill="none" stroke="{MAIN}" stroke-width="1.5" '
            f'stroke-dasharray="{dashes}"/>'
        )
    at, up = x.place(marked[0]), y.place(marked[1])
    yield f'<circle cx="{at:.1f}" cy="{up:.1f}" r="4" fill="{MAIN}"/>'


def _key(labels: TrendLabels, start: float) -> Iterator[str]:
    """Say below the drawing which line is which."""
    kinds = [
        (labels.solid, MAIN, "none"),
        (labels.dotted, MAIN, _DOTS),
        (labels.dashed, OTHER, "5 3"),
    ]
    lines = [each for each in kinds if each[0]]
    for row, (said, stroke, dashes) in enumerate(lines):
        y = start + LINE * row + 8
        yield (
            f'<path d="M{LEFT} {y - 4:.1f}h22" stroke="{stroke}" stroke-width="1.5" '
            f'stroke-dasharray="{dashes}"/>{words(LEFT + 28, y, said)}'
        )
    y = start + LINE * len(lines) + 8
    yield (
        f'<circle cx="{LEFT + 11}" cy="{y - 4:.1f}" r="4" fill="{MAIN}"/>'
        f"{words(LEFT + 28, y, labels.marked)}"
    )


def _ratios(first: float, last: float) -> list[float]:
    """Return the round numbers 1, 2, 5, 10, 20, … between two."""
    powers = range(math.floor(math.log10(first)), math.ceil(math.log10(last)) + 1)
    numbers = (float(f"{step}e{power}") for power in powers for step in _STEPS)
    return [each for each in numbers if first * (1 - 1e-9) <= each <= last * (1 + 1e-9)]


def _end(greatest: float) -> float:
    """Return where an axis that begins at 0 ends: a round number at or above."""
    if greatest <= 0:
        return 1.0
    ticks = round_numbers(0, greatest)
    return ticks[-1] if ticks[-1] >= greatest else ticks[-1] + ticks[1]
