"""Ends of intervals: a cap where a bar ends, an arrow where it does not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.numbers import finite
from sfumato.charts.parts.style import INK, altair
from sfumato.numeric import any_float

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["OPEN", "capped", "drawn_ends", "is_open"]

#: What has to be said where an end is open.
OPEN = "an arrow is an interval without an end on that side"

_ENDS = ("low", "high")
#: How much further than all others an open end goes, by how far those are apart.
_BEYOND = 0.05
_UPRIGHT = {"x": "vertical", "y": "horizontal"}
_ARROWS = {
    "x": {"low": "triangle-left", "high": "triangle-right"},
    "y": {"low": "triangle-down", "high": "triangle-up"},
}


def is_open(end: Any) -> bool:
    """Tell whether an interval has no end there, or one that no axis reaches."""
    return isinstance(end, (int, float)) and math.isinf(any_float(end))


def drawn_ends(points: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return points whose ends have a place: one that is open goes further than all others."""
    drawn = [finite(each[name]) for each in points for name in ("value", *_ENDS)]
    known = [each for each in drawn if each is not None]
    least, most = min(known, default=0.0), max(known, default=0.0)
    beyond = _BEYOND * (most - least)
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
    points: Sequence[Mapping[str, Any]],
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
