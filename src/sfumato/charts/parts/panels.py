"""Panels that charts of answers are made of: values with their intervals, lines, histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.ends import capped, drawn_ends
from sfumato.charts.parts.style import (
    ABOVE,
    DASHES,
    INK,
    LIGHT,
    MAIN,
    PALETTE,
    SHAPES,
    WIDTH,
    altair,
    axis_room,
    rows,
)
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    #: A value, its ends, what they are called: "group", "value", "low", "high", "shown", "series".
    Point = Mapping[str, Any]

__all__ = ["bins", "intervals", "nothing", "stacked", "trend"]

_STEP, _STEP_OF_SERIES = 24, 16
_HEIGHT = 220
_MOST_DOTS, _MOST_RULES = 40, 120
_MOST_TICKS = 12


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
    across = {"x": alt.X("value:Q", title=axis, scale=scale, axis=_figures())}
    ends = {"x": alt.X("low:Q", title=axis, scale=scale), "x2": alt.X2("high:Q")}
    mark = base.mark_bar(color=LIGHT) if bars else _dots(base, series)
    height = len(names) * (_STEP_OF_SERIES * len(series) if series else _STEP)
    layers = [
        mark.encode(**across, tooltip=_tooltip(groups)),
        base.mark_rule(color=INK).encode(**ends),
        *capped(base, points, "x", title=axis, scale=scale),
        base.mark_text(align="left", color=INK).encode(
            x=alt.XValue(WIDTH + 10), text=alt.Text("shown:N")
        ),
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
    up = alt.Y("value:Q", title=axis, scale=heights, axis=_figures())
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
    return alt.layer(*layers).properties(width=WIDTH, height=_HEIGHT)


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
        bars.encode(**wide, y=height, y2=alt.datum(0), tooltip=_tooltip("bin", "bin")),
        base.mark_rule(color=INK).encode(x=at, **heights),
    ]
    caps = capped(base.encode(x=at), drawn, "y", caps=len(drawn) <= _MOST_RULES, title=axis)
    return alt.layer(*layers, *caps).properties(width=WIDTH, height=_HEIGHT)


def nothing(sentence: str) -> Any:
    """Return a panel that says why there is nothing in it."""
    alt = altair()
    said = alt.Chart(rows([{"said": sentence}])).mark_text(color=INK, align="left", fontSize=12)
    return said.encode(x=alt.XValue(0), text=alt.Text("said:N")).properties(width=WIDTH, height=40)


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
        alt.Tooltip(f"{field}:N", title=groups or "group"),
        alt.Tooltip("shown:N", title=tr("value")),
    ]


def _figures() -> Any:
    return altair().Axis(tickCount=6, labelFlush=False, labelOverlap="greedy")


def _ticks(points: Sequence[Point], kind: str) -> Any:
    alt = altair()
    groups = sorted({each["group"] for each in points})
    if kind == "T" or len(groups) > _MOST_TICKS:
        return alt.Axis(grid=False, tickCount=7, labelFlush=False, labelOverlap="greedy")
    return alt.Axis(grid=False, values=groups, format="~g" if _has_fraction(groups) else "d")


def _has_fraction(numbers: Sequence[float]) -> bool:
    return any(each != int(each) for each in numbers)
