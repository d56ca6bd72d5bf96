"""Two small drawings side by side, both axes in powers of ten, in plain SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Lines = Mapping[str, Sequence[tuple[float, float]]]

_PANEL, _HEIGHT = 380, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 366, 40, 258
_KEY_WIDTH = 160
_AXIS, _GRID = "#444444", "#dddddd"
#: How each line is told apart, in grey too.
_STYLES = (("#777777", "5 3"), ("#111111", "none"), ("#111111", "1.5 3"))


@dataclass(frozen=True)
class Panel:
    """One drawing: what its upward axis shows, and lines over the number of rows."""

    title: str
    lines: Lines


def picture(panels: Sequence[Panel]) -> str:
    """Return the drawings beside each other, and below them which line is which."""
    drawn = [
        f'<g transform="translate({place * _PANEL} 0)">{"".join(_drawing(panel))}</g>'
        for place, panel in enumerate(panels)
    ]
    width, title = _PANEL * len(panels), escape(" and ".join(each.title for each in panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" '
        f'width="{width}" height="{_HEIGHT}" role="img" font-family="sans-serif" font-size="11">'
        f'<title>{title} against rows</title><rect width="100%" height="100%" fill="white"/>'
        f"{''.join(drawn)}{''.join(_key(panels[0].lines))}</svg>\n"
    )


@dataclass(frozen=True)
class _Scale:
    """Where a number lies between two ends on the page, by its logarithm."""

    low: int
    high: int
    begin: int
    end: int

    @classmethod
    def over(cls, values: Iterable[float], begin: int, end: int) -> _Scale:
        logs = [math.log10(each) for each in values] or [0.0]
        low = math.floor(min(logs))
        return cls(low, max(math.ceil(max(logs)), low + 1), begin, end)

    def place(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.begin + (self.end - self.begin) * share, 1)

    @property
    def ticks(self) -> list[float]:
        return [10.0**power for power in range(self.low, self.high + 1)]


def _drawing(panel: Panel) -> Iterator[str]:
    points = [point for line in panel.lines.values() for point in line]
    across = _Scale.over((x for x, _ in points), _LEFT, _RIGHT)
    up = _Scale.over((y for _, y in points), _BOTTOM, _TOP)
    yield f'<text x="{_LEFT}" y="22" font-weight="bold">{escape(panel.title)}</text>'
    yield from _grid(across, up)
    for line, style in zip(panel.lines.values(), _STYLES, strict=True):
        yield from _line([(across.place(x), up.place(y)) for x, y in line], *style)


def _grid(across: _Scale, up: _Scale) -> Iterator[str]:
    for each in up.ticks:
        y = up.place(each)
        yield f'<path d="M{_LEFT} {y}H{_RIGHT}" stroke="{_GRID}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y}" dy="4" text-anchor="end">{each:,g}</text>'
    for each in across.ticks:
        x = across.place(each)
        yield f'<text x="{x}" y="{_BOTTOM + 16}" text-anchor="middle">{each:,.0f}</text>'
    yield f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}" fill="none" stroke="{_AXIS}"/>'
    middle = (_LEFT + _RIGHT) // 2
    yield f'<text x="{middle}" y="{_BOTTOM + 32}" text-anchor="middle">rows</text>'


def _line(places: Sequence[tuple[float, float]], stroke: str, dashes: str) -> Iterator[str]:
    path = " ".join(f"{x},{y}" for x, y in places)
    style = f'stroke="{stroke}" stroke-width="1.5" stroke-dasharray="{dashes}"'
    yield f'<polyline points="{path}" fill="none" {style}/>'
    yield from (f'<circle cx="{x}" cy="{y}" r="2.5" fill="{stroke}"/>' for x, y in places)


def _key(names: Iterable[str]) -> Iterator[str]:
    for place, (name, style) in enumerate(zip(names, _STYLES, strict=True)):
        start, y = _LEFT + place * _KEY_WIDTH, _HEIGHT - 12
        yield from _line([(start, y), (start + 24, y)], *style)
        yield f'<text x="{start + 32}" y="{y + 4}">{escape(name)}</text>'
