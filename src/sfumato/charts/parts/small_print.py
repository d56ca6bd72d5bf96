"""What has to be said of a picture, and need not be read first: in small letters below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.style import SMALL, WIDTH, altair, rows, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["small_print"]

_LINE, _LENGTH = 14, 100


def small_print(sentences: Sequence[str]) -> Any:
    """Return a panel of sentences, each on lines of its own."""
    alt = altair()
    lines = [line for each in sentences for line in wrapped(each, _LENGTH)]
    points = [{"line": place, "note": line} for place, line in enumerate(lines)]
    text = alt.Chart(rows(points)).mark_text(align="left", color=SMALL, fontSize=11)
    place = alt.Y("line:O", axis=None)
    drawn = text.encode(x=alt.XValue(0), y=place, text=alt.Text("note:N"))
    return drawn.properties(width=WIDTH, height=_LINE * len(lines))
