"""Small drawings side by side, both axes in powers of ten, in plain SVG."""

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
_KEY_SPARE, _KEY_LETTER = 58, 6
_AXIS, _GRID = "#444444", "#dddddd"
#: What is marked between powers of ten, where the greatest is less than so many times the least.
_BETWEEN = {10: (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), 100: (1, 2, 5), math.inf: (1,)}
#: How each line is told apart, in grey too.
_STYLES = (
    ("#777777", "5 3"),
    ("#111111", "none"),
    ("#111111", "1.5 3"),
    ("#777777", "none"),
    ("#111111", "7 2 1.5 2"),
    ("#aaaaaa", "none"),
)


@dataclass(frozen=True)
class Panel:
    """One drawing: what its upward axis shows, and lines over what the other shows."""

    title: str
    lines: Lines


def picture(panels: Sequence[Panel], *, across: str) -> str:
    """Return the drawings beside each other, and below them which line is which.

    Where lines meet, the first is on top.
    """
    drawn = [
        f'<g transform="translate({place * _PANEL} 0)">{"".join(_drawing(panel, across))}</g>'
        for place, panel in enumerate(panels)
    ]
    width, title = _PANEL * len(panels), escape(" and ".join(each.title for each in panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" '
        f'width="{width}" height="{_HEIGHT}" role="img" font-family="sans-serif" font-size="11">'
        f"<title>{title} against {escape(across)}</title>"
        f'<rect width="100%" height="100%" fill="white"/>'
        f"{''.join(drawn)}{''.join(_key(panels[0].lines))}</svg>\n"
    )


@dataclass(frozen=True)
class _Scale:
    """Where a number lies between two ends on the page, by its logarithm."""

    ticks: Sequence[float]
    begin: int
    end: int

    @classmethod
    def over(cls, values: Iterable[float], begin: int, end: int) -> _Scale:
        return cls(_ticks(list(values) or [1.0]), begin, end)

    def place(self, value: float) -> float:
        low, high = math.log10(self.ticks[0]), math.log10(self.ticks[-1])
        share = (math.log10(value) - low) / (high - low)
        return round(self.begin + (self.end - self.begin) * share, 1)


def _ticks(values: Sequence[float]) -> list[float]:
    """Return round numbers, the first and last of which lie around all values."""
    low = math.floor(math.log10(min(values)))
    high = max(math.ceil(math.log10(max(values))), low + 1)
    steps = next(each for most, each in _BETWEEN.items() if max(values) < most * min(values))
    found = [step * 10.0**power for power in range(low, high + 1) for step in steps]
    below = max(place for place, each in enumerate(found) if each <= min(values))
    above = min(place for place, each in enumerate(found) if each >= max(values))
    return found[below : max(above, below + 1) + 1]


def _drawing(panel: Panel, label: str) -> Iterator[str]:
    points = [point for line in panel.lines.values() for point in line]
    across = _Scale.over((x for x, _ in points), _LEFT, _RIGHT)
    up = _Scale.over((y for _, y in points), _BOTTOM, _TOP)
    yield f'<text x="{_LEFT}" y="22" font-weight="bold">{escape(panel.title)}</text>'
    yield from _grid(across, up, label)
    for line, style in reversed(list(zip(panel.lines.values(), _STYLES, strict=False))):
        yield from _line([(across.place(x), up.place(y)) for x, y in line], *style)


def _grid(across: _Scale, up: _Scale, label: str) -> Iterator[str]:
    for each in up.ticks:
        y = up.place(each)
        yield f'<path d="M{_LEFT} {y}H{_RIGHT}" stroke="{_GRID}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y}" dy="4" text-anchor="end">{_number(each)}</text>'
    for each in across.ticks:
        x = across.place(each)
        yield f'<text x="{x}" y="{_BOTTOM + 16}" text-anchor="middle">{_number(each)}</text>'
    yield f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}" fill="none" stroke="{_AXIS}"/>'
    middle = (_LEFT + _RIGHT) // 2
    yield f'<text x="{middle}" y="{_BOTTOM + 32}" text-anchor="middle">{escape(label)}</text>'


def _number(tick: float) -> str:
    return f"{tick:,.10g}"


def _line(places: Sequence[tuple[float, float]], stroke: str, dashes: str) -> Iterator[str]:
    path = " ".join(f"{x},{y}" for x, y in places)
    style = f'stroke="{stroke}" stroke-width="1.5" stroke-dasharray="{dashes}"'
    yield f'<polyline points="{path}" fill="none" {style}/>'
    yield from (f'<circle cx="{x}" cy="{y}" r="2.5" fill="{stroke}"/>' for x, y in places)


def _key(names: Iterable[str]) -> Iterator[str]:
    start, y = _LEFT, _HEIGHT - 12
    for name, style in zip(names, _STYLES, strict=False):
        yield from _line([(start, y), (start + 24, y)], *style)
        yield f'<text x="{start + 32}" y="{y + 4}">{escape(name)}</text>'
        start += _KEY_SPARE + _KEY_LETTER * len(name)
