"""What a chart has in it, whatever it is made of."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import vl_convert

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.printing.page import Chart

__all__ = ["data", "encodings", "legends", "marks", "title", "views"]

_SVG = "{http://www.w3.org/2000/svg}"


def title(chart: Chart) -> str:
    """The message, in one line."""
    return " ".join(chart.to_dict(validate=False)["title"]["text"])


def views(chart: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every view and layer, itself first."""
    yield chart
    for parts in ("layer", "concat", "hconcat", "vconcat"):
        for each in chart.get(parts, []):
            yield from views(each)
    if isinstance(chart.get("spec"), dict):
        yield from views(chart["spec"])


def data(chart: Chart) -> list[dict[str, Any]]:
    """All rows that are drawn."""
    found = chart.to_dict(validate=False)
    inline = [view["data"].get("values", []) for view in views(found) if "data" in view]
    named = found.get("datasets", {}).values()
    return [row for rows in (*inline, *named) for row in rows]


def encodings(chart: Chart) -> list[dict[str, Any]]:
    """What each view draws by."""
    return [view["encoding"] for view in views(chart.to_dict(validate=False)) if "encoding" in view]


def legends(chart: Chart) -> list[dict[str, Any]]:
    """The legends as they are drawn, and what each tells by: "fill", "shape", "strokeDash"."""
    whole = vl_convert.vegalite_to_vega(chart.to_dict())
    inside = (each.get("legends", []) for each in whole["marks"])
    return [legend for several in (whole.get("legends", []), *inside) for legend in several]


def marks(picture: str) -> int:
    """How many bars, dots and lines an SVG holds, besides its axes, legends and words."""
    groups = ET.fromstring(picture).iter(f"{_SVG}g")  # noqa: S314 - it is our own picture
    drawn = (group for group in groups if "role-mark" in group.get("class", "").split())
    return sum(1 for group in drawn for each in group if each.get("d"))
