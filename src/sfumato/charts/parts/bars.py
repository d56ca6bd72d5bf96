"""Bars one below the other, with a label before each and a note at its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.style import (
    ABOVE,
    PALETTE,
    altair,
    axis_room,
    finished,
    numbered,
    rows,
    words,
)
from sfumato.numeric import shown
from sfumato.printing import FAINT, MAIN, NOT_PRIVATE, counted, cut
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.printing import Chart


#: How many bars are drawn, and how long a label may be.
MOST, LABEL = 40, 60
_ROW = 26
#: How high a bar of several is, and the room between those of two outcomes.
_BAR, _BETWEEN = 13, 8


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
    labels = numbered([cut(bar.label, LABEL) for bar in amounts])
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
    base = base.encode(x=x)
    return base.mark_bar(height=16).encode(color=colour) + words(base, "note", align="left", dx=5)


def down(labels: list[str]) -> Any:
    """Return the axis of the labels."""
    alt = altair()
    return alt.Y("label:N", sort=labels, axis=alt.Axis(title=None, labelLimit=axis_room(labels)))


def exact_figures(
    drawn: Any, title: str, *beneath: str, count: int, most: int = MOST, row: int = _ROW
) -> Chart:
    """Return a chart of exact figures, which says so, and how many of them are not in it.

    Parameters
    ----------
    drawn, title, beneath
        As ``finished`` takes them.
    count, most
        How many figures there are, and how many are drawn at most.
    row
        How high each is.
    """
    hidden = count - most
    return finished(
        drawn,
        title,
        *beneath,
        *([tr("{others} not shown", others=counted(hidden, "other"))] if hidden > 0 else []),
        NOT_PRIVATE,
        height=row * max(min(count, most), 1),
    )


def chance_bars(
    outcomes: Sequence[Any], chances: Mapping[str, Sequence[float]], *, x: str, y: str
) -> tuple[Any, int]:
    """Return bars of the probabilities of outcomes, several beside each other, and how high it is.

    Parameters
    ----------
    outcomes
        What is drawn, from above.
    chances
        The probabilities of all outcomes, by the name of their distribution.
    x, y
        What the axes are called.
    """
    alt = altair()
    labels = numbered(
        [cut(each if isinstance(each, str) else shown(each), LABEL) for each in outcomes]
    )
    points = [
        {"outcome": label, "name": name, "probability": each, "label": f"{each:.3g}"}
        for place, label in enumerate(labels)
        for name, each in ((name, found[place]) for name, found in chances.items())
    ]
    base = alt.Chart(rows(points)).encode(
        x=alt.X("probability:Q", title=x, scale=alt.Scale(domain=[0, 1]), axis={"tickCount": 5}),
        y=alt.Y(
            "outcome:N",
            title=y,
            sort=None,
            scale=alt.Scale(paddingInner=0.25, paddingOuter=0.1),
            axis=alt.Axis(labelLimit=axis_room(labels), **ABOVE),
        ),
        yOffset=alt.YOffset("name:N", sort=None),
    )
    colour = coloured(alt.Color, list(chances), PALETTE, legend=len(chances) > 1)
    text = base.mark_text(align="left", dx=3, fontSize=10).encode(text=alt.Text("label:N"))
    height = len(labels) * (_BAR * len(chances) + _BETWEEN)
    return base.mark_bar().encode(color=colour) + text, height


def coloured(channel: Any, names: list[str], looks: list[str], *, legend: bool = True) -> Any:
    """Return a channel by which names are told apart, such as ``Color``."""
    alt = altair()
    scale = alt.Scale(domain=names, range=looks[: len(names)])
    below = alt.Legend(orient="bottom") if legend else None
    return channel("name:N", title=None, sort=None, scale=scale, legend=below)
