"""What a chart draws, read back from its specification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.printing.page import Chart

__all__ = ["drawn_rows", "said"]


def drawn_rows(chart: Chart, field: str) -> list[dict[str, Any]]:
    """Return the rows of the first layer whose rows have a field."""
    spec = chart.to_dict()
    named = spec.get("datasets", {})
    found = (data.get("values") or named.get(data.get("name")) or [] for data in _data(spec))
    return next(list(rows) for rows in found if rows and field in rows[0])


def said(chart: Chart) -> str:
    """Return the message of a chart and the lines below it."""
    title = chart.to_dict()["title"]
    return " ".join([*title["text"], *title["subtitle"]])


def _data(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "data" in spec:
        yield spec["data"]
    for layer in spec.get("layer", []):
        yield from _data(layer)
