"""Bars one below the other, with a label before each and a note at its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.style import altair, axis_room, rows, told_apart
from sfumato.printing import FAINT, INK, MAIN, cut

if TYPE_CHECKING:
    from collections.abc import Sequence


#: How many bars are drawn, and how long a label may be.
MOST, LABEL = 40, 60
_ROW = 26


@dataclass(frozen=True)
class Bar:
    """One amount.

    Attributes
    ----------
    label
        What it is the amount of.
    value
        How long the bar is: 0 or more.
    note
        What is written at its end.
    marked
        Whether it is drawn dark, to stand out.
    """

    label: str
    value: float
    note: str
    marked: bool = False


def bars(amounts: Sequence[Bar], axis_title: str, kinds: tuple[str, str] | None = None) -> Any:
    """Return bars with a note at the end of each; of two kinds one is dark."""
    alt = altair()
    marked, plain = kinds or ("", "")
    labels = told_apart([cut(bar.label, LABEL) for bar in amounts])
    found = [
        {
            "label": label,
            "value": bar.value,
            "note": bar.note,
            "kind": marked if bar.marked else plain,
        }
        for label, bar in zip(labels, amounts, strict=True)
    ]
    base = alt.Chart(rows(found)).encode(y=down(labels))
    are_counts = all(isinstance(bar.value, int) for bar in amounts)
    whole = {"tickMinStep": 1, "format": ",d"} if are_counts else {}
    x = alt.X("value:Q", title=axis_title, axis=alt.Axis(tickCount=6, **whole))
    colour = (
        alt.Color(
            "kind:N",
            scale=alt.Scale(domain=list(kinds), range=[MAIN, FAINT]),
            legend=alt.Legend(title=None, orient="bottom"),
        )
        if kinds
        else alt.ColorValue(MAIN)
    )
    drawn = base.mark_bar(height=16).encode(x=x, color=colour)
    return drawn + base.mark_text(align="left", dx=5, color=INK).encode(
        x=x, text=alt.Text("note:N")
    )


def down(labels: list[str]) -> Any:
    """Return the axis of the labels."""
    alt = altair()
    return alt.Y("label:N", sort=labels, axis=alt.Axis(title=None, labelLimit=axis_room(labels)))


def bars_height(count: int) -> int:
    """Return how high bars are together."""
    return _ROW * max(count, 1)
