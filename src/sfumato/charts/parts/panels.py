"""Panels: values with their intervals as bars, dots, lines or histograms, and tables of cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.style import (
    ABOVE,
    DASHES,
    PALETTE,
    SHAPES,
    WIDTH,
    altair,
    axis_room,
    finite,
    rows,
    words,
)
from sfumato.numeric import any_float
from sfumato.printing import FAINT, INK, LIGHT, MAIN, OTHER
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sfumato.translation import Sentences

    Point = Mapping[str, Any]


#: How many columns a table may have before its cells are too narrow to be seen.
MOST_COLUMNS = 60
#: What has to be said where an end is open.
OPEN = "an arrow is an interval without an end on that side"

#: How wide cells are at least to hold text, and at most; how high, and how their headings lean.
_NARROWEST_WITH_TEXT, _WIDEST, _HEIGHT, _SLANTED = 56, 150, 34, -40
#: From which part of the range on a cell is so dark that its text is white.
_DARK = 0.55
_ENDS = ("low", "high")
#: What is told of a cell, and what it is called.
_CELL: Sentences = {"row": "row", "column": "column", "figure": "value", "off": "interval"}
#: How much further than all others an open end goes, by how far those are apart.
_BEYOND = 0.05
_UPRIGHT = {"x": "vertical", "y": "horizontal"}
_ARROWS = {
    "x": {"low": "triangle-left", "high": "triangle-right"},
    "y": {"low": "triangle-down", "high": "triangle-up"},
}
#: How high a group is by itself, and one of its series; how high a panel with an upright axis is.
_STEP, _STEP_OF_SERIES, _PANEL_HEIGHT = 24, 16, 220
#: More points than these have small dots, no rules or caps, and no tick each.
_MOST_DOTS, _MOST_RULES, _MOST_TICKS = 40, 120, 12


def cells(
    points: Sequence[Point], axis: str, *, down: str, across: str, from_0: bool = False
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


def _rectangles(base: Any, points: Sequence[Point], axis: str, *, from_0: bool) -> Any:
    alt = altair()
    tooltip = [alt.Tooltip(f"{name}:N", title=tr(title)) for name, title in _CELL.items()]
    known = _numbers(points, "value")
    if not known:
        return base.mark_rect(color="white", stroke=FAINT).encode(tooltip=tooltip)
    scale = alt.Scale(scheme="blues", domain=_range(known, from_0=from_0))
    shade = alt.Color("value:Q", title=axis, scale=scale)
    return base.mark_rect(stroke="white").encode(color=shade, tooltip=tooltip)


def _shaded(points: Sequence[Point], *, from_0: bool) -> Iterable[dict[str, Any]]:
    least, most = _range(_numbers(points, "value"), from_0=from_0)
    for each in points:
        value = finite(each["value"])
        dark = value is not None and (value - least) > _DARK * (most - least)
        yield {**each, "value": value, "dark": dark}


def _range(known: Sequence[float], *, from_0: bool) -> list[float]:
    least, most = min(known, default=0.0), max(known, default=0.0)
    if from_0:
        least, most = min(least, 0.0), max(most, 0.0)
    return [least, most if most > least else least + 1.0]


def _numbers(points: Sequence[Point], *fields: str) -> list[float]:
    found = (finite(each[name]) for each in points for name in fields)
    return [each for each in found if each is not None]


def is_open(end: Any) -> bool:
    """Tell whether an interval has no end there, or one that no axis reaches."""
    return isinstance(end, (int, float)) and math.isinf(any_float(end))


def drawn_ends(points: Sequence[Point]) -> list[dict[str, Any]]:
    """Return points whose ends have a place: one that is open goes further than all others."""
    known = _numbers(points, "value", *_ENDS)
    least, most = min(known, default=0.0), max(known, default=0.0)
    beyond = _BEYOND * ((most - least) or abs(most) or 1.0)
    furthest = {"low": least - beyond, "high": most + beyond}
    return [
        {
            **each,
            "value": finite(each["value"]),
            **{end: _place(each[end], furthest[end], each["value"]) for end in _ENDS},
            **{f"{end}_open": is_open(each[end]) for end in _ENDS},
        }
        for each in points
    ]


def capped(
    base: Any,
    points: Sequence[Point],
    along: str,
    *,
    caps: bool = True,
    **axis: Any,
) -> list[Any]:
    """Return what is drawn at the ends of intervals.

    Parameters
    ----------
    base
        The chart of these points.
    points
        What :func:`drawn_ends` returned.
    along
        ``"x"`` or ``"y"``: the axis that bars lie along.
    caps
        Whether ends that are known are marked.
    axis
        What else is said of that axis.
    """
    place = {"x": altair().X, "y": altair().Y}[along]
    tick = base.mark_tick(color=INK, orient=_UPRIGHT[along], thickness=1, size=8)
    layers = []
    for end in _ENDS:
        at = {along: place(f"{end}:Q", **axis)}
        some = any(each[f"{end}_open"] for each in points)
        if caps:
            known = tick.transform_filter(f"!datum.{end}_open") if some else tick
            layers.append(known.encode(**at))
        if some:
            arrow = base.mark_point(
                shape=_ARROWS[along][end], color=INK, filled=True, size=60, opacity=1
            )
            layers.append(arrow.transform_filter(f"datum.{end}_open").encode(**at))
    return layers


def _place(end: Any, furthest: float, value: Any) -> float | None:
    return furthest if is_open(end) else finite(value if end is None else end)


def intervals(points: Sequence[Point], axis: str, *, groups: str = "", bars: bool) -> Any:
    """Return a panel with one line for each group: a bar or a dot, its interval, its figure.

    Parameters
    ----------
    points
        The values; where they have a "series", each has a place, a colour and a shape of its own.
    axis
        What the values are.
    groups
        What the groups are.
    bars
        Whether they are bars, which begin at 0, or dots.
    """
    alt = altair()
    points = drawn_ends(points)
    series = _series(points)
    labels = [str(each["group"]) for each in points]
    names = list(dict.fromkeys(labels))
    place: dict[str, Any] = {
        "y": alt.Y(
            "group:N",
            sort=None,
            title=groups or None,
            axis=alt.Axis(labelLimit=axis_room(names), ticks=False, domain=False, **ABOVE),
        )
    }
    if series:
        place["yOffset"] = alt.YOffset("series:N", sort=series)
    scale = alt.Scale(zero=True) if bars else alt.Scale(zero=False, nice=False, padding=12)
    base = alt.Chart(rows(points)).encode(**place)
    across = {"x": alt.X("value:Q", title=axis, scale=scale, axis=_figure_axis())}
    ends = {"x": alt.X("low:Q", title=axis, scale=scale), "x2": alt.X2("high:Q")}
    mark = base.mark_bar(color=LIGHT) if bars else _dots(base, series)
    height = len(names) * (_STEP_OF_SERIES * len(series) if series else _STEP)
    layers = [
        mark.encode(**across, tooltip=_tooltip(groups)),
        base.mark_rule(color=INK).encode(**ends),
        *capped(base, points, "x", title=axis, scale=scale),
        words(base.encode(x=alt.XValue(WIDTH + 10)), "shown", align="left"),
    ]
    if not bars:
        layers = [*layers[1:], layers[0]]
    return alt.layer(*layers).properties(width=WIDTH, height=max(height, _STEP))


def trend(
    points: Sequence[Point], axis: str, *, along: str, kind: str, from_0: bool = False
) -> Any:
    """Return a panel with a line along an ordered axis, and a band that shows the intervals.

    Parameters
    ----------
    points
        The values; their groups are numbers, or moments as text.
    axis
        What the values are.
    along
        What the groups are.
    kind
        ``"Q"`` for numbers, ``"T"`` for moments.
    from_0
        Whether the axis of the values begins at 0.
    """
    alt = altair()
    points = drawn_ends(points)
    colour, dash, shape = _told_apart(_series(points))
    scale = alt.Scale(type="utc" if kind == "T" else "linear", zero=False, nice=False, padding=10)
    base = alt.Chart(rows(points)).encode(
        x=alt.X(f"group:{kind}", title=along, scale=scale, axis=_ticks(points, kind)), **colour
    )
    heights = alt.Scale(zero=from_0)
    up = alt.Y("value:Q", title=axis, scale=heights, axis=_figure_axis())
    ends = {"y": alt.Y("low:Q", title=axis, scale=heights), "y2": "high:Q"}
    few = len(points) <= _MOST_DOTS
    dots = base.mark_point(filled=True, size=50 if few else 12, opacity=1)
    layers = [
        base.mark_area(opacity=0.15).encode(**ends),
        base.mark_line(strokeWidth=2 if few else 1).encode(y=up, **dash),
        *([base.mark_rule().encode(**ends)] if len(points) <= _MOST_RULES else []),
        *capped(base, points, "y", caps=False, title=axis, scale=heights),
        dots.encode(y=up, tooltip=_tooltip(along), **shape),
    ]
    return alt.layer(*layers).properties(width=WIDTH, height=_PANEL_HEIGHT)


def bins(points: Sequence[Point], axis: str, *, along: str) -> Any:
    """Return a panel with a histogram: each bin from its "left" to its "right" edge."""
    alt = altair()
    drawn = [{**each, "middle": (each["left"] + each["right"]) / 2} for each in drawn_ends(points)]
    edges = [drawn[0]["left"], *(each["right"] for each in drawn)]
    ticks = edges if len(edges) <= _MOST_TICKS else alt.Undefined
    scale = alt.Scale(zero=False, nice=False)
    base = alt.Chart(rows(drawn))
    at = alt.X("middle:Q", title=along, scale=scale)
    wide = {
        "x": alt.X("left:Q", title=along, scale=scale, axis=alt.Axis(values=ticks, grid=False)),
        "x2": "right:Q",
    }
    heights = {"y": alt.Y("low:Q", title=axis), "y2": "high:Q"}
    height = alt.Y("value:Q", title=axis)
    bars = base.mark_bar(color=LIGHT, stroke="white", binSpacing=0)
    layers = [
        bars.encode(**wide, y=height, y2=alt.datum(0), tooltip=_tooltip(tr("bin"), "bin")),
        base.mark_rule(color=INK).encode(x=at, **heights),
    ]
    caps = capped(base.encode(x=at), drawn, "y", caps=len(drawn) <= _MOST_RULES, title=axis)
    return alt.layer(*layers, *caps).properties(width=WIDTH, height=_PANEL_HEIGHT)


def nothing(sentence: str) -> Any:
    """Return a panel that says why there is nothing in it."""
    alt = altair()
    base = alt.Chart(rows([{"said": sentence}])).encode(x=alt.XValue(0))
    return words(base, "said", align="left", fontSize=12).properties(width=WIDTH, height=40)


def diamonds(points: Sequence[Point], axis: str, *, groups: str | None, size: int) -> Any:
    """Return a diamond at the "truth" of each group of a panel of intervals."""
    alt = altair()
    base = alt.Chart(rows(points)).encode(
        x=alt.X("truth:Q", title=axis), y=alt.Y("group:N", sort=None, title=groups)
    )
    look = {"shape": "diamond", "filled": False, "opacity": 1, "strokeWidth": 2}
    return base.mark_point(color=OTHER, size=size, **look)


def stacked(panels: Sequence[Any]) -> Any:
    """Return panels one below the other, each with scales of its own; one alone as it is."""
    if len(panels) == 1:
        return panels[0]
    own = dict.fromkeys(("color", "shape", "size", "strokeDash"), "independent")
    return altair().vconcat(*panels, spacing=24).resolve_scale(**own)


def _dots(base: Any, series: Sequence[str]) -> Any:
    colour, _, shape = _told_apart(series)
    return base.mark_point(filled=True, size=70, opacity=1).encode(**colour, **shape)


def _told_apart(series: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return what gives each series a colour, and a dash or a shape beside it."""
    alt = altair()
    if not series:
        return {"color": alt.ColorValue(MAIN)}, {}, {}
    legend = alt.Legend(
        orient="top",
        direction="horizontal",
        columns=4,
        title=None,
        symbolOpacity=1,
        symbolStrokeWidth=0,
    )
    legends = {"color": legend, "strokeDash": None, "shape": legend}
    ranges: dict[str, list[Any]] = {"color": PALETTE, "strokeDash": DASHES, "shape": SHAPES}
    kinds = {"color": alt.Color, "strokeDash": alt.StrokeDash, "shape": alt.Shape}
    scales = {
        name: alt.Scale(domain=list(series), range=each[: len(series)])
        for name, each in ranges.items()
    }
    colour, dash, shape = (
        {name: kind("series:N", scale=scales[name], sort=list(series), legend=legends[name])}
        for name, kind in kinds.items()
    )
    return colour, dash, shape


def _series(points: Sequence[Point]) -> list[str]:
    return list(dict.fromkeys(each["series"] for each in points if "series" in each))


def _tooltip(groups: str, field: str = "group") -> list[Any]:
    alt = altair()
    return [
        alt.Tooltip(f"{field}:N", title=groups or tr("group")),
        alt.Tooltip("shown:N", title=tr("value")),
    ]


def _figure_axis() -> Any:
    return altair().Axis(tickCount=6, labelFlush=False, labelOverlap="greedy")


def _ticks(points: Sequence[Point], kind: str) -> Any:
    alt = altair()
    groups = sorted({each["group"] for each in points})
    if kind == "T" or len(groups) > _MOST_TICKS:
        return alt.Axis(grid=False, tickCount=7, labelFlush=False, labelOverlap="greedy")
    are_whole = all(each == int(each) for each in groups)
    return alt.Axis(grid=False, values=groups, format="d" if are_whole else "~g")
