"""Distributions on few outcomes, as bars side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.lines import named_lines
from sfumato.charts.parts.style import ABOVE, PALETTE, altair, axis_room, rows
from sfumato.numeric import shown
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["bars"]

_MOST = 40
_BAR, _BETWEEN = 13, 8


def bars(distributions: Mapping[str, Any]) -> tuple[Any, int]:
    """Return bars of the likeliest outcomes, with their probabilities, and how high that is."""
    alt, first = altair(), next(iter(distributions.values()))
    chances = {name: each.probabilities() for name, each in distributions.items()}
    of_first = chances[next(iter(distributions))]
    ranked = sorted(first.outcomes, key=lambda each: -of_first[each].upper)
    kept = [each for each in first.outcomes if each in set(ranked[:_MOST])]
    labels = dict(zip(kept, named_lines([_said(each) for each in kept]), strict=True))
    points = [
        {"outcome": labels[each], "name": name, "probability": found[each].upper}
        for each in kept
        for name, found in chances.items()
    ]
    base = alt.Chart(rows([{**row, "label": f"{row['probability']:.3g}"} for row in points]))
    base = base.encode(
        x=alt.X(
            "probability:Q",
            title=tr("probability of the output"),
            scale=alt.Scale(domain=[0, 1]),
            axis={"tickCount": 5},
        ),
        y=alt.Y(
            "outcome:N",
            title=_title(len(first.outcomes)),
            sort=None,
            scale=alt.Scale(paddingInner=0.25, paddingOuter=0.1),
            axis=alt.Axis(labelLimit=axis_room(list(labels.values())), **ABOVE),
        ),
        yOffset=alt.YOffset("name:N", sort=None),
    )
    colours = alt.Scale(domain=list(distributions), range=PALETTE[: len(distributions)])
    legend = alt.Legend(orient="bottom") if len(distributions) > 1 else None
    colour = alt.Color("name:N", title=None, sort=None, scale=colours, legend=legend)
    text = base.mark_text(align="left", dx=3, fontSize=10).encode(text=alt.Text("label:N"))
    return base.mark_bar().encode(color=colour) + text, _height(len(kept), len(distributions))


def _said(outcome: object) -> str:
    return outcome if isinstance(outcome, str) else shown(outcome)


def _title(count: int) -> str:
    return (
        "output"
        if count <= _MOST
        else tr("output: the {most} likeliest of {count:,}", most=_MOST, count=count)
    )


def _height(outcomes: int, distributions: int) -> int:
    return outcomes * (_BAR * distributions + _BETWEEN)
