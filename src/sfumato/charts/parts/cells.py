"""A panel that is a table: figures or words in cells, the larger the darker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.numbers import finite
from sfumato.charts.parts.style import FAINT, INK, WIDTH, altair, axis_room, rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["MOST_COLUMNS", "cells"]

#: How many columns a table may have before its cells are too narrow to be seen.
MOST_COLUMNS = 60

_NARROWEST_WITH_TEXT, _WIDEST = 56, 150
_HEIGHT = 34
_SLANTED = -40
#: From which part of the range on a cell is so dark that its text is white.
_DARK = 0.55


def cells(
    points: Sequence[Mapping[str, Any]], axis: str, *, down: str, across: str, from_0: bool = False
) -> Any:
    """Return a table of cells: the figure in each, what it is off by below it, and a shade.

    Parameters
    ----------
    points
        Each has a "row", a "column", a "value" that is None for words, the "figure" that is
        written, and in smaller type what it is "off" by.
    axis
        What the values are.
    down, across
        What rows and columns are.
    from_0
        Whether the lightest shade is 0, and not the least value.
    """
    alt = altair()
    names = list(dict.fromkeys(str(each["row"]) for each in points))
    columns = list(dict.fromkeys(str(each["column"]) for each in points))
    step = min(_WIDEST, max(WIDTH // len(columns), 1))
    labels = alt.Axis(
        orient="top",
        labelAngle=0 if max(map(len, columns)) * 7 < step else _SLANTED,
        labelLimit=axis_room(columns),
        ticks=False,
        domain=False,
    )
    base = alt.Chart(rows(_shaded(points, from_0=from_0))).encode(
        x=alt.X("column:N", sort=None, title=across, axis=labels),
        y=alt.Y(
            "row:N",
            sort=None,
            title=down,
            axis=alt.Axis(labelLimit=axis_room(names), ticks=False, domain=False),
        ),
    )
    layers = [_rectangles(base, points, axis, from_0=from_0)]
    if step >= _NARROWEST_WITH_TEXT:
        layers += _figures(base, step - 6, with_off=any(each["off"] for each in points))
    size = {"width": step * len(columns), "height": _HEIGHT * len(names)}
    return alt.layer(*layers).properties(**size)


def _figures(base: Any, room: int, *, with_off: bool) -> list[Any]:
    alt = altair()
    white = alt.condition("datum.dark", alt.value("white"), alt.value(INK))
    figure = base.mark_text(limit=room, fontSize=11, dy=-6 if with_off else 0)
    off = base.mark_text(limit=room, fontSize=9, dy=8)
    layers = [figure.encode(text=alt.Text("figure:N"), color=white)]
    return [*layers, off.encode(text=alt.Text("off:N"), color=white)] if with_off else layers


def _rectangles(base: Any, points: Sequence[Mapping[str, Any]], axis: str, *, from_0: bool) -> Any:
    alt = altair()
    tooltip = [alt.Tooltip(f"{name}:N") for name in ("row", "column", "figure", "off")]
    known = _numbers(points)
    if not known:
        return base.mark_rect(color="white", stroke=FAINT).encode(tooltip=tooltip)
    scale = alt.Scale(scheme="blues", domain=_range(known, from_0=from_0))
    shade = alt.Color("value:Q", title=axis, scale=scale)
    return base.mark_rect(stroke="white").encode(color=shade, tooltip=tooltip)


def _shaded(points: Sequence[Mapping[str, Any]], *, from_0: bool) -> Iterable[dict[str, Any]]:
    least, most = _range(_numbers(points), from_0=from_0)
    for each in points:
        value = finite(each["value"])
        dark = value is not None and (value - least) > _DARK * (most - least)
        yield {**each, "value": value, "dark": dark}


def _range(known: Sequence[float], *, from_0: bool) -> list[float]:
    least, most = min(known, default=0.0), max(known, default=0.0)
    if from_0:
        least, most = min(least, 0.0), max(most, 0.0)
    return [least, most if most > least else least + 1.0]


def _numbers(points: Sequence[Mapping[str, Any]]) -> list[float]:
    found = (finite(each["value"]) for each in points)
    return [each for each in found if each is not None]
